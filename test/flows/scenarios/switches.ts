import { expect } from 'vitest'
import { skipCSRFCheck } from '../../../src/types/symbols.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import { csrfOf, sessionOf, signIn, signOut, startSignIn, type AppOptions } from '../../support/app.ts'
import { checkCookies, cookiesOf, sessionCookie, setsCookie } from '../expectations.ts'
import { scenario } from '../scenario.ts'

const formPost: AppOptions['provider'] = {
  authorization: { params: { response_mode: 'form_post' } },
  checks: ['pkce', 'state', 'nonce'],
}

export const switchScenarios = [
  scenario(
    'CFG-008 CFG-009 cookies have the configured names and options, and defaults for the others',
    async ({ open }) => {
      const cookies: AuthConfig['cookies'] = {
        sessionToken: { name: 'sid', options: { sameSite: 'strict' } },
        pkceCodeVerifier: { options: { maxAge: 60, domain: 'app.test' } },
      }
      const app = open({ config: { cookies } })
      const agent = app.agent()
      const started = cookiesOf(await startSignIn(agent))
      expect(app.ended()).toBe('sentToProvider')
      expect(started.get(checkCookies.pkce)).toMatch(
        /; Max-Age=60; Domain=app\.test; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
      )
      expect(started.get(checkCookies.nonce)).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
      const response = await signIn(app, agent)
      expect(app.ended()).toBe('signedIn')
      expect(cookiesOf(response).get('sid')).toMatch(
        /; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Strict$/,
      )
      expect(setsCookie(response, sessionCookie)).toBe(false)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      expect(cookiesOf(await signOut(agent)).get('sid')).toBe(
        'sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
      )
    },
  ),

  scenario(
    'CFG-010 DEC-27a a cookie with configured options is not changed for a form_post provider',
    async ({ open }) => {
      const cookies: AuthConfig['cookies'] = {
        state: { options: { priority: 'high' } },
        nonce: { name: 'mine' },
      }
      const app = open({ provider: formPost, config: { cookies } })
      const set = cookiesOf(await startSignIn(app.agent()))
      expect(app.ended()).toBe('sentToProvider')
      expect(set.get(checkCookies.state)).toMatch(/; Priority=High; SameSite=Lax$/)
      expect(set.get('mine')).toMatch(/; Secure; SameSite=None$/)
    },
  ),

  scenario(
    'WIR-011 CFG-037 with skipCSRFCheck every POST is accepted, and no token is issued',
    async ({ open }) => {
      const app = open({ config: { skipCSRFCheck } })
      const agent = app.agent()
      agent.set('__Host-authjs.csrf-token=old; Path=/; Secure')
      const csrf = await agent.send('/auth/csrf')
      expect(csrf.status).toBe(404)
      expect(await csrf.text()).toBe('')
      expect(csrf.headers.getSetCookie()).toEqual([
        '__Host-authjs.csrf-token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      ])
      expect(app.warnings).toContain('csrf-disabled')
      const started = await agent.send('/auth/signin/idp', { form: {} })
      expect(app.ended()).toBe('sentToProvider')
      const { parameters } = await app.idp.authorize(started.headers.get('location') ?? '')
      await agent.send(`/auth/callback/idp?${parameters}`)
      expect(app.ended()).toBe('signedIn')
      expect((await agent.send('/auth/session', { json: { data: 1 } })).status).toBe(200)
      expect(app.ended()).toBe('presented')
      expect(Object.keys(agent.cookies())).not.toContain('__Host-authjs.csrf-token')
      await agent.send('/auth/signout', { form: {} })
      expect(app.ended()).toBe('signedOut')
      expect(await sessionOf(agent)).toBeNull()
    },
  ),

  scenario("CFG-027 pages.newUser is shown on a user's first sign-in only", async ({ open }) => {
    const pages = { newUser: '/welcome?tour=1' }
    for (const strategy of ['database', 'jwt-stored'] as const) {
      const app = open({ strategy, config: { pages } })
      const first = await signIn(app, app.agent(), 'idp', { callbackUrl: '/inbox' })
      expect(app.ended()).toBe('signedIn')
      expect(first.headers.get('location')).toBe(
        `https://app.test/welcome?tour=1&callbackUrl=${encodeURIComponent('https://app.test/inbox')}`,
      )
      const again = await signIn(app, app.agent(), 'idp', { callbackUrl: '/inbox' })
      expect(again.headers.get('location')).toBe('https://app.test/inbox')
    }
    const unstored = open({ config: { pages } })
    expect((await signIn(unstored, unstored.agent())).headers.get('location')).toBe('https://app.test')
  }),

  scenario('DEC-02h an update passes its data to the callbacks, under both strategies', async ({ open }) => {
    for (const strategy of ['jwt', 'database'] as const) {
      const asked: unknown[] = []
      const app = open({
        strategy,
        config: {
          callbacks: {
            session({ session, newSession, trigger }) {
              asked.push({ newSession, trigger })
              return session
            },
          },
        },
      })
      const agent = app.agent()
      await signIn(app, agent)
      await sessionOf(agent)
      const csrfToken = await csrfOf(agent)
      const response = await agent.send('/auth/session', { json: { csrfToken, data: { name: 'Countess' } } })
      expect(response.status).toBe(200)
      expect(app.ended()).toBe('presented')
      expect(asked).toEqual([
        { newSession: undefined, trigger: undefined },
        { newSession: { name: 'Countess' }, trigger: 'update' },
      ])
    }
  }),
]
