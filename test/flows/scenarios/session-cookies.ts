import { expect } from 'vitest'
import { csrfOf, sessionOf, signIn, signOut, startSignIn, visitProvider } from '../../support/app.ts'
import { openAgent } from '../../support/browser-agent.ts'
import { plant, sentCookie, sentCookies, sessionCookie } from '../../support/session-cookie.ts'
import { scenario } from '../scenario.ts'

/** The attributes of the session cookie, when it is set and cleared. */
export const sessionCookieScenarios = [
  scenario(
    'ATN-011 ATN-015 the session cookie is HttpOnly, and Secure on an https site',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const signedIn = await signIn(app, app.agent())
        expect(sentCookie(signedIn)).toMatchObject({
          httpOnly: true,
          secure: true,
          sameSite: 'lax',
          path: '/',
          domain: null,
        })
        const plain = open({ strategy, config: { useSecureCookies: false } })
        const response = await signIn(plain, plain.agent())
        expect(sentCookie(response)).toBeUndefined()
        expect(sentCookie(response, 'authjs.session-token')).toMatchObject({ httpOnly: true, secure: false })
      }
    },
  ),

  scenario('ATN-015 a site on http has no Secure cookies, unless it requires them', async ({ open }) => {
    for (const useSecureCookies of [undefined, true]) {
      const app = open({ config: { useSecureCookies } })
      const response = await openAgent('http://app.test', app.handle).send('/auth/csrf')
      expect(sentCookies(response).map(({ key, secure }) => [key, secure])).toEqual([
        useSecureCookies ? ['__Host-authjs.csrf-token', true] : ['authjs.csrf-token', false],
      ])
    }
  }),

  scenario(
    'CK-05 a token that grows and shrinks leaves no stale chunk, and the next read is authenticated',
    async ({ open }) => {
      let size = 0
      const app = open({
        config: { callbacks: { jwt: ({ token }) => ({ ...token, padding: '0'.repeat(size) }) } },
      })
      const agent = app.agent()
      const pieces = () => Object.keys(agent.cookies()).filter((name) => name.startsWith(sessionCookie))
      const numbers = (count: number) =>
        Array.from({ length: count }, (_, index) => `${sessionCookie}.${index}`)
      const steps: readonly (readonly [number, readonly string[]])[] = [
        [0, [sessionCookie]],
        [9000, numbers(4)],
        [4000, numbers(2)],
        [7000, numbers(3)],
        [0, [sessionCookie]],
      ]
      for (const [next, names] of steps) {
        size = next
        await signIn(app, agent)
        expect(pieces().toSorted()).toEqual(names)
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
        expect(pieces().toSorted()).toEqual(names)
      }
    },
  ),

  scenario(
    'CK-12 WIR-013 responses that set cookies or return a session or CSRF token are not cacheable',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const agent = app.agent()
        const responses = [await agent.send('/auth/session'), await agent.send('/auth/csrf')]
        responses.push(await startSignIn(agent), await signIn(app, agent), await agent.send('/auth/session'))
        responses.push(
          await agent.send('/auth/csrf'),
          await agent.send('/auth/signin'),
          await agent.send('/auth/signout'),
        )
        responses.push(await agent.send('/auth/session', { json: {} }), await signOut(agent))
        plant(agent, 'garbage')
        responses.push(await agent.send('/auth/session'))
        for (const response of responses) {
          expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
          expect([response.headers.get('expires'), response.headers.get('pragma')]).toEqual(['0', 'no-cache'])
        }
      }
    },
  ),

  scenario('CK-14 DEC-12a an error clears the check cookies too', async ({ open }) => {
    const changes = {
      declined: { code: undefined, error: 'access_denied' },
      refused: { state: 'wrong' },
      failed: { code: 'wrong' },
      denied: {},
    }
    for (const [end, change] of Object.entries(changes)) {
      const app = open({
        provider: { checks: ['state', 'pkce', 'nonce'] },
        config: { callbacks: { signIn: () => false } },
      })
      const agent = app.agent()
      const { parameters } = await visitProvider(app, agent)
      const checks = ['state', 'pkce.code_verifier', 'nonce'].map((name) => `__Secure-authjs.${name}`)
      expect(Object.keys(agent.cookies())).toEqual(expect.arrayContaining(checks))
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) parameters.delete(name)
        else parameters.set(name, value)
      }
      const response = await agent.send(`/auth/callback/idp?${parameters}`)
      for (const name of checks) expect(sentCookie(response, name)).toMatchObject({ value: '', maxAge: 0 })
      expect(checks.filter((name) => name in agent.cookies())).toEqual([])
      expect(app.ended()).toBe(end)
    }
  }),

  scenario(
    'CK-16 TX-19 a sign-out clears the session cookie once, and sets a new CSRF token',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy, config: { session: { updateAge: 0 } } })
        const agent = app.agent()
        await signIn(app, agent)
        const before = await csrfOf(agent)
        const response = await signOut(agent)
        const sent = sentCookies(response).map(({ key, value, maxAge }) => [
          key,
          value === '' && maxAge === 0,
        ])
        expect(sent).toEqual([
          [sessionCookie, true],
          ['__Host-authjs.csrf-token', false],
        ])
        expect(await csrfOf(agent)).not.toBe(before)
        expect(app.ended()).toBe('signedOut')
      }
    },
  ),
]
