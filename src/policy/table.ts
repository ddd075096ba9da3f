import type { AccountChange } from '../types/account-notice.ts'
import type { EventCallbacks } from '../types/callbacks.ts'

/** The classes of things that end when an account changes. `kept.ts` lists the stored values of each class. */
export type Ended =
  | 'this session'
  | 'that session'
  | 'other sessions'
  | 'all sessions'
  | 'sessions that it opened'
  | 'held sign-in of this browser'
  | 'held sign-ins that it began'
  | 'trust'
  | 'pending'
  | 'unproven credentials'

/** One change to an account: its requirements, the classes that it ends, and who is notified. */
export interface ChangeRule {
  /** The name of the change in the guides. */
  readonly name: string
  readonly demands: {
    /**
     * The session that makes the change. `fresh`: the user authenticated in the last 15 minutes. `fresh where
     * recorded`: the same, but a session without this time suffices: it began before the site recorded the time, or the
     * site does not record it.
     */
    readonly session?: 'any' | 'fresh' | 'fresh where recorded'
    /** The second factor, if the user has one. It is required at the time of the change, not only at the sign-in. */
    readonly factor?: true
    readonly also?: string
  }
  readonly ends: readonly Ended[]
  /** The effect on the time of the last authentication. Only authenticating again renews it. */
  readonly authTime: 'renewed' | 'kept' | 'no session'
  /** The event, and who gets a mail if the site configures `sendNotice`. */
  readonly tells: { readonly event?: keyof EventCallbacks; readonly mail?: 'address' | 'both addresses' }
  readonly source: string
}

/**
 * A recent sign-in with the second factor, for changes that an attacker at an unlocked browser could use to keep
 * access.
 */
export const fresh = { session: 'fresh', factor: true } as const
const freshWhereRecorded = { session: 'fresh where recorded', factor: true } as const
const everythingElse = ['other sessions', 'trust', 'pending'] as const
const everything = ['all sessions', 'trust', 'pending'] as const

/**
 * The policy for changes to an account. Each change is judged by `checkChange` or by the second factor of its sign-in, then
 * `endKept` ends the classes of the row, the change is made, `tell` reports it, and `endKept` ends them again. No flow
 * states another rule.
 */
