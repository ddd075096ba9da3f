import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { Rows } from '../../world/store.ts'
import type { World } from '../../world/world.ts'
import {
  prepareSignIn,
  everySignInMethod,
  orElse,
  signInMethods,
  type SignInMethod,
} from './sign-in-methods.ts'
import { sessionOf, update } from './sessions.ts'

/** Actions of a user, in order. */
export const actions = fc.array(fc.constantFrom(...signInMethods, 'read', 'update', 'sign out'), {
  minLength: 1,
  maxLength: 5,
})
export type Action = SignInMethod | 'read' | 'update' | 'sign out'
export const names = ['createUser', 'updateUser', 'linkAccount', 'signIn', 'signOut', 'session'] as const
export type EventName = (typeof names)[number]

/** An event, and the state of the store when it was emitted. */
export interface Emitted {
  readonly event: EventName
  readonly message: unknown
  readonly rows: Rows
}

/** An application that records each of its events; `throwIn` may throw in its handlers. */
export async function openListening(
  base: World,
  strategy: 'jwt' | 'database',
  config: Readonly<Record<string, unknown>> = {},
  throwIn: (event: EventName) => unknown = () => undefined,
): Promise<{ readonly world: World; readonly emitted: Emitted[] }> {
  const emitted: Emitted[] = []
  const record = (event: EventName) => (message: unknown) => {
    emitted.push({ event, message, rows: structuredClone(opened.world.rows) })
    return throwIn(event)
  }
  const events = Object.fromEntries(names.map((event) => [event, record(event)]))
  const opened = {
    world: await base.another(everySignInMethod(strategy, base, { ...config, events }), 'own'),
    emitted,
  }
  return opened
}

/** Runs a user action up to its last request. */
export async function prepare(world: World, browser: Browser, action: Action): Promise<() => Promise<Reply>> {
  if (action === 'read') return () => browser.readSession()
  if (action === 'update') return () => update(world, browser, 'news')
  if (action !== 'sign out') return prepareSignIn(world, browser, orElse(world, action))
  const csrfToken = await browser.csrfToken()
  return () => browser.send(`${world.basePath}/signout`, { form: { csrfToken } })
}

/** Returns whether the change that the event reports is in the store at that moment. */
export function isDone({ event, message, rows }: Emitted, before: Rows, strategy: string): boolean {
  const id = member(message, 'user', 'id')
  const { users, accounts, sessions } = rows
  switch (event) {
    case 'createUser':
      return users.some((user) => user.id === id)
    case 'updateUser':
      return users.some((user) => user.id === id && user.emailVerified !== null)
    case 'linkAccount':
      return accounts.some(
        ({ provider, providerAccountId }) =>
          provider === member(message, 'account', 'provider') &&
          providerAccountId === member(message, 'account', 'providerAccountId'),
      )
    case 'signIn':
      return strategy === 'jwt' || sessions.some(({ userId }) => userId === id)
    case 'signOut':
      return strategy === 'jwt' || sessions.length < before.sessions.length
    case 'session':
      return true
  }
}

export const times = (emitted: readonly Emitted[], event: EventName) =>
  emitted.filter((each) => each.event === event).length

/** Checks that each event was emitted once, in order, after the change it reports. */
export function checkEvents(
  world: World,
  emitted: readonly Emitted[],
  at: {
    readonly before: Rows
    readonly what: string
    readonly held: boolean
    readonly action: Action
    readonly went: boolean
  },
): void {
  const { before, what, action, held, went } = at
  const order = emitted.map(({ event }) => event)
  const said = order.join(', ') || 'nothing'
  const early = emitted.find((each) => !isDone(each, before, world.strategy))
  world.check('CB-05', early === undefined, `${what}, emits ${early?.event ?? ''} before the change`)
  const isNew = <T>(rows: readonly T[], old: readonly T[], key: (row: T) => string) =>
    rows.filter((row) => !old.some((each) => key(each) === key(row))).length
  const made = {
    createUser: isNew(world.rows.users, before.users, ({ id }) => id),
    linkAccount: isNew(
      world.rows.accounts,
      before.accounts,
      (row) => `${row.provider} ${row.providerAccountId}`,
    ),
  }
  for (const event of ['createUser', 'linkAccount'] as const) {
    const count = times(emitted, event)
    // A failed flow may emit an event for a change that it then undid.
    const fits = went ? count === made[event] : count >= made[event] || count === 0
    world.check(
      'CB-05',
      fits && count <= 1,
      `${what}, makes ${made[event]} and emits ${event} ${count} times`,
    )
  }
  const places = order.map((event) => names.indexOf(event))
  world.check(
    'CB-05',
    places.every((place, n) => n === 0 || place >= (places[n - 1] ?? 0)),
    `${what}, emits ${said}`,
  )
  const isEntry = action !== 'read' && action !== 'update' && action !== 'sign out'
  const wanted: Partial<Record<EventName, number>> = {
    signIn: isEntry && went ? 1 : 0,
    signOut: action === 'sign out' && held && went ? 1 : 0,
    session: (action === 'read' || action === 'update') && held && went ? 1 : 0,
  }
  for (const [event, count] of Object.entries(wanted))
    world.check(
      'CB-05',
      times(emitted, event as EventName) === count,
      `${what}, emits ${said}, with ${event} expected ${count} times`,
    )
  world.check('CB-05', times(emitted, 'updateUser') <= 1, `${what}, emits ${said}`)
}

export const hasSession = (browser: Browser) => Object.keys(sessionOf(browser.cookies())).length > 0
export const needs = ['setup', 'hooks', 'store'] as const
