import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { locationOf } from '../flows/expectations.ts'
import { csrfOf, openApp, sessionOf, signIn, type App, type AppOptions } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { orderedStore } from '../support/ordered-store.ts'
import { openRace, type Race } from '../../fuzz/world/race.ts'
import { openRaceApp } from '../support/scheduled.ts'
import { heldSession, plant, rowOf, sentCookies, sessionCookie } from '../support/session-cookie.ts'
import { spread } from '../support/spread.ts'

vi.setConfig({ testTimeout: 60_000 })

const signingOut = 'sign-out answered while others were in progress'

/** A signed-in user, whose session is extended by every access. */
async function openSignedIn(race: Race, options: AppOptions = {}) {
  const app = openRaceApp(race, {
    strategy: 'database',
    ...options,
    config: { ...options.config, session: { maxAge: 1000, updateAge: 0, ...options.config?.session } },
  })
  const agent = app.agent()
  await signIn(app, agent)
  app.clock.advance(5)
  return { app, agent }
}

/** Another tab of the same browser, with its current cookies. */
function copyOf(app: App, agent: Agent): Agent {
  const copy = app.agent()
  for (const [name, value] of Object.entries(agent.cookies())) copy.set(`${name}=${value}; Path=/; Secure`)
  return copy
}

const access = fc.constantFrom('read', 'update', 'csrf', 'sign in')

/** A slow request of a tab. A sign-in starts at the provider, with the current session. */
function request(agent: Agent, kind: string, csrfToken: string): Promise<Response> {
  if (kind === 'sign in') return agent.send('/auth/signin/idp', { form: { csrfToken } })
  if (kind === 'update') return agent.send('/auth/session', { json: { csrfToken, data: { note: 'update' } } })
  return agent.send(kind === 'read' ? '/auth/session' : '/auth/csrf')
}

describe('a sign-out during slow requests', () => {
  it('CC-03 CC-04 is final: no later response restores the session, and no row remains', async () => {
    const cases = spread('sign-out during slow requests')
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(access, { minLength: 1, maxLength: 3 }),
        async (scheduler, kinds) => {
          const race = openRace(scheduler)
          const { app, agent } = await openSignedIn(race)
          const csrfToken = await csrfOf(agent)
          const held = heldSession(agent)
          const tabs = kinds.map(() => copyOf(app, agent))
          let isOut = false
          let late = 0
          const leave = async () => {
            const response = await agent.send('/auth/signout', { form: { csrfToken } })
            isOut = true
            return response
          }
          const slow = kinds.map((kind, n) => async () => {
            const response = await request(tabs[n] ?? agent, kind, csrfToken)
            if (isOut) late += 1
            return response
          })
          const [left] = await race.run([leave, ...slow])

          expect(left && locationOf(left).href).toBe('https://app.test/')
          expect(app.rows.sessions()).toEqual([])
          // No tab has a cookie of a valid session, whatever responses it received and in whatever order.
          for (const tab of [agent, ...tabs]) expect(await sessionOf(tab)).toBeNull()
          plant(agent, held)
          expect(await sessionOf(agent)).toBeNull()
          expect(app.rows.sessions()).toEqual([])
          cases.count(late > 0 ? signingOut : 'sign-out answered last')
          if (app.hops.some(({ event }) => event === 'session.gone'))
            cases.count('extension of a deleted row')
        },
      ),
      { numRuns: 80 },
    )
    cases.report()
    cases.atLeast(signingOut, 20)
    cases.atLeast('extension of a deleted row', 5)
  })

  it('CC-03 CC-04 is also final with an adapter that returns nothing from updateSession', async () => {
    const cases = spread('sign-out during extensions that return nothing')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const race = openRace(scheduler)
        const { app, agent } = await openSignedIn(race, {
          wrap: (store) => ({
            ...store,
            updateSession: async (row) => void (await store.updateSession?.(row)),
          }),
        })
        const csrfToken = await csrfOf(agent)
        const tab = copyOf(app, agent)
        let isOut = false
        const leave = async () => {
          const response = await agent.send('/auth/signout', { form: { csrfToken } })
          isOut = true
          return response
        }
        const read = async () => {
          const startedOut = isOut
          const response = await tab.send('/auth/session')
          if (startedOut) expect(await response.clone().json()).toBeNull()
          return response
        }
        await race.run([leave, read])
        expect(app.rows.sessions()).toEqual([])
        expect(await sessionOf(tab)).toBeNull()
        cases.count(app.hops.some(({ event }) => event === 'session.gone') ? 'row deleted' : 'row present')
      }),
      { numRuns: 40 },
    )
    cases.report()
    cases.atLeast('row deleted', 2)
  })
})

