import type { Settings } from '../config/settings.ts'
import type { Refusal } from '../token/keyring.ts'
import type { Platform } from '../types/config.ts'

/** Milliseconds between two warnings. Anybody can send any cookie, and must not be able to fill the log. */
const silence = 60_000

/**
 * When each configuration last warned. It is identified by its base path and cookie name, because integrations pass a
 * copy of the configuration at each call. Each clock has its own map, because times of two clocks cannot be compared.
 */
const warnedByClock = new WeakMap<Platform['now'], Map<string, number>>()

/** Warns that a session cookie does not open, at most once a minute. An expired session causes no warning. */
export function warnUnreadable(
  refused: Refusal,
  cookieName: string,
  { basePath, jwt, logger, platform }: Pick<Settings, 'basePath' | 'jwt' | 'logger' | 'platform'>,
): void {
  // A decoder of the application says only that it got no claims; the token may have expired.
  if (refused === 'expired' || refused === 'not-yet-valid' || jwt.decode) return
  const now = platform.now()
  const warned = warnedByClock.get(platform.now) ?? new Map<string, number>()
  warnedByClock.set(platform.now, warned)
  for (const [name, at] of warned) if (now - at >= silence) warned.delete(name)
  const name = `${basePath} ${cookieName}`
  if (warned.has(name)) return
  warned.set(name, now)
  logger.warn('session-cookie-unreadable')
}
