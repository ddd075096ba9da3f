import type { EmailSettings, Settings } from '../config/settings.ts'
import { sha256Hex } from '../crypto/hash.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import { randomHex } from '../crypto/random.ts'
import type { Platform } from '../types/config.ts'

/** A token that only the mailed link carries: the provider's own, or 32 random bytes in hex. */
export async function mintLinkToken({ config }: EmailSettings, { platform }: Settings): Promise<string> {
  const token = (await config.generateVerificationToken?.()) ?? randomHex(platform.randomBytes)
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('generateVerificationToken has to answer a non-empty string')
}

/** Random bits below which guesses have to be limited (NIST SP 800-63B 5.1.3.2). */
const strongToken = 64
/** How many characters a token may be drawn from, by its looks. */
const alphabets = [
  [/^\d+$/, 10],
  [/^[\da-f]+$/, 16],
  [/^([\da-z]+|[\dA-Z]+)$/, 36],
] as const

/** Has the token room for so few random bits that it may be guessed? */
export function isGuessable(token: string): boolean {
  const [, letters = 64] = alphabets.find(([shape]) => shape.test(token)) ?? []
  return token.length * Math.log2(letters) < strongToken
}

/** Providers that were warned of, by clock: each configuration that is made anew for a request has the same one. */
const warnedByClock = new WeakMap<Platform['now'], Set<string>>()

/** Warns once of a provider whose tokens may be guessed. */
export function warnGuessable(token: string, { id }: EmailSettings, settings: Settings): void {
  if (!isGuessable(token)) return
  const { basePath, logger, platform } = settings
  const warned = warnedByClock.get(platform.now) ?? new Set()
  warnedByClock.set(platform.now, warned)
  const provider = `${basePath} ${id}`
  if (warned.has(provider)) return
  warned.add(provider)
  const limit = settings.callbacks.rateLimit ? '' : ', and there is no callbacks.rateLimit to limit guesses'
  logger.warn(
    'weak-link-token',
    `generateVerificationToken of provider "${id}" makes tokens that may be guessed${limit}`,
  )
}

/**
 * The hashes under which the store may know a token, one for each secret, the newest first. With several e-mail
 * providers the hash covers the provider too, so that none takes another's links (decision 5).
 */
export function hashesOf(token: string, provider: EmailSettings, settings: Settings): MaybePromise<string>[] {
  const own = provider.config.secret
  const secrets = own ? [own] : settings.secrets
  const kinds = [...settings.providers.values()].filter(({ kind }) => kind === 'email')
  const scope = kinds.length > 1 ? `:${provider.id}` : ''
  return secrets.map((secret) => sha256Hex(`${token}${secret}${scope}`))
}
