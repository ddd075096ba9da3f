import type { Severity } from '../../../fuzz/causes.ts'
import type { RequirementId } from '../../../spec/index.ts'

/** A bug with which an application can be started, and the requirement by which the oracle must find it. */
export interface SeededFault {
  readonly says: string
  readonly breaks: RequirementId
  /** The severity with which it must find it, if the application fails that requirement less severely without it. */
  readonly severity?: Severity
}

/** The faults that several applications have, by the argument that turns them on. */
export const faults = {
  state: { says: 'accepts a response with any `state`', breaks: 'TX-02' },
  nonce: { says: 'does not compare the `nonce` of an id_token', breaks: 'OI-04' },
  pkce: { says: 'uses one code verifier for every sign-in', breaks: 'TX-08' },
  fixation: { says: 'keeps the session id at a sign-in', breaks: 'SE-01' },
  redirect: { says: 'returns to any URL after a sign-in', breaks: 'RD-02' },
  csrf: { says: 'does not compare the CSRF token of a form', breaks: 'TX-18' },
  expiry: { says: 'accepts an expired id_token', breaks: 'OI-03' },
  'sign-out': { says: 'deletes only the cookie at a sign-out', breaks: 'SE-10' },
  log: { says: 'logs the token response', breaks: 'IL-02' },
  'one-proof': { says: 'has one CSRF token for all visitors', breaks: 'TX-18' },
  'log-headers': { says: 'logs the headers of a request whose sign-in failed', breaks: 'IL-02' },
  'derived-sid': { says: 'derives the session id from the address of the user', breaks: 'SE-15' },
  link: { says: 'accepts a mailed link for a second time', breaks: 'SU-01' },
  'named-user': { says: 'shows the user that a parameter names', breaks: 'SE-26' },
  traceback: { says: 'shows the stack trace of an error', breaks: 'IL-04' },
  'callback-next': { says: 'returns to the target in the response of the provider', breaks: 'RD-01' },
  'timed-sid': { says: 'derives the session id from the time', breaks: 'SE-15' },
  'raw-name': { says: 'shows the address of a user as markup', breaks: 'IL-05' },
  host: { says: 'mails links to the host of the request', breaks: 'HH-07' },
  'letter-fixation': { says: 'keeps the session id at a sign-in by mail', breaks: 'SE-01' },
  'letter-log': { says: 'logs mailed links', breaks: 'IL-02' },
  'letter-tag': { says: 'removes the tag of an address that gets a link', breaks: 'SU-02' },
  'letter-cookie': { says: 'sets the session cookie without HttpOnly after a mailed link', breaks: 'CK-01' },
  'letter-csrf': { says: 'does not compare the CSRF token in the form of a mailed link', breaks: 'TX-18' },
  'content-type': { says: 'compares the CSRF token only in forms of the usual type', breaks: 'TX-18' },
  'sid-prefix': { says: 'finds a session by the beginning of its id', breaks: 'SE-26' },
  recipients: { says: 'mails a link to every address of a form', breaks: 'EM-02' },
} as const satisfies Readonly<Record<string, SeededFault>>

export type FaultName = keyof typeof faults
export const faultNames = Object.keys(faults) as FaultName[]

/** Returns the faults with these names. */
export function pickFaults(names: readonly FaultName[]): Readonly<Record<string, SeededFault>> {
  return Object.fromEntries(names.map((name) => [name, faults[name]]))
}
