import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApp, signOut, visitProvider } from '../support/app.ts'
import type { Fault } from '../../fuzz/world/idp/faults.ts'
import { spread } from '../support/spread.ts'
import { sessionCookie, setsCookie } from './expectations.ts'

/** Faults of the provider in its response. */
const faults = {
  none: [],
  'wrong nonce': ['nonce-wrong'],
  'access denied': ['access-denied'],
} satisfies Record<string, Fault[]>
/** Faults when the response is sent to the callback. */
const mishaps = ['none', 'denied', 'unmapped', 'changed state', 'duplicate code'] as const

const seldom = <T extends string>(names: readonly T[]) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constant('none' as const) },
  )
const start = fc.record({
  does: fc.constant('start' as const),
  fault: seldom(Object.keys(faults) as (keyof typeof faults)[]),
})
const present = fc.record({
  does: fc.constant('present' as const),
  back: fc.constantFrom(0, 0, 0, 1, 2),
  mishap: seldom(mishaps),
})
const wait = fc.record({ does: fc.constant('wait' as const), seconds: fc.constantFrom(1, 450, 899, 900) })
const leave = fc.constant({ does: 'leave' as const })
const action = fc.oneof(
  { weight: 4, arbitrary: start },
  { weight: 6, arbitrary: present },
  { weight: 1, arbitrary: wait },
  { weight: 1, arbitrary: leave },
)

/** The latest response for this browser that it has not presented yet. */
interface Pending {
  readonly index: number
  readonly startedAt: number
}

describe('a provider response', () => {
  it('TX-03 TX-04 DEC-12a signs in once, in the browser that started last, within 900 seconds', async () => {
    const cases = spread('responses presented in any order')
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 12 }), async (actions) => {
        let happens: (typeof mishaps)[number] = 'none'
        const app = openApp({
          strategy: 'database',
          provider: {
            checks: ['pkce', 'nonce', 'state'],
            profile(claims) {
              if (happens === 'unmapped') throw new Error('no profile today')
              return { id: String((claims as { sub?: string }).sub) }
            },
          },
          config: { callbacks: { signIn: () => happens !== 'denied' } },
        })
        const agent = app.agent()
        const answers: URLSearchParams[] = []
        let pending: Pending | undefined
        for (const step of actions) {
          if (step.does === 'wait') app.clock.advance(step.seconds)
          if (step.does === 'leave') await signOut(agent)
          if (step.does === 'start') {
            app.idp.misbehave(...faults[step.fault])
            answers.push((await visitProvider(app, agent)).parameters)
            app.idp.misbehave()
            pending = { index: step.fault === 'none' ? answers.length - 1 : -1, startedAt: app.clock.now() }
          }
          const index = step.does === 'present' ? answers.length - 1 - step.back : -1
          const answer = answers[index]
          if (step.does !== 'present' || answer === undefined) continue
          happens = step.mishap
          const presented = new URLSearchParams(answer)
          if (happens === 'changed state') presented.set('state', `${presented.get('state')}x`)
          if (happens === 'duplicate code') presented.append('code', 'another')
          const asked = app.idp.requestsTo('token').length
          const response = await agent.send(`/auth/callback/idp?${presented}`)
          const isIn = setsCookie(response, sessionCookie)
          const isTimely = pending !== undefined && app.clock.now() < pending.startedAt + 900_000
          const isFresh = isTimely && pending?.index === index
          expect(isIn).toBe(isFresh && happens === 'none')
          if (pending === undefined) expect(app.idp.requestsTo('token')).toHaveLength(asked)
          cases.count(isIn ? 'signed in' : (app.ended() ?? ''))
          if (pending === undefined) cases.count('replayed')
          pending = undefined
        }
      }),
      { numRuns: 250 },
    )
    cases.report()
    for (const [label, floor] of [
      ['signed in', 40],
      ['refused', 60],
      ['denied', 1],
      ['failed', 5],
      ['declined', 5],
      ['replayed', 40],
    ] as const)
      cases.atLeast(label, floor)
  }, 60_000)
})
