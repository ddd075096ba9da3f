import type { Authentication, RequiredAuthentication } from '../types/second-factor.ts'

/** Tells whether a session was authenticated as required. Unknown authentication never suffices. */
export function isSufficient(
  { amr = [], auth_time }: Authentication,
  { freshness, factor = false }: RequiredAuthentication,
  now: number,
): boolean {
  if (factor && !amr.includes('mfa')) return false
  return freshness === undefined || (auth_time !== undefined && now / 1000 - auth_time <= freshness)
}
