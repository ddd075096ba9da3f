import type { Requirement } from './requirement.ts'

/** Session management: what a user, or an administrator, can see and end outside of a sign-out. */
export const sessionManagement = [
  {
    id: 'OPT-040',
    level: 'must',
    says: 'listSessions returns the live database sessions of a user, sorted by expiry, latest first. Each has expires, an id, whether it is the session of a given request, its description if there is one (ACP-01), and nothing else of its row. The id is the SHA-256 hash of the session token in hex.',
    source: 'ASVS 7.5.2; IL-06; docs/decisions/0029-a-listed-session-has-an-id-and-no-token.md',
    status: 'decided',
    why: 'A page that shows the sessions must not contain a value that signs in.',
  },
  {
    id: 'OPT-041',
    level: 'must',
    says: 'revokeSession ends the session of the given user that has the given id, and returns whether there was a live one. The id of a session of another user ends nothing.',
    source: 'ASVS 7.5.2; docs/decisions/0029-a-listed-session-has-an-id-and-no-token.md',
    status: 'decided',
    why: 'The id comes from a form, which the browser can change.',
  },
  {
    id: 'OPT-042',
    level: 'must',
    says: 'revokeSessions ends all sessions of the given user, but none of other users, and returns how many were live. With except, it keeps the session of that request if it belongs to the user. If the adapter cannot remove one session, the others still end, and it rejects.',
    source: 'ASVS 7.4.3, 7.5.2; docs/decisions/0029-a-listed-session-has-an-id-and-no-token.md',
    status: 'decided',
    why: 'A user who suspects an intruder must be able to get rid of every session but the one in use.',
  },
  {
    id: 'OPT-043',
    level: 'must',
    says: 'deleteUser removes the user with accounts, sessions and passkeys, with either session strategy, and does nothing for an unknown user.',
    source: 'ASVS 7.4.2; ADP-008',
    status: 'decided',
    why: 'An application needs it for "delete my account", and the rows belong to the library.',
  },
  {
    id: 'OPT-044',
    level: 'must',
    says: 'Each live session that revokeSession, revokeSessions or deleteUser ends calls the event signOut with its row, after it was removed. A session that was not removed, or had expired, calls none.',
    source: 'EVT-010; CB-05; docs/decisions/0029-a-listed-session-has-an-id-and-no-token.md',
    status: 'decided',
    why: 'An audit log must not miss sessions that end without a sign-out.',
  },
  {
    id: 'OPT-045',
    level: 'must',
    says: 'Without an adapter, without database sessions or without an operation of the adapter, these methods reject with MissingAdapter, UnsupportedStrategy or MissingAdapterMethods, whose messages name the method and what it needs. If the user id is missing or empty, they reject with a TypeError. In none of these cases do they call the adapter.',
    source: 'ADP-002; FI-04',
    status: 'decided',
    why: 'Some adapters read an undefined id as no condition, and would return or remove the rows of all users.',
  },
  {
    id: 'OPT-046',
    level: 'must',
    says: 'The optional operation listSessionsByUserId returns the sessions of a user as they are stored, and none for an unknown user. Expired ones may be missing. The methods reject if it returns a session of another user.',
    source: 'ADP-001; docs/decisions/0029-a-listed-session-has-an-id-and-no-token.md',
    status: 'decided',
    why: 'No operation of the interface finds sessions by their user.',
  },
] as const satisfies readonly Requirement[]
