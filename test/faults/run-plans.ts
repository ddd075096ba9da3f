import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import { isPlaceholder } from '../../src/text/placeholder-address.ts'
import { setsCookie } from '../flows/expectations.ts'
import { heldSession, sessionCookie } from '../support/session-cookie.ts'
import type { Fault } from '../../fuzz/world/fault-plan.ts'
import type { Spread } from '../support/spread.ts'
import {
  acts,
  expectSound,
  openStage,
  strategies,
  succeeds,
  userOf,
  type Act,
  type Stage,
  type Staged,
  type Strategy,
} from './acts.ts'

/** One request during which one call failed. */
export interface Faulty {
  readonly stage: Stage
  readonly staged: Staged
  readonly act: Act
  readonly strategy: Strategy
  readonly call: string
  readonly fault: Fault
  /** For messages. */
  readonly what: string
  readonly response: Response
  /** The session cookie before the request. */
  readonly held: string
  /** The time by which the clock was advanced until the response. */
  readonly seconds: number
}

/** Records the calls that an act makes on a plane when nothing fails. */
async function callsOf(act: Act, strategy: Strategy, plane: string) {
  const stage = openStage(strategy)
  const { go, again } = await act.prepare(stage)
  stage.plan.arm(plane)
  expect(succeeds(act, await go()), `${act.name}, ${strategy}`).toBe(true)
  const calls = [...stage.plan.calls]
  stage.plan.arm('none')
  expect(await userOf(await again()), `${act.name}, ${strategy}`).toBe('ada@example.com')
  return calls
}

/** Seconds. A step may take thirty, and its clean-up another thirty. */
const patience = 62

/**
 * Sends a request during which one call fails, and advances the clock if the call hangs. Every request gets one
 * response.
 */
async function send({ app, plan }: Stage, { go }: Staged, fault: Fault): Promise<Response> {
  const answer = go()
  if (fault.hangs) {
    await Promise.race([plan.hung(), answer])
    const state = { isAnswered: false }
    const done = () => void (state.isAnswered = true)
    answer.then(done, done)
    for (let second = 0; second < patience && !state.isAnswered; second++) {
      app.clock.advance(1)
      await nextTurn()
    }
  }
  const response = await answer
  plan.end()
  return response
}

/** Runs every plan of a plane: each call of each act, with each fault. */
export async function runPlans(
  plane: string,
  faults: readonly Fault[],
  cases: Spread,
  check: (faulty: Faulty) => Promise<void>,
): Promise<void> {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    for (const strategy of strategies)
      for (const act of acts) {
        const calls = await callsOf(act, strategy, plane)
        for (const [k, call] of calls.entries())
          for (const fault of faults) {
            const stage = openStage(strategy)
            const staged = await act.prepare(stage)
            const held = heldSession(staged.agent)
            stage.app.events.length = 0
            stage.plan.arm(plane, k, fault)
            const begin = stage.app.clock.now()
            const response = await send(stage, staged, fault)
            const seconds = (stage.app.clock.now() - begin) / 1000
            expect(stage.plan.calls[k]).toBe(call)
            stage.plan.arm('none')
            const what = `${act.name}, ${strategy}: ${call} ${fault.name}`
            await check({ stage, staged, act, strategy, call, fault, what, response, held, seconds })
            cases.count(fault.name)
          }
      }
    await nextTurn()
  } finally {
    process.off('unhandledRejection', note)
  }
  expect(unhandled).toEqual([])
}

/** The fault is visible: no success, no new session and no signIn event. An existing session stays. */
export async function expectFailure({ act, stage, staged, response, held, what }: Faulty): Promise<void> {
  expect(succeeds(act, response), what).toBe(false)
  // An extension of the existing session reaches the browser even if a later call fails.
  if (act.kind !== 'reads') expect(setsCookie(response, sessionCookie), what).toBe(false)
  expect(
    stage.app.events.map(({ event }) => event),
    what,
  ).not.toContain('signIn')
  if (act.kind === 'leaves') return
  expect(heldSession(staged.agent), what).toBe(held)
  expect(await userOf(staged.agent), what).toBe(held === '' ? null : 'ada@example.com')
}

/** The rows are consistent, and the same user can sign in. */
export async function expectRepaired({ stage, staged, act, what }: Faulty): Promise<void> {
  expectSound(stage, what)
  // The library waits five seconds before it contacts a failed provider again.
  stage.app.clock.advance(5)
  expect(await userOf(await staged.again()), what).toBe('ada@example.com')
  expectSound(stage, what)
  const users = stage.app.rows.users().map(({ name, email }) => (isPlaceholder(email) ? name : email))
  expect(
    users.filter((email) => email !== act.besides),
    what,
  ).toEqual(['ada@example.com'])
}