export const policy = {
  'sign-in': {
    name: 'sign in',
    demands: { factor: true },
    ends: ['this session'],
    authTime: 'renewed',
    tells: { event: 'signIn' },
    source: 'ASVS 6.3.3; ASVS 7.2.4',
  },
  'first-proof': {
    name: 'first proof of an address',
    demands: { factor: true, also: 'proof of the address' },
    ends: [...everything, 'unproven credentials'],
    authTime: 'renewed',
    tells: { event: 'updateUser' },
    source: 'ASVS 6.4.3; ASVS 6.8.1',
  },
  'add-address': {
    name: 'add a first address (passkey user)',
    demands: { ...freshWhereRecorded, also: 'proof of the address' },
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'updateUser' },
    source: 'ASVS 7.5.1',
  },
  'request-address': {
    name: 'request another address',
    demands: fresh,
    ends: [],
    authTime: 'kept',
    tells: {},
    source: 'ASVS 7.5.1',
  },
  'confirm-address': {
    name: 'confirm another address',
    demands: {
      session: 'any',
      factor: true,
      also: 'proof of the new address, requested in a fresh session',
    },
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'updateUser', mail: 'both addresses' },
    source: 'ASVS 7.4.3; ASVS 7.5.1; ASVS 6.3.7; NIST SP 800-63B-4 §4.6',
  },
  'link-account': {
    name: 'link a provider account',
    demands: { ...freshWhereRecorded, also: 'proof of the account' },
    ends: [],
    authTime: 'kept',
    tells: { event: 'linkAccount', mail: 'address' },
    source: 'ASVS 7.5.1; ASVS 6.8.4; ASVS 6.3.7; OIDC Core §2',
  },
  'link-by-address': {
    name: 'link a provider account by its address',
    demands: { factor: true, also: 'verified address' },
    ends: [],
    authTime: 'renewed',
    tells: { event: 'linkAccount', mail: 'address' },
    source: 'ASVS 6.3.4; ASVS 6.8.1',
  },
  unlink: {
    name: 'unlink an account, remove a passkey',
    demands: { ...fresh, also: 'another way to sign in remains' },
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'unlinkAccount', mail: 'address' },
    source: 'ASVS 7.4.3; ASVS 7.5.1',
  },
  'add-passkey': {
    name: 'add a passkey',
    demands: freshWhereRecorded,
    ends: [],
    authTime: 'kept',
    tells: { event: 'linkAccount', mail: 'address' },
    source: 'ASVS 7.5.1; ASVS 6.3.7; NIST SP 800-63B-4 §4.1; NIST SP 800-63B-4 §4.6',
  },
  'reset-password': {
    name: 'reset or first set the password',
    demands: { factor: true, also: 'link to the proven address' },
    ends: everything,
    authTime: 'renewed',
    tells: { event: 'updatePassword', mail: 'address' },
    source: 'ASVS 6.4.3; ASVS 7.4.3; ASVS 6.3.7; NIST SP 800-63B-4 §4.2',
  },
  'change-password': {
    name: 'change the password',
    demands: { session: 'any', factor: true, also: 'current password' },
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'updatePassword', mail: 'address' },
    source: 'ASVS 6.2.3; ASVS 7.4.3; ASVS 6.3.7',
  },
  'enrol-factor': {
    name: 'enrol or replace the second factor',
    demands: fresh,
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'updateSecondFactor', mail: 'address' },
    source: 'ASVS 7.4.3; ASVS 7.5.1; ASVS 6.3.7; NIST SP 800-63B-4 §4.1',
  },
  'renew-recovery-codes': {
    name: 'renew recovery codes',
    demands: fresh,
    ends: [],
    authTime: 'kept',
    tells: { event: 'updateSecondFactor', mail: 'address' },
    source: 'ASVS 7.5.1',
  },
  'remove-factor': {
    name: 'remove the second factor',
    demands: fresh,
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'updateSecondFactor', mail: 'address' },
    source: 'ASVS 7.4.3; ASVS 7.5.1; ASVS 6.3.7',
  },
  'application-removes-factor': {
    name: '`removeSecondFactor(userId)`',
    demands: { also: 'your application' },
    ends: everything,
    authTime: 'no session',
    tells: { event: 'updateSecondFactor', mail: 'address' },
    source: 'ASVS 7.4.3; ASVS 6.3.7',
  },
  'use-recovery-code': {
    name: 'use a recovery code',
    demands: { also: 'first factor' },
    ends: [],
    authTime: 'renewed',
    tells: { event: 'updateSecondFactor', mail: 'address' },
    source: 'NIST SP 800-63B-4 §4.2; NIST SP 800-63B-4 §4.6',
  },
  'step-up': {
    name: 'step up',
    demands: { session: 'any', factor: true },
    ends: ['this session'],
    authTime: 'renewed',
    tells: {},
    source: 'RFC 9470 §3; ASVS 7.2.4',
  },
  'end-session': {
    name: 'end one session',
    demands: { session: 'any' },
    ends: ['that session'],
    authTime: 'kept',
    tells: { event: 'signOut' },
    source: 'ASVS 7.5.2; docs/decisions/0039-the-account-page-changes-one-thing-at-a-time.md',
  },
  'end-other-sessions': {
    name: 'end the other sessions',
    demands: { session: 'any' },
    ends: everythingElse,
    authTime: 'kept',
    tells: { event: 'signOut' },
    source: 'ASVS 7.4.5; ASVS 7.5.2',
  },
  'revoke-sessions': {
    name: '`revokeSessions(userId, { except })`',
    demands: { also: 'your application' },
    ends: everything,
    authTime: 'kept',
    tells: { event: 'signOut' },
    source: 'ASVS 7.4.5',
  },
  'sign-out': {
    name: 'sign out',
    demands: {},
    ends: ['this session', 'held sign-in of this browser'],
    authTime: 'no session',
    tells: { event: 'signOut' },
    source: 'ASVS 7.4.1',
  },
  'provider-logout': {
    name: 'logout at the provider',
    demands: { also: 'logout token' },
    ends: ['sessions that it opened', 'held sign-ins that it began'],
    authTime: 'no session',
    tells: { event: 'signOut' },
    source: 'OIDC Back-Channel Logout 1.0 §2.7',
  },
  'delete-user': {
    name: 'delete the user',
    demands: { ...fresh, also: 'typed address' },
    ends: everything,
    authTime: 'no session',
    tells: { event: 'deleteUser', mail: 'address' },
    source: 'ASVS 7.4.2',
  },
} as const satisfies Readonly<Record<AccountChange, ChangeRule>>

/** Returns the rule of a change, with the general type. */
export function ruleOf(change: AccountChange): ChangeRule {
  return policy[change]
}
