import type { Settings } from '../config/settings.ts'
import type { Refusal } from '../token/keyring.ts'
import type { Platform } from '../types/config.ts'

/** Milliseconds for which the next warning stays away: anybody can send any cookie, and must not fill the log. */
const silence = 60_000

/**
 * When each configuration last warned. Its base path and cookie tell which one it is, because integrations hand over a
 * copy of it at each call. A clock has warnings of its own, because a time means nothing on another clock.
 */
const warnedByClock = new WeakMap<Platform['now'], Map<string, number>>()

/** Warns that a session cookie does not open, at most once a minute. One that was ours and has expired is no reason. */
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
