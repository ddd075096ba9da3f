import { expect } from 'vitest'
import { sessionOf, signIn, type App } from '../../support/app.ts'
import {
  heldSession,
  plant,
  rowOf,
  sentCookie,
  sentExpiry,
  sessionCookie,
} from '../../support/session-cookie.ts'
import { countOf, watching, type Call } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

const day = 86_400
const begin = Date.UTC(2030, 0, 1)

/** Database sessions: lifetimes, extensions, ends. */
export const sessionRowScenarios = [
  scenario(
    'SES-011 SE-16 DEC-15b the cookie contains 32 random bytes in hex, the id of a row',
    async ({ open }) => {
      const app = open({ strategy: 'database' })
      const agent = app.agent()
      await signIn(app, agent)
      const id = heldSession(agent)
      expect(id).toMatch(/^[0-9a-f]{64}$/)
      const found = await app.store.getSessionAndUser(id)
      expect(found?.user.email).toBe('ada@example.com')
      await app.store.updateUser({ id: found?.user.id ?? '', name: 'Countess' })
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Countess' } })
    },
  ),

  scenario(
    'SES-005 SES-006 SES-013 LIM-002 WIR-051 a row is written at most once a day',
    async ({ open }) => {
      const calls: Call[] = []
      const app = open({ strategy: 'database', wrap: watching(calls) })
      const agent = app.agent()
      await signIn(app, agent)
      const writesAfter = async (seconds: number) => {
        app.clock.advance(seconds)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(app.ended()).toBe('presented')
        return countOf(calls, 'updateSession')
      }
      expect(await writesAfter(0)).toBe(0)
      expect(await writesAfter(3600)).toBe(0)
      expect(await writesAfter(day - 3601)).toBe(0)
      expect(await writesAfter(1)).toBe(1)
      expect(await writesAfter(0)).toBe(1)
      expect(await writesAfter(day - 1)).toBe(1)
      expect(await writesAfter(1)).toBe(2)
    },
  ),

  scenario('SES-007 LIM-002 with updateAge 0 every read is written', async ({ open }) => {
    const calls: Call[] = []
    const app = open({ strategy: 'database', wrap: watching(calls), config: { session: { updateAge: 0 } } })
    const agent = app.agent()
    await signIn(app, agent)
    await sessionOf(agent)
    await sessionOf(agent)
    app.clock.advance(1)
    const response = await agent.send('/auth/session')
    expect(countOf(calls, 'updateSession')).toBe(3)
    expect(sentExpiry(response)).toBe(begin + 1000 + 30 * day * 1000)
  }),

  scenario(
    'SES-012 SE-07 DEC-17a DEC-17b an extension sets row, cookie and body to the same time',
    async ({ open }) => {
      const app = open({ strategy: 'database', config: { session: { maxAge: 1000, updateAge: 100 } } })
      const agent = app.agent()
      const signedIn = await signIn(app, agent)
      expect(sentExpiry(signedIn)).toBe(begin + 1_000_000)
      app.clock.advance(99)
      const early = await agent.send('/auth/session')
      expect(await early.json()).toMatchObject({ expires: new Date(begin + 1_000_000).toISOString() })
      expect(early.headers.getSetCookie()).toEqual([])
      expect((await rowOf(app, agent))?.expires.getTime()).toBe(begin + 1_000_000)
      app.clock.advance(1)
      const extended = await agent.send('/auth/session')
      const end = begin + 1_100_000
      expect(await extended.json()).toMatchObject({ expires: new Date(end).toISOString() })
      expect(sentExpiry(extended)).toBe(end)
      expect(sentCookie(extended)).toMatchObject({ httpOnly: true, secure: true, sameSite: 'lax', path: '/' })
      expect((await rowOf(app, agent))?.expires.getTime()).toBe(end)
      expect(app.ended()).toBe('presented')
    },
  ),

  scenario(
    'DEC-17c SE-09 a row that exceeds the current maxAge is shortened at the next read',
    async ({ open }) => {
      const app = open({ strategy: 'database', config: { session: { maxAge: 1000, updateAge: 500 } } })
      const agent = app.agent()
      await signIn(app, agent)
      const last = new Date(begin + 1_000_000)
      const setRow = (expires: Date) => app.store.updateSession({ sessionToken: heldSession(agent), expires })
      await setRow(new Date(begin + 2_000_000))
      const response = await agent.send('/auth/session')
      expect(await response.json()).toMatchObject({ expires: last.toISOString() })
      expect((await rowOf(app, agent))?.expires).toEqual(last)
      expect(sentExpiry(response)).toBe(last.getTime())
      expect(app.ended()).toBe('presented')
      await setRow(new Date(begin + 1_000_001))
      await sessionOf(agent)
      expect(app.hops.findLast(({ state }) => state === 'checkingAge')?.event).toBe('session.due')
    },
  ),

  scenario(
    'SE-07 DEC-17a after a concurrent extension, all responses show the later expiry',
    async ({ open }) => {
      for (const isSilent of [false, true]) {
        const later = new Date(begin + 1_020_000)
        const wrap = watching([], (store) => ({
          async updateSession(row) {
            const stored = await store.updateSession?.({ ...row, expires: later })
            return isSilent ? undefined : stored
          },
        }))
        const session = { maxAge: 1000, updateAge: 0 }
        const app = open({ strategy: 'database', wrap, config: { session } })
        const agent = app.agent()
        await signIn(app, agent)
        app.clock.advance(10)
        const response = await agent.send('/auth/session')
        expect(await response.json()).toMatchObject({ expires: later.toISOString() })
        expect((await rowOf(app, agent))?.expires).toEqual(later)
        expect(sentExpiry(response)).toBe(later.getTime())
        expect(app.ended()).toBe('presented')
      }
    },
  ),

  scenario('DEC-17d a row deleted during its extension signs the user out', async ({ open }) => {
    const wrap = watching([], () => ({ updateSession: () => null }))
    const app = open({ strategy: 'database', wrap, config: { session: { updateAge: 0 } } })
    await expectSignedOut(app)
  }),

  scenario(
    'DEC-17d if an adapter returns no row from an extension, the row is read again',
    async ({ open }) => {
      for (const answer of [undefined, null]) {
        const wrap = (drops: boolean) =>
          watching([], (store) => ({
            async updateSession(patch) {
              await (drops ? store.deleteSession?.(patch.sessionToken) : store.updateSession?.(patch))
              return answer
            },
          }))
        const session = { updateAge: 0 }
        await expectSignedOut(open({ strategy: 'database', wrap: wrap(true), config: { session } }))
        const app = open({ strategy: 'database', wrap: wrap(false), config: { session } })
        const agent = app.agent()
        await signIn(app, agent)
        app.clock.advance(7)
        expect(await sessionOf(agent)).toMatchObject({
          expires: new Date(begin + 7000 + 30 * day * 1000).toISOString(),
        })
        expect(app.ended()).toBe('presented')
      }
    },
  ),

  scenario(
    'DEC-47d if an adapter returns no row from an extension, the session is read once',
    async ({ open }) => {
      for (const answer of [undefined, null]) {
        const calls: Call[] = []
        const wrap = watching(calls, (store) => ({
          async updateSession(patch) {
            await store.updateSession?.(patch)
            return answer
          },
        }))
        const app = open({ strategy: 'database', wrap, config: { session: { updateAge: 0 } } })
        const agent = app.agent()
        await signIn(app, agent)
        const reads = []
        for (let extension = 1; extension <= 3; extension++) {
          calls.length = 0
          app.clock.advance(7)
          const expires = new Date(begin + extension * 7000 + 30 * day * 1000)
          expect(await sessionOf(agent)).toMatchObject({ expires: expires.toISOString() })
          expect((await rowOf(app, agent))?.expires).toEqual(expires)
          reads.push(countOf(calls, 'getSessionAndUser'))
        }
        expect(reads).toEqual([2, 1, 1])
        await app.store.deleteSession(heldSession(agent))
        expect(await sessionOf(agent)).toBeNull()
      }
    },
  ),

  scenario(
    'SES-014 SE-13 SE-04 SE-05 DEC-23b an expired row is deleted, its cookie cleared',
    async ({ open }) => {
      for (const method of ['GET', 'POST'] as const) {
        const app = open({ strategy: 'database', config: { session: { maxAge: 1000, updateAge: 2000 } } })
        const agent = app.agent()
        await signIn(app, agent)
        const id = heldSession(agent)
        const { csrfToken } = JSON.parse(await (await agent.send('/auth/csrf')).text())
        const read = () =>
          agent.send('/auth/session', method === 'GET' ? {} : { json: { csrfToken, data: { a: 1 } } })
        app.clock.advance(999.999)
        expect(await (await read()).json()).toMatchObject({ user: { name: 'Ada' } })
        const eventsBefore = app.events.length
        app.clock.advance(0.001)
        const response = await read()
        expect(response.status).toBe(200)
        expect(await response.text()).toBe('null')
        expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
        expect(agent.cookies()).not.toHaveProperty(sessionCookie)
        expect(await app.store.getSessionAndUser(id)).toBeNull()
        expect(app.ended()).toBe('ended')
        expect(app.events).toHaveLength(eventsBefore)
      }
    },
  ),

  scenario(
    'SE-17 SE-24 DEC-23b an unknown session id ends with null, and affects no other session',
    async ({ open }) => {
      const calls: Call[] = []
      const app = open({ strategy: 'database', wrap: watching(calls) })
      const owner = app.agent()
      await signIn(app, owner)
      const id = heldSession(owner)
      for (const forged of ['garbage', id.slice(1), `${id}0`, id.toUpperCase().replace(/^\w/, 'Z'), '%00']) {
        const agent = app.agent()
        plant(agent, forged)
        const response = await agent.send('/auth/session')
        expect(response.status).toBe(200)
        expect(await response.text()).toBe('null')
        expect(agent.cookies()).toEqual({})
        expect(app.ended()).toBe('ended')
      }
      expect(countOf(calls, 'deleteSession')).toBe(0)
      expect(await sessionOf(owner)).not.toBeNull()
    },
  ),
]

async function expectSignedOut(app: App) {
  const agent = app.agent()
  await signIn(app, agent)
  const response = await agent.send('/auth/session')
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('null')
  expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
  expect(agent.cookies()).not.toHaveProperty(sessionCookie)
  expect(app.ended()).toBe('ended')
  expect(app.events.map(({ event }) => event)).not.toContain('session')
}
