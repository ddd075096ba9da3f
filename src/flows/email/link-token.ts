import type { EmailSettings, Settings } from '../../config/settings.ts'
import { copyOfOptions } from '../../copies/copy-handed-out.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { randomHex } from '../../crypto/random.ts'
import type { Stamp } from '../../session/stamp.ts'
import { expiryOf } from '../../session/stored.ts'
import { Verification } from '../../errors/classes.ts'
import type { VerificationToken } from '../../types/adapter.ts'
import type { Platform } from '../../types/config.ts'
import { demandStore, type World } from '../engine/world.ts'

/** Creates the token of a link: by the provider's own function, or 32 random bytes in hex. */
export async function mintLinkToken({ config }: EmailSettings, { platform }: Settings): Promise<string> {
  const token = (await copyOfOptions(config).generateVerificationToken?.()) ?? randomHex(platform.randomBytes)
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError('`generateVerificationToken` must return a non-empty string')
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
 * provider, so that none accepts another's links (decision 5). The stamp of the account binds the token to the account as
 * it is now. Without one, the hashes are those that Auth.js stores, and those of links that were mailed by earlier versions.
 */
export function hashesOf(
  token: string,
  provider: EmailSettings,
  settings: Settings,
  stamp?: Stamp,
): Promise<readonly string[]> {
  const own = provider.config.secret
  const secrets = own ? [own] : settings.secrets
  const scope = hasSeveral(settings) ? `:${provider.id}` : ''
  const value = stamp?.value ?? null
  return Promise.all(
    secrets.map(async (secret) => {
      const hash = await sha256Hex(`${token}${secret}${scope}`)
      return value === null ? hash : sha256Hex(`stamped ${hash} ${value}`)
    }),
  )
}

/** Tells whether there are several e-mail providers. */
function hasSeveral({ providers }: Settings): boolean {
  return [...providers.values()].filter(({ kind }) => kind === 'email').length > 1
}

/** Returns the hash with the newest secret, under which new tokens are stored. */
export function newestHash([newest]: readonly string[]): string {
  if (newest === undefined) throw new TypeError('Cannot create a link without a secret')
  return newest
}

/** Removes the first of these tokens that is in the store, so that a link works only once. */
export async function consumeHashed(identifier: string, hashes: readonly string[], world: World) {
  const consumedToken = await takeToken(identifier, hashes, world)
  if (!consumedToken) {
    const reason = 'The link is unknown, already used, or older than a change to the account'
    return { type: 'token.unknown', failure: new Verification(reason) } as const
  }
  return consumedToken.expires.getTime() > world.platform.now()
    ? ({ type: 'token.consumed', consumedToken } as const)
    : ({ type: 'token.expired', failure: new Verification('The link has expired') } as const)
}

async function takeToken(
  identifier: string,
  hashes: readonly string[],
  world: World,
): Promise<VerificationToken | undefined> {
  for (const token of hashes) {
    const taken = await demandStore(world).useVerificationToken({ identifier, token })
    if (taken?.identifier === identifier && taken.token === token)
      return { identifier, token, expires: new Date(expiryOf(taken)) }
  }
  return undefined
}
