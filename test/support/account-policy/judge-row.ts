import { expect } from 'vitest'
import { type ChangeRule, type Ended, ruleOf } from '../../../src/policy/table.ts'
import type { AccountChange } from '../../../src/types/account-notice.ts'
import { sessionOf } from '../app.ts'
import type { Agent } from '../browser-agent.ts'
import { enterCode } from '../second-factor.ts'
import type { Strategy } from './config.ts'
import { type Driver, drivers } from './drivers.ts'
import { authTimeOf, enterWeakly, enterWhole, type Kind, nextCode, type Site } from './site.ts'
import { surround, type Surrounding } from './surroundings.ts'

/** One row of the policy, with one kind of session. */
export interface Row {
  /** As titles of tests name it. */
  readonly name: string
  readonly change: AccountChange
  readonly strategy: Strategy
  readonly user: Kind | undefined
  /** Whether the change is made by a session. That session may be too old or lack the second factor. */
  readonly isJudged: boolean
  /** Whether the change is made by a sign-in. That sign-in may have to wait for the second factor. */
  readonly isHeld: boolean
}

/** Rows that are about the session itself, so no session can be too old or too weak for them. */
const ofSessions: readonly AccountChange[] = ['step-up', 'sign-out', 'end-session', 'end-other-sessions']

const bothStrategies: readonly Strategy[] = ['database', 'jwt-stored']

/** Every row of the policy, with every kind of session. */
export const rows: readonly Row[] = (Object.entries(drivers) as [AccountChange, Driver][]).flatMap(
  ([change, { by, user, strategies = bothStrategies }]) =>
    strategies.map((strategy) => ({
      name: `${change} (${strategy})`,
      change,
      strategy,
      user,
      isJudged: by === 'session' && !ofSessions.includes(change),
      isHeld: by === 'sign-in',
    })),
)

/** What exists before a change is prepared in one process, and the change is made in the other. */
const [changing, preparing] = [0, 1]

/** Tries the change without each demand of its row: nothing happens. */
export async function judgeDemands({ change }: Row, site: Site): Promise<void> {
  const { session, factor } = ruleOf(change).demands
  const driver: Driver = drivers[change]
  site.moveTo(preparing)
  const [weak, strong] = [await enterWeakly(site), await enterWhole(site)]
  await driver.prepare?.(site)
  site.moveTo(changing)
  site.app.events.length = 0
  const refuse = async (agent: Agent, why: string) => {
    await driver.make(site, agent)
    expect(await driver.isMade(site, agent), why).toBe(false)
  }
  if (factor) {
    await refuse(weak, 'the session lacks the second factor')
    // An enrolment is refused by its page already.
    const ended = { 'link-account': 'held', 'enrol-factor': 'refused' }[change as string]
    expect(site.app.ended()).toBe(ended ?? 'challenged')
  }
  site.app.clock.advance(901)
  if (session !== 'any') await refuse(strong, 'the session is stale')
  // Last, because a sign-in may give the address or the account to another user.
  await refuse(site.app.agent(), 'nobody is signed in')
  expect(site.app.errors.filter(({ name }) => name === 'TypeError')).toEqual([])
}

/** Makes the change by a sign-in that lacks the second factor: nothing happens, and nothing ends. */
export async function judgeWaiting({ change }: Row, site: Site): Promise<void> {
  const driver: Driver = drivers[change]
  site.moveTo(preparing)
  const surroundings = await surround(site)
  site.app.events.length = 0
  const before = await snapshot(site)
  site.moveTo(changing)
  const agent = site.app.agent()
  await driver.make(site, agent)
  expect(site.app.ended()).toBe('held')
  expect(await driver.isMade(site, agent)).toBe(false)
  expect(await snapshot(site)).toBe(before)
  site.moveTo(preparing)
  await survey(surroundings, site, () => true)
}

async function snapshot({ app: { store }, id }: Site): Promise<string> {
  const accounts = await store.listAccountsByUserId(id)
  return JSON.stringify([await store.getUser(id), await store.getPassword(id), accounts])
}

