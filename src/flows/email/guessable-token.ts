import type { EmailSettings, Settings } from '../../config/settings.ts'
import type { Platform } from '../../types/config.ts'

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

/**
 * The providers with a logged warning, by clock, because configurations that are created per request share the clock.
 */
const warnedByClock = new WeakMap<Platform['now'], Set<string>>()

/** Warns once about a provider whose own generator creates guessable tokens. */
export function warnGuessable(token: string, { id, config }: EmailSettings, settings: Settings): void {
  if (!config.generateVerificationToken || !isGuessable(token)) return
  warnProvider(settings.callbacks.rateLimit ? '' : unlimited, { id }, settings)
}

const unlimited = '; `callbacks.rateLimit` is not set'

/** Warns once about a provider or a feature that sends codes if nothing limits the number of codes that an attacker can request. */
export function warnUnlimited({ id }: Pick<EmailSettings, 'id'>, settings: Settings): void {
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
