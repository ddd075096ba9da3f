import { severities, type Severity } from './causes.ts'

/** What a case can see in a target that breaks a requirement, and what an attacker gains by that at most. */
export const observations = {
  /** A session, an account or a token of a user who did not authenticate there. */
  'another user': 'takeover',
  /** A session that opened although it must not, or that outlived its end. */
  'a session': 'session',
  /** Text of an attacker in a page, as markup. */
  'a script': 'session',
  'a secret': 'leak',
  'a redirect': 'leak',
  'a sign-out': 'denial of service',
  'a cost': 'denial of service',
  /**
   * A response to a request without cookies that makes the browser drop its own session cookie. The session stays alive,
   * and its user signs in again.
   */
  'a lost cookie': 'hardening',
  /** A request to a provider, of which nothing came. */
  'a request': 'hardening',
  /** Text of an attacker in a page or a header, which does nothing there. */
  'a text': 'hardening',
  /** A cookie or a parameter that lacks a protection. */
  'a missing protection': 'hardening',
  /** Input that a standard refuses, and that no attacker can send in the name of another user. */
  'a lax check': 'hardening',
  /** A rule of this project that no standard demands in this form. */
  'a broken rule': 'hardening',
} as const satisfies Readonly<Record<string, Severity>>

export type Observed = keyof typeof observations

/**
 * Returns the severity of a failure: what was seen, and never more than the worst that its requirement allows. Only an
 * identity of another user is a takeover, whatever else the requirement is about.
 *
 * @param worst the worst case of the requirement, or of the property
 * @param observed what the case saw; undefined if its check does not say
 */
export function weighObservation(worst: Severity, observed: Observed | undefined): Severity {
  if (observed === 'another user') return 'takeover'
  const seen = observations[observed ?? 'a session']
  return severities.indexOf(seen) > severities.indexOf(worst) ? seen : worst
}
