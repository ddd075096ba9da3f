import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import type { JWT, JWTOptions } from '../../../src/types/jwt.ts'
import { csrfOf, sessionOf, signIn, signOut, type App } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { askForLink, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import { heldSession, plant, sentCookie, sessionCookie } from '../../support/session-cookie.ts'
import { unreachable } from '../../support/watch-store.ts'
import { perform, register, withPasskeys } from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'

/** Revokes all tokens of the users in the list. */
function revoking(revoked: readonly string[]) {
  const asked: JWT[] = []
  const isRevoked: JWTOptions['isRevoked'] = async (token) => {
    asked.push(token)
    return revoked.includes(String(token.name))
  }
  return { asked, isRevoked }
}

/** An application, and a way to sign in to it. */
interface Way {
  readonly app: App
  readonly enter: (agent: Agent) => Promise<unknown>
}

const config = () => ({ jwt: { revocations: memoryRevocations() } })
const form = { id: 'form', name: 'Form', type: 'credentials', credentials: {} } as const

/** Every flow that signs in, with a revocation list. */
const ways: Readonly<Record<string, (open: Stage['open']) => Way | Promise<Way>>> = {
  callback(open) {
    const app = open({ config: config() })
    return { app, enter: (agent) => signIn(app, agent) }
  },
  'email-verification'(open) {
    const app = openMailApp(open, { strategy: 'jwt-stored', config: config() })
    const enter = async (agent: Agent) => {
      await askForLink(agent, 'ada@example.com')
      return agent.send(pathOf(app.mails.at(-1) as Mail))
    }
    return { app, enter }
  },
  'mail-code'(open) {
    const mail = { method: 'code' } as const
    const app = openMailApp(open, { strategy: 'jwt-stored', config: config(), mail })
    const enter = async (agent: Agent) => {
      await askForLink(agent, 'ada@example.com')
      const form = { csrfToken: await csrfOf(agent), code: app.mails.at(-1)?.token ?? '' }
      return agent.send('/auth/callback/mail', { form })
    }
    return { app, enter }
  },
  credentials(open) {
    const app = open({ config: config(), providers: [{ ...form, authorize: () => ({ id: 'ada' }) }] })
    const enter = async (agent: Agent) =>
      agent.send('/auth/callback/form', { form: { csrfToken: await csrfOf(agent) } })
    return { app, enter }
  },
  async webauthn(open) {
    const app = open(
      withPasskeys({
        strategy: 'jwt-stored',
        config: { experimental: { enableWebAuthn: true }, ...config() },
      }),
    )
    const { device } = await register(app)
    const fields = { action: 'authenticate' }
    return { app, enter: (agent) => perform({ agent, device }, { fields }) }
  },
}

/** Whether a copy of a session cookie is signed in. */
async function isLive(app: App, value: string): Promise<boolean> {
  const agent = app.agent()
  plant(agent, value)
  return (await sessionOf(agent)) !== null
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

  ...Object.entries(ways).map(([name, openWay]) =>
    scenario(`OPT-047 SE-02 a new sign-in ends the previous token (${name})`, async ({ open }) => {
      const { app, enter } = await openWay(open)
      const agent = app.agent()
      await enter(agent)
      const before = heldSession(agent)
      expect(await isLive(app, before)).toBe(true)
      await enter(agent)
      expect(heldSession(agent)).not.toBe('')
      expect(await isLive(app, before)).toBe(false)
      expect(await isLive(app, heldSession(agent))).toBe(true)
    }),
  ),

  scenario('OPT-047 SE-10 a sign-out ends the copies of a token', async ({ open }) => {
    const app = open({ config: config() })
    const agent = app.agent()
    await signIn(app, agent)
    const copy = heldSession(agent)
    await sessionOf(agent)
    await signOut(agent)
    expect(await isLive(app, copy)).toBe(false)
  }),

  scenario('OPT-047 SE-10 a sign-out ends every session whose cookie the browser sends', async ({ open }) => {
    const app = open({ config: config() })
    const agents = [app.agent(), app.agent()] as const
    for (const agent of agents) await signIn(app, agent)
    const cookies = agents.map((agent) => `${sessionCookie}=${heldSession(agent)}`)
    const csrfToken = await csrfOf(agents[0])
    const csrf = Object.entries(agents[0].cookies()).filter(([name]) => name.endsWith('csrf-token'))
    const cookie = [...cookies, ...csrf.map((pair) => pair.join('='))].join('; ')
    await agents[0].send('/auth/signout', { form: { csrfToken }, headers: { cookie } })
    for (const held of cookies) {
      const response = await app.agent().send('/auth/session', { headers: { cookie: held } })
      expect(await response.json()).toBeNull()
    }
    expect(app.errors).toEqual([])
  }),

  scenario('OPT-047 SE-12 FI-13 a store that fails stops the sign-out and the sign-in', async ({ open }) => {
    const revocations = memoryRevocations()
    const app = open({ config: { jwt: { revocations } } })
    const agent = app.agent()
    await signIn(app, agent)
    const held = heldSession(agent)
    Object.assign(revocations, { add: unreachable })
    await signIn(app, agent)
    expect(app.ended()).toBe('faulted')
    expect(heldSession(agent)).toBe(held)
    await signOut(agent)
    expect(app.ended()).toBe('faulted')
  }),
]
