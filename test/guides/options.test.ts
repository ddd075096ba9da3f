import { afterEach, describe, expect, it, vi } from 'vitest'
import { session as ending } from '../../docs/examples/options/absolute-lifetime.ts'
import { listCalendars } from '../../docs/examples/options/access-token.ts'
import { callbacks as logout } from '../../docs/examples/options/provider-logout.ts'
import { session as remembering } from '../../docs/examples/options/remember-me.ts'
import { config as revoking, signOutEverywhere } from '../../docs/examples/options/revoke-tokens.ts'
import { issuer, openApp, sessionOf, signIn, signOut } from '../support/app.ts'
import { heldSession, plant, sentExpiry } from '../support/session-cookie.ts'

describe('the programs of the options guide', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('OPT-008 call the provider with a valid token, and send users without one to sign in', async () => {
    const asked: Request[] = []
    vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
      asked.push(new Request(input, init))
      return Response.json({ items: [] })
    })
    const request = new Request('https://app.test/calendars')
    const user = { id: '1', email: 'ada@example.com' }
    const getSession = async () => ({ user, expires: '2030-01-01', googleId: '7' })
    const current = { state: 'current', accessToken: 'at' } as const
    const keys: object[] = []
    const getAccessToken = async (key: object) => {
      keys.push(key)
      return current
    }
    expect((await listCalendars(request, { getSession, getAccessToken })).status).toBe(200)
    expect(keys).toEqual([{ provider: 'google', providerAccountId: '7' }])
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer at'])
    const lapsed = { getSession, getAccessToken: async () => ({ state: 'lapsed' }) as const }
    expect((await listCalendars(request, lapsed)).headers.get('location')).toBe(
      'https://app.test/auth/signin',
    )
    const nobody = { getSession: async () => null, getAccessToken }
    expect((await listCalendars(request, nobody)).status).toBe(401)
    expect(asked).toHaveLength(1)
  })

  it('OPT-004 sign out at the provider', async () => {
    const idp = { metadata: { end_session_endpoint: `${issuer}/logout` } }
    const app = openApp({ idp, config: { callbacks: logout } })
    const agent = app.agent()
    await signIn(app, agent)
    const to = new URL((await signOut(agent)).headers.get('location') ?? '')
    expect(to.origin + to.pathname).toBe(`${issuer}/logout`)
    expect(to.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  })

  it('OPT-006 end sessions that started before the programs were deployed', async () => {
    const app = openApp({ strategy: 'jwt-stored' })
    const agent = app.agent()
    await signIn(app, agent)
    const deployed = openApp({ strategy: 'jwt-stored', config: revoking })
    const later = deployed.agent()
    plant(later, heldSession(agent))
    expect(await sessionOf(later)).not.toBeNull()
    signOutEverywhere(app.rows.users()[0]?.id ?? '')
    expect(await sessionOf(later)).toBeNull()
  })

  it('OPT-006 end every session of a user, but none that starts later', async () => {
    const app = openApp({ strategy: 'jwt-stored', config: revoking })
    const agents = [app.agent(), app.agent()]
    for (const agent of agents) await signIn(app, agent)
    const user = app.rows.users()[0]?.id ?? ''
    signOutEverywhere('another user')
    for (const agent of agents) expect(await sessionOf(agent)).not.toBeNull()
    signOutEverywhere(user)
    for (const agent of agents) expect(await sessionOf(agent)).toBeNull()
    signOutEverywhere(user, 0)
    const later = app.agent()
    await signIn(app, later)
    expect(await sessionOf(later)).not.toBeNull()
  })

  it('OPT-007 remember a browser if its user chooses so', async () => {
    for (const [cookie, hours] of [
      ['remember=yes', 90 * 24],
      ['remember=no', 8],
    ] as const) {
      const app = openApp({ strategy: 'database', config: { session: remembering } })
      const agent = app.agent()
      agent.set(`${cookie}; Path=/; Secure`)
      const expires = sentExpiry(await signIn(app, agent)) ?? 0
      expect((expires - app.clock.now()) / 3_600_000).toBe(hours)
    }
  })

  it('OPT-060 end a session that is in use after a week', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const app = openApp({ strategy, config: { session: { ...ending } } })
      const agent = app.agent()
      await signIn(app, agent)
      for (let halves = 1; halves < 14; halves++) {
        app.clock.advance(12 * 3600)
        expect(await sessionOf(agent)).not.toBeNull()
      }
      app.clock.advance(12 * 3600)
      expect(await sessionOf(agent)).toBeNull()
    }
  })
})
