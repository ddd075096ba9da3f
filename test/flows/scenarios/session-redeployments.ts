import { expect } from 'vitest'
import { sessionOf, signIn, signOut, type App, type AppOptions } from '../../support/app.ts'
import { openAgent } from '../../support/browser-agent.ts'
import { heldSession, plant, sessionCookie } from '../../support/session-cookie.ts'
import { watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'
import { platform } from '../../../src/types/symbols.ts'

const padded = (size: number) => ({
  jwt: ({ token }: { token: object }) => ({ ...token, padding: '0'.repeat(size) }),
})

/** The same deployment with another configuration: the same store, clock and provider. */
function redeployed({ store, clock, idp }: App, options: AppOptions): AppOptions {
  const shared = { [platform]: { now: clock.now, fetch: idp.fetch } }
  return { ...options, wrap: () => store, config: { ...options.config, ...shared } }
}

/** A store that throws on every session token except hex, as a database with a narrower column type does. */
const hexOnly = watching([], (store) => {
  const demandHex = (token: string) => {
    if (!/^[0-9a-f]+$/.test(token)) throw new Error(`invalid input syntax: ${token}`)
    return token
  }
  return {
    getSessionAndUser: (token) => store.getSessionAndUser?.(demandHex(token)) ?? null,
    deleteSession: (token) => store.deleteSession?.(demandHex(token)),
  }
})

/** Sessions after the application has changed its configuration. */
export const sessionRedeploymentScenarios = [
  scenario(
    'CK-05 SE-21 a change of strategy ends the old session, and the next sign-in works',
    async ({ open }) => {
      for (const size of [0, 9000]) {
        const jwt = open({ strategy: 'jwt-stored', config: { callbacks: padded(size) } })
        const database = open(redeployed(jwt, { strategy: 'database' }))
        let deployed = jwt
        const agent = openAgent('https://app.test', (request) => deployed.handle(request))
        const expectStranger = async () => {
          const response = await agent.send('/auth/session')
          expect(response.status).toBe(200)
          expect(await response.text()).toBe('null')
        }
        await signIn(jwt, agent)
        deployed = database
        await expectStranger()
        await signIn(jwt, agent)
        expect(Object.keys(agent.cookies()).filter((name) => name.startsWith(sessionCookie))).toEqual([
          sessionCookie,
        ])
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(database.ended()).toBe('presented')
        deployed = jwt
        await expectStranger()
        expect(jwt.ended()).toBe('ended')
        await signIn(jwt, agent)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(jwt.ended()).toBe('presented')
      }
    },
  ),

  scenario('SE-21 a token under database, or a row under jwt, signs nobody in', async ({ open }) => {
    const jwt = open({ strategy: 'jwt-stored' })
    const database = open(redeployed(jwt, { strategy: 'database' }))
    const [holder, owner] = [jwt.agent(), database.agent()]
    await signIn(jwt, holder)
    await signIn({ ...database, idp: jwt.idp }, owner)
    const swapped = [
      { app: database, value: heldSession(holder) },
      { app: jwt, value: heldSession(owner) },
    ]
    for (const { app, value } of swapped) {
      const agent = app.agent()
      plant(agent, value)
      expect(await sessionOf(agent)).toBeNull()
      expect(app.ended()).toBe('ended')
    }
    expect(await sessionOf(owner)).toMatchObject({ user: { name: 'Ada' } })
  }),

  scenario(
    'SE-11 SE-17 SE-21 a cookie that cannot be a session id is never looked up in the store',
    async ({ open }) => {
      const jwt = open({ strategy: 'jwt-stored' })
      const holder = jwt.agent()
      await signIn(jwt, holder)
      for (const value of [heldSession(holder), 'a%00b', 'a%20', 'caf%c3%a9', 'x'.repeat(3000)]) {
        const app = open({ strategy: 'database', wrap: hexOnly })
        const agent = app.agent()
        plant(agent, value)
        const response = await agent.send('/auth/session')
        expect([response.status, await response.text()]).toEqual([200, 'null'])
        expect(heldSession(agent)).toBe('')
        plant(agent, value)
        await signOut(agent)
        expect(app.ended()).toBe('signedOut')
        plant(agent, value)
        await signIn(app, agent)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(app.errors).toEqual([])
      }
    },
  ),

  scenario('CK-05 WIR-017 a renamed cookie is a new one, and the old name is ignored', async ({ open }) => {
    const before = open()
    const after = open(
      redeployed(before, { config: { cookies: { sessionToken: { name: '__Secure-sid' } } } }),
    )
    let deployed = before
    const agent = openAgent('https://app.test', (request) => deployed.handle(request))
    await signIn(before, agent)
    deployed = after
    expect(await sessionOf(agent)).toBeNull()
    expect(after.ended()).toBe('anonymous')
    await signIn(before, agent)
    expect(agent.cookies()).toHaveProperty('__Secure-sid')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(after.ended()).toBe('presented')
  }),

  scenario(
    'ATN-013 a session sealed with an older secret stays valid, and is resealed with the newest',
    async ({ open }) => {
      const [old, young] = ['the old secret, which is long enough', 'the young secret, which is long too!']
      const before = open({ config: { secret: old } })
      const after = open(redeployed(before, { config: { secret: [young, old] } }))
      const later = open(redeployed(before, { config: { secret: young } }))
      let deployed = before
      const agent = openAgent('https://app.test', (request) => deployed.handle(request))
      const kid = () => JSON.parse(atob(heldSession(agent).split('.')[0] ?? '')).kid
      await signIn(before, agent)
      const first = kid()
      for (const next of [after, later]) {
        deployed = next
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(kid()).not.toBe(first)
        expect(next.ended()).toBe('presented')
      }
    },
  ),

  scenario('DEC-17c LIM-001 a lowered maxAge shortens existing sessions', async ({ open }) => {
    const before = open({ strategy: 'database', config: { session: { maxAge: 1000 } } })
    const after = open(redeployed(before, { strategy: 'database', config: { session: { maxAge: 100 } } }))
    let deployed = before
    const agent = openAgent('https://app.test', (request) => deployed.handle(request))
    await signIn(before, agent)
    deployed = after
    const end = new Date(before.clock.now() + 100_000)
    expect(await sessionOf(agent)).toMatchObject({ expires: end.toISOString() })
    expect((await before.store.getSessionAndUser(heldSession(agent)))?.session.expires).toEqual(end)
    before.clock.advance(100)
    expect(await sessionOf(agent)).toBeNull()
    expect(after.ended()).toBe('ended')
  }),
]