/** Makes the change: afterwards, what its row ends fails, and everything else works. */
export async function judgeEnds({ change, strategy }: Row, site: Site): Promise<void> {
  const driver: Driver = drivers[change]
  const rule = ruleOf(change)
  site.moveTo(preparing)
  const agent = await openAgent(change, site)
  const surroundings = await surround(site)
  const before = await authTimeOf(agent)
  site.sent.changes.length = 0
  await driver.prepare?.(site)
  site.moveTo(changing)
  forget(change, site)
  await driver.make(site, agent)
  if (driver.by === 'sign-in') {
    if (change !== 'use-recovery-code') await enterCode(agent, nextCode(site))
    await driver.finish?.(site, agent)
  }
  expect(await driver.isMade(site, agent), 'whether the change is made').toBe(true)
  await checkSession(rule, driver, agent, before)
  judgeTold(change, site, strategy)
  site.moveTo(preparing)
  await survey(surroundings, site, (one) => {
    if (change === 'delete-user') return one.class === 'of another user'
    return one.name !== driver.replaces && !endsClass(rule.ends, one.class)
  })
}

/** A browser in which the change can be made. A step-up needs a session without the second factor. */
export async function openAgent(change: AccountChange, site: Site): Promise<Agent> {
  if (drivers[change].by !== 'session') return site.app.agent()
  return change === 'step-up' ? enterWeakly(site) : enterWhole(site)
}

/** Forgets what was told before the change, except for what its driver counts. */
function forget(change: AccountChange, { app: { events }, sent }: Site): void {
  sent.notices.length = 0
  events.length = 0
  if (change === 'enrol-factor') events.push({ event: 'updateSecondFactor', message: { change: 'enrolled' } })
  if (change === 'end-session') events.push({ event: 'signOut', message: {} })
}

async function checkSession({ authTime }: ChangeRule, { by }: Driver, agent: Agent, before: unknown) {
  const held = await sessionOf(agent)
  if (by !== 'application')
    expect(held === null, 'whether the session is gone').toBe(authTime === 'no session')
  if (by === 'session' && authTime === 'kept') expect(held?.['auth_time'], 'auth_time').toBe(before)
}

function judgeTold(change: AccountChange, { app, sent }: Site, strategy: Strategy): void {
  const { tells } = ruleOf(change)
  // Nobody knows which tokens a revocation ends.
  const isCounted = tells.event !== 'signOut' || strategy === 'database' || change === 'sign-out'
  if (tells.event && isCounted) expect(app.events.map(({ event }) => event)).toContain(tells.event)
  const count = tells.mail === 'both addresses' ? 2 : tells.mail ? 1 : 0
  expect(sent.notices.map((notice) => notice.change)).toEqual(Array.from({ length: count }, () => change))
  expect(new Set(sent.notices.map(({ to }) => to)).size, 'the number of addresses').toBe(count)
}

const endOfClass: Readonly<Record<Surrounding['class'], readonly Ended[]>> = {
  session: ['all sessions', 'other sessions', 'that session', 'sessions that it opened'],
  trust: ['trust'],
  pending: ['pending'],
  'held sign-in': ['pending', 'held sign-ins that it began'],
  'of a feature': ['all sessions', 'other sessions'],
  credential: ['unproven credentials'],
  'of another user': [],
}

export function endsClass(ends: readonly Ended[], kind: Surrounding['class']): boolean {
  return endOfClass[kind].some((each) => ends.includes(each))
}

/** Uses everything that existed before a change. */
async function survey(
  surroundings: readonly Surrounding[],
  { app, id, kind }: Site,
  isSpared: (one: Surrounding) => boolean,
): Promise<void> {
  const isGone = (await app.store.getFactor(id)) === null
  for (const one of surroundings) {
    // Without a second factor, there is nothing to skip.
    if (one.class === 'trust' && isGone) continue
    // The first proof of this user's address ends everything else.
    if (one.proves && kind === 'unproven' && isSpared(one)) continue
    expect(await one.works(), `whether ${one.name} works`).toBe(isSpared(one))
  }
}
