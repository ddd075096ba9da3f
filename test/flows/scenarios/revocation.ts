import { expect } from 'vitest'
import type { JWT, JWTOptions } from '../../../src/types/jwt.ts'
import { sessionOf, signIn, signOut } from '../../support/app.ts'
import { heldSession, sentCookie, sessionCookie } from '../../support/session-cookie.ts'
import { unreachable } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

/** Revokes whatever is in the list, by user. */
function revoking(revoked: readonly string[]) {
  const asked: JWT[] = []
  const isRevoked: JWTOptions['isRevoked'] = async (token) => {
    asked.push(token)
    return revoked.includes(String(token.name))
  }
  return { asked, isRevoked }
}

/** Session tokens that the application revoked. */
export const revocationScenarios = [
  scenario('OPT-006 a revoked session ends, and its cookie is cleared', async ({ open }) => {
    const revoked: string[] = []
    const { asked, isRevoked } = revoking(revoked)
    const app = open({ config: { jwt: { isRevoked } } })
    const agent = app.agent()
    await signIn(app, agent)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    expect(asked[0]).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
    revoked.push('Ada')
    const response = await agent.send('/auth/session')
    expect(await response.json()).toBeNull()
    expect(sentCookie(response)).toMatchObject({ value: '', maxAge: 0 })
    expect(app.ended()).toBe('ended')
  }),

  scenario('OPT-006 a revoked session links nothing', async ({ open }) => {
    for (const isTakenBack of [false, true]) {
      const { isRevoked } = revoking(isTakenBack ? ['Ada'] : [])
      const app = open({ strategy: 'jwt-stored', config: { jwt: { isRevoked } } })
      const agent = app.agent()
      await signIn(app, agent)
      app.idp.choose('bob')
      await signIn(app, agent)
      expect(app.rows.users()).toHaveLength(isTakenBack ? 2 : 1)
    }
  }),

  scenario('OPT-006 an invalid result signs nobody in, and keeps the cookie', async ({ open }) => {
    for (const isRevoked of [unreachable, (() => undefined) as never, async () => unreachable()]) {
      let hook: JWTOptions['isRevoked'] = () => false
      const app = open({ config: { jwt: { isRevoked: (token) => hook(token) } } })
      const agent = app.agent()
      await signIn(app, agent)
      const held = heldSession(agent)
      hook = isRevoked
      const response = await agent.send('/auth/session')
      expect(response.status).toBe(503)
      expect(await response.json()).toBeNull()
      expect(agent.cookies()[sessionCookie]).toBe(held)
      expect(app.ended()).toBe('unavailable')
    }
  }),

  scenario('OPT-006 SE-11 signing out does not call isRevoked', async ({ open }) => {
    let hook: JWTOptions['isRevoked'] = () => false
    const app = open({ config: { jwt: { isRevoked: (token) => hook(token) } } })
    const agent = app.agent()
    await signIn(app, agent)
    hook = unreachable
    const response = await signOut(agent, { callbackUrl: '/bye' })
    expect(response.headers.get('location')).toBe('https://app.test/bye')
    expect(app.events.map(({ event }) => event)).toEqual(['signIn', 'signOut'])
  }),
]