describe('concurrent extensions', () => {
  it('CC-05 never shorten a session, and the next access writes nothing', async () => {
    const cases = spread('concurrent extensions')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
        const race = openRace(scheduler)
        const writes: number[] = []
        let [overtaken, takenBack] = [0, 0]
        const { app, agent } = await openSignedIn(race, {
          apart: true,
          config: { session: { updateAge: 60 } },
          wrap: (store) => ({
            ...store,
            async updateSession(row) {
              const before =
                (await store.getSessionAndUser?.(row.sessionToken))?.session.expires.getTime() ?? 0
              const answer = await store.updateSession?.(row)
              const after =
                (await store.getSessionAndUser?.(row.sessionToken))?.session.expires.getTime() ?? 0
              writes.push(after)
              if (row.expires && row.expires.getTime() < before) overtaken += 1
              if (after < before) takenBack += 1
              return answer ?? null
            },
          }),
        })
        app.clock.advance(60)
        // The clock advances while they are in progress.
        const tick = async () => {
          for (let n = 0; n < 4; n++) await race.around('tick', () => app.clock.advance(1))
          return new Response()
        }
        const tabs = Array.from({ length: count }, () => copyOf(app, agent))
        const responses = await race.run([tick, ...tabs.map((tab) => () => tab.send('/auth/session'))])
        for (const response of responses) expect(response.status).toBe(200)
        expect(writes.length).toBeGreaterThanOrEqual(1)
        expect(takenBack).toBe(0)

        const [wrote, row] = [writes.length, await rowOf(app, agent)]
        expect(await sessionOf(agent)).not.toBeNull()
        expect(writes).toHaveLength(wrote)
        expect(row?.expires.getTime()).toBe(Math.max(...writes))
        cases.count(wrote > 1 ? 'many wrote' : 'one wrote')
        if (overtaken > 0) cases.count('one was overtaken')
      }),
      { numRuns: 60 },
    )
    cases.report()
    cases.atLeast('many wrote', 20)
    cases.atLeast('one was overtaken', 1)
  })
})

describe('an extension that another one overtakes', () => {
  it('CC-05 keeps the later expiry', async () => {
    const wrap = orderedStore({ 'updateSession#1': 'updateSession#2' })
    const config = { session: { maxAge: 1000, updateAge: 0 } }
    const app = openApp({ strategy: 'database', apart: true, wrap, config })
    const agent = app.agent()
    await signIn(app, agent)
    app.clock.advance(5)
    const slow = copyOf(app, agent).send('/auth/session')
    app.clock.advance(1)
    const fast = await copyOf(app, agent).send('/auth/session')
    expect([fast.status, (await slow).status]).toEqual([200, 200])
    expect((await rowOf(app, agent))?.expires.getTime()).toBe(app.clock.now() + 1_000_000)
  })
})

