import type { RequirementId } from 'authmachine/spec'
import type { Credentials } from '../observe.ts'
import { hadBefore, listChanges } from './credentials.ts'
import { ownerOf } from './step.ts'
import type { Find, Promises, Step } from './step.ts'

/**
 * Checks that only the user changes the ways in which they sign in, that the demands of the change are met, and that a
 * way to sign in remains.
 */
export function checkCredentials(step: Step, find: Find): void {
  const { before, after, scene, claim, action, promises } = step
  const { truth } = scene
  for (const id of Object.keys(before.seen.users))
    if (!after.users[id] && !claim.byApplication) judgeChanges(step, id, ['the account was deleted'], find)
  for (const [user, now] of Object.entries(after.users)) {
    const then = before.seen.users[user]
    for (const account of now.accounts) {
      const owner = ownerOf(truth, user)
      const isNew = !then?.accounts.includes(account)
      if (isNew && !account.includes(` ${owner}-`))
        find(
          'AL-01',
          `the account ${account} is linked to ${owner}`,
          'an account is linked only to the user of the person who proved it',
        )
    }
    if (!then) continue
    if (countWays(then, promises) > 0 && countWays(now, promises) === 0)
      find(
        'ACP-09',
        `${ownerOf(truth, user)} has lost the last way to sign in`,
        'the last way to sign in stays',
      )
    const isIn = action.in !== undefined && before.truth.browsers[action.in]?.session?.user === user
    const changes = [
      ...listChanges(then, now),
      ...(claim.enrolled && isIn && then.hasFactor ? ['the app was replaced'] : []),
      ...(claim.renewed?.user === user ? ['the recovery codes were renewed'] : []),
    ]
    if (now.strayPasskeys.length > then.strayPasskeys.length)
      find(
        'ACP-17',
        `a passkey of ${ownerOf(truth, user)} is still stored, although the account page no longer lists it`,
        'the passkey that leaves the list is the one that is removed from the store',
      )
    if (claim.requested && isIn) changes.push('another address was requested')
    if (changes.length === 0 || claim.byApplication || !action.in) continue
    judgeChanges(step, user, changes, find)
  }
}

/** Checks that a change to an account is made in a recent session of its user with the second factor. */
function judgeChanges(
  { before, after, scene, claim, action, promises }: Step,
  user: string,
  changes: string[],
  find: Find,
): void {
  const { truth, world } = scene
  if (action.in === undefined) return
  const rule = ruleOf(changes)
  const was = before.truth.users[user]
  const said = `${was?.owner ?? ownerOf(truth, user)}’s account: ${changes.join(', ')}`
  const held = before.truth.browsers[action.in]?.session
  const wasIn = before.seen.who[action.in] === user && held?.user === user
  const isProven = claim.proof && hadBefore(before.seen.users[user], claim.proof)
  const hasCode = claim.code?.isRight === true
  // A person who proved everything may get no session because the server fails.
  const isLost = claim.hasFailed && claim.proof !== undefined
  if (!wasIn && after.who[action.in] !== user && !isLost)
    find('POL-01', `${said}, without a session`, refused)
  if (wasIn && was?.app && !held.hasFactor && !hasCode)
    find(rule, `${said}, by a session without the second factor`, refused)
  const isStale = wasIn && world.clock.now() - held.at > (promises.freshness ?? Infinity) * 1000
  const demandsFresh = changes.some((change) => !/password|^the address/.test(change))
  if (isStale && demandsFresh && !isProven && !hasCode)
    find(rule, `${said}, by a session that is not fresh`, refused)
}

/** The expected result of a change whose demands are not met. */
const refused = 'nothing changes: the user signs in again or enters a code first'

/** Returns the requirement that defines which session may make a change. */
function ruleOf(changes: readonly string[]): RequirementId {
  const rules = [
    [/added|proven/, 'POL-02'],
    [/app was replaced|factor was set/, 'SF-13'],
    [/requested/, 'EC-02'],
    [/address was changed/, 'EC-05'],
    [/password/, 'PW-10'],
  ] as const
  return rules.find(([pattern]) => changes.some((change) => pattern.test(change)))?.[1] ?? 'ACP-13'
}

function countWays(
  { accounts, passkeys, isProven, password }: Credentials,
  { mailsLinks }: Promises,
): number {
  return accounts.length + passkeys.length + (isProven && (mailsLinks || password !== undefined) ? 1 : 0)
}
