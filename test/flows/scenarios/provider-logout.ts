import { expect } from 'vitest'
import type { CallbacksOptions } from '../../../src/types/callbacks.ts'
import { issuer, sessionOf, signIn, signOut, type AppOptions } from '../../support/app.ts'
import { sessionCookie } from '../../support/session-cookie.ts'
import { scenario, type Stage } from '../scenario.ts'

type EndSession = NonNullable<CallbacksOptions['endSession']>

const endpoint = `${issuer}/logout?tenant=1`
const canLogOut: AppOptions['idp'] = { metadata: { end_session_endpoint: endpoint } }

/** Signs Ada in and out. @returns the address to which her browser is redirected */
async function leave(open: Stage['open'], endSession: EndSession | undefined, options: AppOptions = {}) {
  const callbacks: Partial<CallbacksOptions> = {
    ...(endSession && { endSession }),
    jwt: ({ token, account }) => (account ? { ...token, idToken: account.id_token } : token),
  }
  const app = open({ idp: canLogOut, ...options, config: { callbacks } })
  const agent = app.agent()
  await signIn(app, agent)
  const response = await signOut(agent, { callbackUrl: '/bye' })
  expect(agent.cookies()).not.toHaveProperty(sessionCookie)
  expect(await sessionOf(agent)).toBeNull()
  return { app, to: new URL(response.headers.get('location') ?? '') }
}

/** A sign-out that continues at the provider. */
export const providerLogoutScenarios = [
  scenario('OPT-004 a sign-out redirects to the provider, and from there back', async ({ open }) => {
    const endSession: EndSession = (ended) =>
      'token' in ended ? { provider: 'idp', idToken: String(ended.token['idToken']) } : null
    const { app, to } = await leave(open, endSession)
    expect(to.origin + to.pathname).toBe(`${issuer}/logout`)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      tenant: '1',
      id_token_hint: expect.stringMatching(/^eyJ/) as string,
      client_id: 'client',
      post_logout_redirect_uri: 'https://app.test/bye',
    })
    expect(app.ended()).not.toBe('faulted')
    expect(app.events.map(({ event }) => event)).toContain('signOut')
    expect(app.errors).toEqual([])
  }),

  scenario(
    'OPT-004 a sign-out of a database session redirects to the provider without an id_token',
    async ({ open }) => {
      const received: object[] = []
      const endSession: EndSession = (ended) => {
        received.push(ended)
        return { provider: 'idp' }
      }
      const { app, to } = await leave(open, endSession, { strategy: 'database' })
      expect(received).toEqual([
        { session: expect.objectContaining({ userId: app.rows.users()[0]?.id }) as object },
      ])
      expect([...to.searchParams.keys()]).toEqual(['tenant', 'client_id', 'post_logout_redirect_uri'])
      expect(app.rows.sessions()).toEqual([])
    },
  ),

  scenario(
    'OPT-004 a sign-out stays on the site if `endSession` is not configured or returns null, or if there is no session',
    async ({ open }) => {
      let asked = 0
      for (const endSession of [undefined, () => null])
        expect((await leave(open, endSession)).to.href).toBe('https://app.test/bye')
      const endSession: EndSession = () => (asked++, { provider: 'idp' })
      for (const strategy of ['jwt', 'database'] as const) {
        const app = open({ strategy, idp: canLogOut, config: { callbacks: { endSession } } })
        const agent = app.agent()
        const response = await signOut(agent, { callbackUrl: '/bye' })
        expect(response.headers.get('location')).toBe('https://app.test/bye')
        await signIn(app, agent)
        for (const row of app.rows.sessions()) await app.store.deleteSession(row.sessionToken)
        if (strategy === 'database') await signOut(agent)
      }
      expect(asked).toBe(0)
    },
  ),

  scenario(
    'OPT-005 the user is signed out of the application even if the provider sign-out fails',
    async ({ open }) => {
      const broken: readonly (readonly [EndSession, AppOptions])[] = [
        [() => ({ provider: 'idp' }), { idp: {} }],
        [() => ({ provider: 'idp' }), { idp: { metadata: { end_session_endpoint: 'http://[' } } }],
        [() => ({ provider: 'nobody' }), {}],
        [
          () => {
            throw new Error('no')
          },
          {},
        ],
      ]
      for (const [endSession, options] of broken) {
        const { app, to } = await leave(open, endSession, options)
        expect(to.href).toBe('https://app.test/bye')
        expect(app.errors.map(({ name }) => name)).toEqual(['SignOutError'])
      }
    },
  ),
]
