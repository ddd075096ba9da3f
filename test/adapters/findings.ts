import type { Finding } from './judge.ts'

/**
 * Known differences between published adapters and the contract, by package. Rules whose violation could be used
 * against a site are not run on third-party adapters here (SECURITY.md).
 */
export const findings: Readonly<Record<string, readonly Finding[]>> = {
  '@auth/pg-adapter': [
    {
      rule: 'user ids are unique strings',
      failure: 'id: expected text, but got a number',
      reason: 'ids are integers from a database sequence',
    },
    {
      rule: 'updateUser changes the given members, and ignores undefined ones',
      failure: 'updateUser, name: expected "Ada", but got null',
      reason: 'an undefined member is written as null',
    },
    {
      rule: 'deleteUser does not throw for an unknown user, and frees the deleted address',
      failure: 'invalid input syntax for type integer',
      reason: 'a non-numeric id throws',
    },
  ],
  '@auth/kysely-adapter': [
    {
      rule: 'getUser returns null for an unknown id',
      failure: 'invalid input syntax for type uuid',
      reason: 'an id that is not a UUID throws',
    },
    {
      rule: 'updateUser changes the given members, and ignores undefined ones',
      failure: 'updateUser: expected a result, but it threw',
      reason: 'an update without changes throws',
    },
    {
      rule: 'updateSession returns nothing for a deleted session, and creates none',
      failure: 'updateSession: expected a result, but it threw Error: no result',
      reason: 'updating a deleted session throws',
    },
  ],
  '@auth/drizzle-adapter': [
    {
      rule: 'an account keeps its authorization_details',
      failure: 'but got undefined',
      reason: 'the table has no such column, so the value is dropped',
    },
  ],
  '@auth/unstorage-adapter': [
    {
      rule: 'updateUser changes the given members, and ignores undefined ones',
      failure: 'updateUser, name: expected "Ada", but got undefined',
      reason: 'an undefined member overwrites the stored value',
    },
    {
      rule: 'deleteUser does not throw for an unknown user, and frees the deleted address',
      failure: 'Invalid key',
      reason: 'deleting a user without a session throws',
    },
    {
      rule: 'updateSession changes the given members, even to an earlier time',
      failure: 'updateSession, userId: expected',
      reason: 'an undefined member overwrites the stored value',
    },
  ],
}
