import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createHandler } from '../../src/handler/create-handler.ts'
import type { Hop } from '../../src/flows/engine/run.ts'
import type { ReplaceFlow } from '../../src/flows/engine/flow.ts'
import { tracer as tracerKey } from '../../src/types/symbols.ts'
import type { BegunRun, TracedCookies, TracedEnd, Tracer } from '../../src/types/trace.ts'
import { openApp, origin, signIn } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'

/** A tracer, and the calls that it received from the handler. */
function trace() {
  const ends: TracedEnd[] = []
  const begun: { run: BegunRun; received: () => TracedCookies }[] = []
  const tracer: Tracer = {
    find: () => undefined,
    begin(run, received) {
      begun.push({ run, received })
      return { id: undefined, hop() {}, end: (end) => void ends.push(end) }
    },
  }
  return { tracer, ends, begun }
}

/** Flows whose outcomes throw. */
const broken: ReplaceFlow = (flow) => {
  const answer = () => {
    throw new TypeError('The outcome is broken.')
  }
  const outcomes = Object.entries(flow.outcomes).map(([state, each]) => [state, { ...each, answer }])
  return { ...flow, outcomes: Object.fromEntries(outcomes) }
}

/** Throws when a session is shown. */
const breakHop = ({ next }: Hop) => {
  if (next === 'presented') throw new TypeError('The observer is broken.')
}

describe('the trace of a run', () => {
  // A JWT session is read at once, and a database session is not.
  it.each([
    ['the run throws', 'jwt', createHandler(undefined, breakHop)],
    ['the outcome throws', 'jwt', createHandler(broken)],
    ['the run rejects', 'database', createHandler(undefined, breakHop)],
    ['the outcome rejects', 'database', createHandler(broken)],
  ] as const)('EMB-027 ends once, as a fault, if %s', async (_, strategy, handler) => {
    const { tracer, ends } = trace()
    const app = openApp({ strategy })
    const agent = openAgent(origin, createAuth(app.config).handler)
    await signIn(app, agent)
    const cookie = Object.entries(agent.cookies())
      .map((pair) => pair.join('='))
      .join('; ')
    const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
    expect(await handler(request, { ...app.config, [tracerKey]: tracer })).toMatchObject({ status: 500 })
    expect(ends).toMatchObject([{ ending: 'fault', error: { name: 'TypeError' } }])
  })

  it('EMB-027 ends with the kind of the final state', async () => {
    const { tracer, ends, begun } = trace()
    const app = openApp({ config: { [tracerKey]: tracer } })
    const agent = openAgent(origin, createAuth(app.config).handler)
    await signIn(app, agent)
    await agent.send('/auth/callback/idp?state=forged')
    expect(begun.map(({ run }) => run.flow)).toEqual(['sign-in', 'callback', 'callback'])
    expect(ends.map(({ ending, error }) => [ending, error?.name])).toEqual([
      ['success', undefined],
      ['success', undefined],
      ['refusal', 'InvalidCheck'],
    ])
  })

  it('lists the cookies of the request and of the response when the tracer needs them', async () => {
    const { tracer, ends, begun } = trace()
    const app = openApp({ config: { [tracerKey]: tracer } })
    const agent = openAgent(origin, createAuth(app.config).handler)
    await signIn(app, agent)
    expect([...(begun[0]?.received().keys() ?? [])]).toContain('csrfToken')
    expect([...(ends[1]?.sent().keys() ?? [])]).toContain('sessionToken')
  })
})
