import type { ProviderSettings } from '../config/settings.ts'
import type { Account, ProviderType } from '../types/records.ts'
import type { Authentication, FactorMethod, RequiredAuthentication } from '../types/second-factor.ts'

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

/** Describes a sign-in with a first factor. */
export function describeFirstFactor(
  { type, provider }: Pick<Account, 'type' | 'provider'>,
  now: number,
  { providers }: { readonly providers: ReadonlyMap<string, ProviderSettings> },
): Authentication {
  const own = type === 'feature' ? providers.get(provider) : undefined
  const method = type === 'feature' ? own?.kind === 'feature' && own.config.signIn.amr : methods[type]
  return { amr: method ? [method] : [], auth_time: Math.floor(now / 1000) }
}

/**
 * Adds the second factor. The first method stays the first.
 *
 * @param now milliseconds since 1970 of the proof; undefined for an enrolment, which does not prove an earlier
 * credential
 */
export function addSecondFactor(
  { amr = [], auth_time }: Authentication,
  method: FactorMethod,
  now: number | undefined,
): Authentication {
  const time = now === undefined ? auth_time : Math.floor(now / 1000)
  return { amr: [...new Set([...amr, method, 'mfa'])], auth_time: time }
}

/** Tells whether a session was authenticated as required. Unknown authentication never suffices. */
export function isSufficient(
  { amr = [], auth_time }: Authentication,
  { freshness, factor = false }: RequiredAuthentication,
  now: number,
): boolean {
  if (factor && !amr.includes('mfa')) return false
  return freshness === undefined || (auth_time !== undefined && now / 1000 - auth_time <= freshness)
}
