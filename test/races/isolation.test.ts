import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { platform } from '../../src/types/symbols.ts'
import type { OAuthConfig } from '../../src/types/provider.ts'
import { locationOf } from '../flows/expectations.ts'
import { csrfOf, openApp, sessionOf, signIn, signOut, visitProvider, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { openRace, type Race } from '../../fuzz/world/race.ts'
import { openRaceApp } from '../support/scheduled.ts'
import { heldSession, plant } from '../support/session-cookie.ts'
import { spread } from '../support/spread.ts'

vi.setConfig({ testTimeout: 60_000 })

const acts = ['sign in', 'sign in as another', 'read', 'sign out', 'update'] as const
type Act = (typeof acts)[number]

/** Two sites that share only the process and the name of their provider. */
const sites = [
  {
    strategy: 'jwt-stored',
    config: {},
    idp: { users: [{ sub: 'ada', claims: { name: 'Ada' } }, { sub: 'amy' }] },
  },
  {
    strategy: 'jwt',
    config: { secret: 'the secret of another site that is long enough', session: { maxAge: 500 } },
    idp: { users: [{ sub: 'bob', claims: { name: 'Bob' } }, { sub: 'ben' }] },
  },
] as const
const others = ['amy', 'ben']

function openSite(race: Race | undefined, n: number): App {
  const site = sites[n === 0 ? 0 : 1]
  return race ? openRaceApp(race, site) : openApp(site)
}

/** The responses to a browser, without random parts. */
async function perform(app: App, agent: Agent, act: Act, n: number): Promise<string> {
  app.idp.choose(act === 'sign in as another' ? (others[n] ?? '') : (['ada', 'bob'][n] ?? ''))
  if (act === 'read') return JSON.stringify(await sessionOf(agent))
  const response =
    act === 'sign out'
      ? await signOut(agent)
      : act === 'update'
        ? await update(agent)
        : await signIn(app, agent)
  const location = response.status === 302 ? locationOf(response).href : await response.clone().text()
  const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '='))
  return [act, response.status, location, ...cookies].join('\n')
}

async function update(agent: Agent): Promise<Response> {
  return agent.send('/auth/session', { json: { csrfToken: await csrfOf(agent), data: 1 } })
}

/** The visit of a site, one act at a time. */
async function visit(app: App, agent: Agent, plan: readonly Act[], n: number): Promise<string[]> {
  const received: string[] = []
  for (const act of plan) received.push(await perform(app, agent, act, n))
  return received
}

describe('two sites in one process', () => {
  it('CC-07 each respond as they do alone, for any order of requests', async () => {
    const cases = spread('two sites in one process')
    const plan = fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plan, plan, async (scheduler, first, second) => {
        const race = openRace(scheduler)
        const plans = [first, second]
        const together = plans.map((each, n) => {
          const app = openSite(race, n)
          return { app, agent: app.agent(), plan: each }
        })
        const received = await race.run(
          together.map(
            ({ app, agent, plan: each }, n) =>
              () =>
                visit(app, agent, each, n),
          ),
        )
        for (const [n, each] of plans.entries()) {
          const app = openSite(undefined, n)
          expect(received[n]).toEqual(await visit(app, app.agent(), each, n))
          for (const act of each) cases.count(act)
        }
        const [one, two] = together
        if (!one || !two) return
        expect(one.app.rows.users().map(({ name }) => name)).not.toContain('Bob')
        for (const [from, to] of [
          [one, two],
          [two, one],
        ] as const) {
          if (!heldSession(from.agent)) continue
          const stranger = to.app.agent()
          plant(stranger, heldSession(from.agent))
          expect(await sessionOf(stranger)).toBeNull()
          cases.count('sent to the other site')
        }
      }),
      { numRuns: 30 },
    )
    cases.report()
    cases.atLeast('sent to the other site', 5)
  })
})

/** Providers that share a fetch: two tenants of one host, each with separate keys, and another host. */
function openProviders() {
  const issuers = ['https://idp.test/one', 'https://idp.test/two', 'https://other.test']
  const idps = issuers.map((issuer, n) =>
    createIdp({
      issuer,
      clients: [{ id: `client-${n}`, secret: `secret-${n}` }],
      users: [{ sub: `user-${n}`, claims: { name: `User ${n}` } }],
      now: () => Date.UTC(2030, 0, 1),
    }),
  )
  idps[1]?.rotate()
  const send: typeof fetch = (input, init) => {
    const { url } = new Request(input, init)
    const idp = idps.find(({ issuer }) => url.startsWith(`${issuer}/`))
    return idp ? idp.fetch(input, init) : Promise.reject(new TypeError('fetch failed'))
  }
  const providers = issuers.map((issuer, n): OAuthConfig => ({
    id: `idp-${n}`,
    name: `Idp ${n}`,
    type: 'oidc',
    issuer,
    clientId: `client-${n}`,
    clientSecret: `secret-${n}`,
  }))
  return { idps, send, providers }
}

describe('providers of one process', () => {
  it('CC-11 never share metadata or keys across tenants, issuers and clients, for any order of requests', async () => {
    const cases = spread('providers asked at once')
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 4 }),
        async (scheduler, chosen) => {
          const race = openRace(scheduler)
          const { idps, send, providers } = openProviders()
          const scheduled: typeof fetch = (input, init) => race.around('fetch', () => send(input, init))
          const app = openApp({ providers, config: { [platform]: { fetch: scheduled } } })
          const agents = chosen.map(() => app.agent())
          await race.run(
            chosen.map((n, index) => async () => {
              const [agent, idp] = [agents[index], idps[n]]
              if (!agent || !idp) return
              const { parameters } = await visitProvider({ ...app, idp }, agent, `idp-${n}`)
              const response = await agent.send(`/auth/callback/idp-${n}?${parameters}`)
              expect(locationOf(response).href).toBe('https://app.test/')
              cases.count(`provider ${n}`)
            }),
          )
          for (const [index, n] of chosen.entries()) {
            const agent = agents[index]
            if (agent) expect(await sessionOf(agent)).toMatchObject({ user: { name: `User ${n}` } })
          }
          for (const [n, idp] of idps.entries()) {
            expect(idp.requestsTo('unknown')).toEqual([])
            // No provider got a response meant for another, and each document was fetched once.
            const visitors = chosen.filter((each) => each === n).length
            expect(idp.requestsTo('token')).toHaveLength(visitors)
            expect(idp.requestsTo('jwks').length).toBe(visitors > 0 ? 1 : 0)
          }
          cases.count(new Set(chosen).size > 1 ? 'different ones' : 'one alone')
        },
      ),
      { numRuns: 30 },
    )
    cases.report()
    cases.atLeast('different ones', 10)
  })
})