describe('concurrent updates', () => {
  it('CC-06 under jwt keep the update that completes last', async () => {
    const cases = spread('concurrent updates, jwt')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (scheduler, count) => {
        const race = openRace(scheduler)
        const { app, agent } = await openSignedIn(race, {
          strategy: 'jwt',
          config: {
            callbacks: {
              jwt: ({ token, session }) => ({ ...token, ...(session as object) }),
              session: ({ session, token }) => ({ ...session, left: token.left, right: token.right }),
            },
          },
        })
        const csrfToken = await csrfOf(agent)
        const answered: number[] = []
        await race.run(
          Array.from({ length: count }, (_, n) => async () => {
            const data = { left: n, right: n }
            const response = await agent.send('/auth/session', { json: { csrfToken, data } })
            expect(await response.clone().json()).toMatchObject(data)
            answered.push(n)
            return response
          }),
        )
        const last = answered.at(-1)
        expect(await sessionOf(agent)).toMatchObject({ left: last, right: last })
        cases.count(last === count - 1 ? 'in order' : 'overtaken')
        expect(app.errors).toEqual([])
      }),
      { numRuns: 40 },
    )
    cases.report()
    cases.atLeast('overtaken', 5)
  })

  it('CC-06 under database lose no acknowledged update', async () => {
    const cases = spread('concurrent updates, database')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (scheduler, count) => {
        const race = openRace(scheduler)
        const notes = new Set<unknown>()
        const { app, agent } = await openSignedIn(race, {
          config: {
            callbacks: {
              session({ session, newSession }) {
                if (newSession !== undefined) notes.add(newSession)
                return session
              },
            },
          },
        })
        const csrfToken = await csrfOf(agent)
        const updates = Array.from({ length: count }, (_, n) => async () => {
          const response = await agent.send('/auth/session', { json: { csrfToken, data: n } })
          if (response.status === 200) expect(notes.has(n)).toBe(true)
          return response.status
        })
        expect(await race.run(updates)).toEqual(updates.map(() => 200))
        expect(notes.size).toBe(count)
        expect(await sessionOf(agent)).not.toBeNull()
        cases.count(`${count} concurrent`)
        expect(app.errors).toEqual([])
      }),
      { numRuns: 25 },
    )
    cases.report()
  })
})

describe('concurrent browsers', () => {
  const names = ['ada', 'bob', 'eve'] as const

  it.each(['jwt', 'database'] as const)(
    'SE-20 never receive data of another browser, %s',
    async (strategy) => {
      const cases = spread(`concurrent browsers, ${strategy}`)
      const acts = fc.array(fc.constantFrom('read', 'update', 'sign in again'), {
        minLength: 1,
        maxLength: 2,
      })
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.tuple(acts, acts, acts), async (scheduler, plans) => {
          const race = openRace(scheduler)
          const app = openRaceApp(race, { strategy, config: { session: { updateAge: 0 } } })
          const browsers: { name: string; agent: Agent; csrfToken: string; answer: string }[] = []
          for (const name of names) {
            const agent = app.agent()
            app.idp.choose(name)
            await signIn(app, agent)
            const { parameters } = await startAgain(app, agent)
            browsers.push({ name, agent, csrfToken: await csrfOf(agent), answer: String(parameters) })
          }
          const issued = new Map<string, string>()
          await race.run(
            browsers.map(({ name, agent, csrfToken, answer }, n) => async () => {
              for (const act of plans[n] ?? []) {
                const response =
                  act === 'sign in again'
                    ? await agent.send(`/auth/callback/idp?${answer}`)
                    : await request(agent, act, csrfToken)
                cases.count(act)
                const text = (await response.clone().text()).toLowerCase()
                for (const other of names) if (other !== name) expect(text).not.toContain(other)
                for (const { key, value } of sentCookies(response)) {
                  if (key !== sessionCookie || value === '') continue
                  expect(issued.get(value) ?? name).toBe(name)
                  issued.set(value, name)
                }
              }
              return new Response()
            }),
          )
          for (const { name, agent } of browsers)
            expect(JSON.stringify(await sessionOf(agent)).toLowerCase()).toContain(`"${name}"`)
        }),
        { numRuns: 25 },
      )
      cases.report()
      cases.atLeast('update', 5)
      cases.atLeast('sign in again', 5)
    },
  )
})

/** Starts another sign-in, up to the provider. */
async function startAgain(app: App, agent: Agent) {
  const csrfToken = await csrfOf(agent)
  const started = await agent.send('/auth/signin/idp', { form: { csrfToken } })
  return app.idp.authorize(locationOf(started).href)
}
