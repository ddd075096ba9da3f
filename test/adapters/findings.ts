import type { Finding } from './judge.ts'

/**
 * Where published adapters differ from the contract, by package. Only plain differences are listed and judged: a rule
 * whose breach could be used against a site is not run here against the work of others (SECURITY.md).
 */
export const findings: Readonly<Record<string, readonly Finding[]>> = {
  '@auth/pg-adapter': [
    {
      rule: 'ids of users are text, and no two are the same',
      came: 'id: expected text, but got a number',
      reason: 'ids are numbers, counted by the database',
    },
    {
      rule: 'updateUser changes what is given, and an undefined member is not given',
      came: 'updateUser, name: expected "Ada", but got null',
      reason: 'an undefined member is written as null',
    },
    {
      rule: 'deleteUser of an unknown user is quiet, and a deleted address may be taken again',
      came: 'invalid input syntax for type integer',
      reason: 'an id that is no number throws',
    },
  ],
  '@auth/kysely-adapter': [
    {
      rule: 'getUser answers null for an unknown id',
      came: 'invalid input syntax for type uuid',
      reason: 'an id that is no UUID throws',
    },
    {
      rule: 'updateUser changes what is given, and an undefined member is not given',
      came: 'updateUser: expected an answer, but it threw',
      reason: 'an update of nothing throws',
    },
    {
      rule: 'updateSession answers nothing for a session that is gone, and makes none',
      came: 'updateSession: expected an answer, but it threw Error: no result',
      reason: 'updating a session that is gone throws',
    },
  ],
  '@auth/drizzle-adapter': [
    {
      rule: 'an account keeps its authorization_details',
      came: 'but got undefined',
      reason: 'there is no column for it, and it is left out',
    },
  ],
  '@auth/unstorage-adapter': [
    {
      rule: 'updateUser changes what is given, and an undefined member is not given',
      came: 'updateUser, name: expected "Ada", but got undefined',
      reason: 'an undefined member replaces what was there',
    },
    {
      rule: 'deleteUser of an unknown user is quiet, and a deleted address may be taken again',
      came: 'Invalid key',
      reason: 'deleting a user who has no session throws',
    },
    {
      rule: 'updateSession changes what is given, also to an earlier time',
      came: 'updateSession, userId: expected',
      reason: 'an undefined member replaces what was there',
    },
  ],
}
