import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '../../src/types/adapter.ts'
import { openApp, signIn, type App, type AppOptions } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { claimsOf, heldSession, sentCookies, sessionCookie } from '../support/session-cookie.ts'
import { spread } from '../support/spread.ts'

type Delay = <T>(answer: T) => Promise<T>

/** A store in which every result waits for its turn. */
function delayed(store: Adapter, delay: Delay): Adapter {
  const later =
    (run: (...args: never[]) => unknown) =>
    async (...args: never[]) =>
      delay(await run(...args))
  const operations: Record<string, (...args: never[]) => unknown> = { ...store }
  return Object.fromEntries(Object.entries(operations).map(([name, run]) => [name, later(run)]))
}

const requests = ['read', 'update', 'csrf'] as const

/**
 * Ada and Bob are signed in, each in a browser. From then on, store results arrive in the order that `turn` chooses.
 */
async function openPair(strategy: AppOptions['strategy'], turn: { delay: Delay }) {
  const delay: Delay = (answer) => turn.delay(answer)
  const app = openApp({
    strategy,
    wrap: (store) => delayed(store, delay),
    config: {
      session: { updateAge: 0 },
      callbacks: {
        jwt: ({ token, session }) => delay(session ? { ...token, note: session } : token),
        session: ({ session, token, newSession }) => delay({ ...session, note: newSession ?? token?.note }),
      },
    },
  })
  const agents: Agent[] = []
  for (const sub of ['ada', 'bob']) {
    const agent = app.agent()
    app.idp.choose(sub)
    await signIn(app, agent)
    agents.push(agent)
  }
  return { app, agents }
}

/** Whose data a response contains: its body, and its session cookie. */
async function ownersOf(
  app: App,
  response: Response,
  rowOwners: ReadonlyMap<string, string>,
): Promise<string[]> {
  const owners: string[] = [...((await response.text()).match(/\b(?:ada|bob)\b/gi) ?? [])]
  for (const { key, value } of sentCookies(response)) {
    if (key !== sessionCookie) continue
    owners.push(rowOwners.get(value) ?? String((await claimsOf(app, value)).name))
  }
  return owners.map((owner) => owner.toLowerCase())
}

describe('two browsers at once', () => {
  it("SE-20 never receive each other's data, for any order of store results", async () => {
    const count = spread('two browsers')
    const plan = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(...requests)), {
      minLength: 2,
      maxLength: 10,
    })
    const strategies = fc.constantFrom('jwt', 'database', 'jwt-stored')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), strategies, plan, async (scheduler, strategy, steps) => {
        const turn: { delay: Delay } = { delay: async (answer) => answer }
        const { app, agents } = await openPair(strategy, turn)
        const names = ['ada', 'bob']
        const rows = new Map(agents.map((agent, index) => [heldSession(agent), names[index] ?? '']))
        const tokens = await Promise.all(
          agents.map(async (agent) => {
            const { csrfToken }: { csrfToken: string } = await (await agent.send('/auth/csrf')).json()
            return csrfToken
          }),
        )
        turn.delay = (answer) => scheduler.schedule(Promise.resolve(answer))
        const answers = steps.map(async ([index, request]) => {
          const name = names[index] ?? ''
          const json = { csrfToken: tokens[index], data: `by ${name}` }
          const path = request === 'csrf' ? '/auth/csrf' : '/auth/session'
          const response = await agents[index]?.send(path, request === 'update' ? { json } : {})
          return { name, request, token: tokens[index], response: response ?? Response.error() }
        })
        for (const { name, request, token, response } of await scheduler.waitFor(Promise.all(answers))) {
          count.count(`${request} under ${strategy}`)
          expect(response.status).toBe(200)
          if (request === 'csrf') {
            expect(await response.json()).toEqual({ csrfToken: token })
            continue
          }
          const owners = await ownersOf(app, response, rows)
          expect(new Set(owners)).toEqual(new Set([name]))
          if (request === 'update') expect(owners.length).toBeGreaterThan(2)
        }
      }),
      { numRuns: 60 },
    )
    for (const strategy of ['jwt', 'database', 'jwt-stored'])
      for (const request of requests) count.atLeast(`${request} under ${strategy}`, 10)
    count.report()
  }, 60_000)
})
