import { capitalise } from './action.ts'
import { namePasskey, type Names } from './names.ts'
import type { Credentials, Seen } from './observe.ts'
import type { Truth, UserTruth } from './truth.ts'

/** A state, as observed and as the people know it. */
export interface State {
  readonly seen: Seen
  readonly truth: Truth
}

/**
 * Describes the effects of an action, in sentences without a full stop: who is signed in in which browser, and how
 * users can sign in.
 */
export function tellEffects(before: State, after: State, names: Names): string[] {
  const users = Object.keys({ ...before.seen.users, ...after.seen.users })
  return [
    ...tellSessions(before, after),
    ...users.flatMap((id) => {
      const owner = capitalise((after.truth.users[id] ?? before.truth.users[id])?.owner ?? 'nobody')
      const [then, now] = [before.seen.users[id], after.seen.users[id]]
      if (!now) return [`The user of ${owner} is deleted`]
      return [
        ...(then ? [] : [`${owner} becomes a user`]),
        ...tellCredentials(owner, then ?? nothing, now, names),
        ...tellApp(owner, before.truth.users[id], after.truth.users[id], names),
      ]
    }),
  ]
}

function tellSessions(before: State, after: State): string[] {
  return Object.entries(after.seen.who).flatMap(([browser, user]) => {
    const { waits } = after.truth.browsers[browser] ?? {}
    const isHeld = waits !== undefined && waits.id !== before.truth.browsers[browser]?.waits?.id
    const held = isHeld ? [`The sign-in at ${browser} waits for the second factor`] : []
    if (user === before.seen.who[browser]) return held
    const owner = capitalise(after.truth.users[user ?? '']?.owner ?? 'nobody')
    return [
      ...held,
      user === undefined ? `Nobody is signed in at ${browser} now` : `${owner} is signed in at ${browser}`,
    ]
  })
}

const nothing: Credentials = {
  address: null,
  isProven: false,
  password: undefined,
  hasFactor: false,
  accounts: [],
  passkeys: [],
  strayPasskeys: [],
}

function tellCredentials(owner: string, then: Credentials, now: Credentials, names: Names): string[] {
  const gone = (some: readonly string[], others: readonly string[]) =>
    some.filter((each) => !others.includes(each))
  const passkeys = (ids: readonly string[], says: string) =>
    ids.map((id) => `${capitalise(namePasskey(names, id))} ${says}`)
  return [
    ...gone(now.accounts, then.accounts).map((account) => `The account ${account} is linked to ${owner}`),
    ...gone(then.accounts, now.accounts).map((account) => `The account ${account} is unlinked from ${owner}`),
    ...passkeys(gone(now.passkeys, then.passkeys), `signs ${owner} in from now on`),
    ...passkeys(gone(then.passkeys, now.passkeys), 'is removed from the store'),
    ...passkeys(
      gone(now.strayPasskeys, then.strayPasskeys),
      'is still stored, but the account page no longer lists it',
    ),
    ...(then.password === now.password
      ? []
      : [`${owner} has ${now.password === undefined ? 'no' : 'a new'} password`]),
    ...(then.address === now.address || now.address === null
      ? []
      : [`${owner} has the address ${now.address}`]),
    ...(now.isProven && !then.isProven ? [`The address of ${owner} is verified`] : []),
  ]
}

function tellApp(
  owner: string,
  then: UserTruth | undefined,
  now: UserTruth | undefined,
  names: Names,
): string[] {
  const [former, app] = [then?.app, now?.app].map((each) => each && names('app', each.secret))
  if (former === app) return []
  if (app === undefined) return [`${owner} has no second factor now`]
  return [
    former === undefined
      ? `${capitalise(app)} is the second factor of ${owner}`
      : `${capitalise(app)} replaces ${former}`,
  ]
}
