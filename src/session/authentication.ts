import type { Settings } from '../config/settings.ts'
import type { Account, ProviderType } from '../types/records.ts'
import type { Authentication, FactorMethod, RequiredAuthentication } from '../types/authentication.ts'

/** The method of a passkey: proof of possession of a key (RFC 8176 2). */
export const passkeyMethod = 'pop'

/** Authentication methods of first factors. RFC 8176 has no value for federated sign-ins; `fed` is in common use. */
const methods: Readonly<Record<ProviderType, string>> = {
  credentials: 'pwd',
  email: 'otp',
  oauth: 'fed',
  oidc: 'fed',
  webauthn: passkeyMethod,
}

type Proven = Pick<Account, 'type' | 'provider'>
type Known = Pick<Settings, 'providers'>

/** Describes a sign-in with a first factor. */
export function describeFirstFactor(account: Proven, now: number, settings: Known): Authentication {
  return { amr: methodsOf(account, settings), auth_time: Math.floor(now / 1000) }
}

/** A feature names its method (FT-11). */
function methodsOf({ type, provider }: Proven, { providers }: Known): readonly string[] {
  if (type !== 'feature') return [methods[type]]
  const way = providers.get(provider)
  return way?.kind === 'feature' ? [way.config.signIn.amr] : []
}

/**
 * Adds the second factor. The first method stays the first.
 *
 * @param now milliseconds since 1970 of the proof; undefined for an enrolment, which does not prove an earlier
 * credential
 */
export function addFactor(
  { amr = [], auth_time }: Authentication,
  method: FactorMethod,
  now: number | undefined,
): Authentication {
  const time = now === undefined ? auth_time : Math.floor(now / 1000)
  return { amr: [...new Set([...amr, method, 'mfa'])], auth_time: time }
}

/** Returns whether a session was authenticated as required. Unknown authentication never suffices. */
export function isSufficient(
  { amr = [], auth_time }: Authentication,
  { freshness, factor = false }: RequiredAuthentication,
  now: number,
): boolean {
  if (factor && !amr.includes('mfa')) return false
  return freshness === undefined || (auth_time !== undefined && now / 1000 - auth_time <= freshness)
}
