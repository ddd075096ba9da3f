import type { EmailSettings, Settings } from '../../config/settings.ts'
import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { type MaybePromise, settle, whenReady } from '../../async/maybe-promise.ts'
import { randomHex } from '../../crypto/random.ts'
import type { Stamp } from '../../session/stamp.ts'
import { expiryOf } from '../../session/stored.ts'
import type { VerificationToken } from '../../types/adapter.ts'
import type { Platform } from '../../types/config.ts'
import { demandStore, type World } from '../engine/world.ts'

/** Creates the token of a link: by the provider's own function, or 32 random bytes in hex. */
export function mintLinkToken({ config }: EmailSettings, { platform }: Settings): MaybePromise<string> {
  return whenReady(settle(copyOfOptions(config).generateVerificationToken?.()), (own) => {
    const token = own ?? randomHex(platform.randomBytes)
    if (typeof token === 'string' && token !== '') return token
    throw new TypeError('`generateVerificationToken` must return a non-empty string')
  })
}

/** With fewer random bits, attempts must be limited (NIST SP 800-63B 5.1.3.2). */
const strongToken = 64
/** The number of possible characters, estimated from those in the token. */
const alphabets = [
  [/^\d+$/, 10],
  [/^[\da-f]+$/, 16],
  [/^([\da-z]+|[\dA-Z]+)$/, 36],
] as const

/** Tells whether a token has so few random bits that it can be guessed. */
export function isGuessable(token: string): boolean {
  const [, letters = 64] = alphabets.find(([shape]) => shape.test(token)) ?? []
  return token.length * Math.log2(letters) < strongToken
}

/** Providers already warned about, by clock, which configurations created per request share. */
const warnedByClock = new WeakMap<Platform['now'], Set<string>>()

/** Warns once about a provider whose own generator creates guessable tokens. */
export function warnGuessable(token: string, { id, config }: EmailSettings, settings: Settings): void {
  if (!config.generateVerificationToken || !isGuessable(token)) return
  warnProvider(settings.callbacks.rateLimit ? '' : unlimited, { id }, settings)
}

const unlimited = '; `callbacks.rateLimit` is not set'

/** Warns once about a provider that mails codes if nothing limits how many an attacker requests. */
export function warnUnlimited({ id }: EmailSettings, settings: Settings): void {
  if (!settings.callbacks.rateLimit) warnProvider(unlimited, { id }, settings)
}

function warnProvider(detail: string, { id }: Pick<EmailSettings, 'id'>, settings: Settings): void {
  const { basePath, logger, platform } = settings
  const warned = warnedByClock.get(platform.now) ?? new Set()
  warnedByClock.set(platform.now, warned)
  const provider = `${basePath} ${id}`
  if (warned.has(provider)) return
  warned.add(provider)
  logger.warn('weak-link-token', `The provider is "${id}"${detail}`)
}

/**
 * The hashes of a token, one for each secret, the newest first. With several e-mail providers, the hash includes the
 * provider, so that none accepts another's links (decision 5).
 */
export function hashesOf(token: string, provider: EmailSettings, settings: Settings): MaybePromise<string>[] {
  const own = provider.config.secret
  const secrets = own ? [own] : settings.secrets
  const scope = hasSeveral(settings) ? `:${provider.id}` : ''
  return secrets.map((secret) => sha256Hex(`${token}${secret}${scope}`))
}

/**
 * Binds hashes to the stamp of the account that a link is for. Without one, the hashes are those that Auth.js stores, and
 * those of links that were mailed by earlier versions.
 */
export function bindHashes(
  hashes: readonly MaybePromise<string>[],
  stamp: Stamp | undefined,
): MaybePromise<string>[] {
  const value = stamp?.value ?? null
  if (value === null) return [...hashes]
  return hashes.map((hash) => whenReady(hash, (plain) => sha256Hex(`stamped ${plain} ${value}`)))
}

/** Tells whether there are several e-mail providers. */
function hasSeveral({ providers }: Settings): boolean {
  return [...providers.values()].filter(({ kind }) => kind === 'email').length > 1
}

/** Returns the hash with the newest secret, under which new tokens are stored. */
export function newestHash(hashes: readonly MaybePromise<string>[]): MaybePromise<string> {
  const [newest] = hashes
  if (newest === undefined) throw new TypeError('Cannot create a link without a secret')
  return newest
}

/** Removes the first of these tokens that is in the store, and returns it. */
export function takeToken(
  identifier: string,
  [hash, ...others]: readonly MaybePromise<string>[],
  world: World,
): MaybePromise<VerificationToken | undefined> {
  if (hash === undefined) return undefined
  return whenReady(hash, (token) =>
    whenReady(settle(demandStore(world).useVerificationToken({ identifier, token })), (taken) =>
      taken?.identifier === identifier && taken.token === token
        ? { identifier, token, expires: new Date(expiryOf(taken)) }
        : takeToken(identifier, others, world),
    ),
  )
}
