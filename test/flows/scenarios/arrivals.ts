import { expect } from 'vitest'
import { sessionOf, signIn, startSignIn } from '../../support/app.ts'
import { reveal } from '../../support/sealed.ts'
import { scenario } from '../scenario.ts'
import { callbackUrlCookie, cookiesOf, sessionCookie } from '../expectations.ts'

/** The data that users receive when they sign in, and the page to which they are redirected. */
export const arrivalScenarios = [
  scenario(
    'WIR-042 a new user is redirected to the page for new users, and everyone else to the callback URL',
    async ({ open }) => {
      const pages = { newUser: '/welcome?step=1' }
      const app = open({ strategy: 'database', config: { pages } })
      const landing = async () => {
        const response = await signIn(app, app.agent(), 'idp', { callbackUrl: '/here' })
        expect(app.ended()).toBe('signedIn')
        return response.headers.get('location')
      }
      expect(await landing()).toBe(
        'https://app.test/welcome?step=1&callbackUrl=https%3A%2F%2Fapp.test%2Fhere',
      )
      expect(await landing()).toBe('https://app.test/here')
      const unstored = open({ config: { pages } })
      const response = await signIn(unstored, unstored.agent(), 'idp', { callbackUrl: '/here' })
      expect(response.headers.get('location')).toBe('https://app.test/here')
    },
  ),

  scenario(
    'WIR-041 CBK-005 CBK-006 CBK-012 the jwt callback receives the user, and whether the user is new',
    async ({ open }) => {
      const received: Record<string, unknown>[] = []
      const jwt = (params: { token: object }) => {
        received.push({ ...params })
        return { ...params.token, role: 'admin' }
      }
      const app = open({ strategy: 'jwt-stored', config: { callbacks: { jwt } } })
      await signIn(app, app.agent())
      await signIn(app, app.agent())
      const id = app.rows.users()[0]?.id
      const token = { name: 'Ada', email: 'ada@example.com', picture: 'https://idp.test/ada.png', sub: id }
      const account = expect.objectContaining({ provider: 'idp', providerAccountId: 'ada' })
      const common = {
        token,
        account,
        user: expect.objectContaining({ id }),
        profile: expect.objectContaining({ sub: 'ada' }),
      }
      expect(received).toEqual([
        { ...common, trigger: 'signUp', isNewUser: true },
        { ...common, trigger: 'signIn', isNewUser: false },
      ])
    },
  ),

  scenario(
    'ATN-010 ATN-011 REC-028 REC-029 a session is a cookie that scripts cannot read: a token, or the id of a row',
    async ({ open }) => {
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy })
        const agent = app.agent()
        const line = cookiesOf(await signIn(app, agent)).get(sessionCookie) ?? ''
        expect(line).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/)
        const value = agent.cookies()[sessionCookie] ?? ''
        if (strategy === 'jwt') expect(value.split('.')).toHaveLength(5)
        else expect(app.rows.sessions()).toMatchObject([{ sessionToken: value }])
        expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      }
    },
  ),

  scenario(
    'REC-016 REC-021 REC-022 the result of the jwt callback becomes the token, and the session shows only its standard members',
    async ({ open }) => {
      const made = { sub: 'x', role: 'admin', rights: [{ read: true }], picture: null }
      const app = open({ config: { callbacks: { jwt: () => ({ ...made }) } } })
      const agent = app.agent()
      await signIn(app, agent)
      const now = app.clock.now() / 1000
      const claims = await reveal(app, agent.cookies()[sessionCookie] ?? '', sessionCookie)
      expect(claims).toEqual({ ...made, iat: now, exp: now + 30 * 86_400, jti: expect.any(String) })
      expect(await sessionOf(agent)).toEqual({
        user: { image: null },
        expires: new Date((now + 30 * 86_400) * 1000).toISOString(),
      })
    },
  ),

  scenario(
    'WIR-023 the callback URL is stored as an absolute URL, and written when it changes',
    async ({ open }) => {
      const app = open()
      const agent = app.agent()
      const written = async (callbackUrl: string) =>
        cookiesOf(await startSignIn(agent, 'idp', { callbackUrl }))
          .get(callbackUrlCookie)
          ?.split(';')[0]
      expect(await written('/here')).toBe(`${callbackUrlCookie}=https%3A%2F%2Fapp.test%2Fhere`)
      expect(await written('https://app.test/here')).toBeUndefined()
      expect(await written('/there')).toBe(`${callbackUrlCookie}=https%3A%2F%2Fapp.test%2Fthere`)
      expect(app.ended()).toBe('sentToProvider')
    },
  ),
]
