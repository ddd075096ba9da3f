import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config as loggedOut } from '../../docs/examples/providers/back-channel-logout.ts'
import { company } from '../../docs/examples/providers/company.ts'
import { forum } from '../../docs/examples/providers/forum.ts'
import { recent } from '../../docs/examples/providers/recent.ts'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { csrfOf, sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { comeBack, startSignIn, stubClient } from './github.ts'

const origin = 'http://localhost'

describe('the programs of the providers guide', () => {
  beforeEach(stubClient)
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  const open = (provider: AuthConfig['providers'][number]) =>
    openAgent(origin, createAuth({ providers: [provider] }).handler)

  it('sign in at an issuer, with the client of the environment', async () => {
    vi.stubEnv('AUTH_COMPANY_ID', 'we')
    vi.stubEnv('AUTH_COMPANY_SECRET', 'our-secret')
    const idp = createIdp({
      issuer: 'https://id.company.example',
      clients: [{ id: 'we', secret: 'our-secret', redirectUris: [`${origin}/auth/callback/company`] }],
      users: [{ sub: 'ada', claims: { name: 'Ada' } }],
    })
    vi.stubGlobal('fetch', idp.fetch)
    const agent = open(company)
    const { parameters } = await idp.authorize((await startSignIn(agent, 'company')).href)
    await agent.send(`/auth/callback/company?${parameters}`)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  })

  it.each([
    ['a minute ago', 60, '', true],
    ['an hour ago', 3600, '', false],
    ['a minute ago, for a request that demands it now', 60, '?max_age=0', false],
    ['an hour ago, for a request that allows it', 3600, '?max_age=9999', false],
  ])('OI-25 demand a sign-in at the provider within five minutes: %s', async (_, age, query, isAccepted) => {
    vi.stubEnv('AUTH_COMPANY_ID', 'we')
    vi.stubEnv('AUTH_COMPANY_SECRET', 'our-secret')
    const idp = createIdp({
      issuer: 'https://id.company.example',
      users: [{ sub: 'ada', claims: { name: 'Ada', auth_time: Math.floor(Date.now() / 1000) - age } }],
    })
    vi.stubGlobal('fetch', idp.fetch)
    const agent = open(recent)
    const form = { csrfToken: await csrfOf(agent) }
    const started = await agent.send(`/auth/signin/company${query}`, { form })
    const { parameters } = await idp.authorize(started.headers.get('location') ?? '')
    await agent.send(`/auth/callback/company?${parameters}`)
    const signedIn: unknown = expect.objectContaining({
      user: expect.objectContaining({ name: 'Ada' }) as object,
    })
    expect(await sessionOf(agent)).toEqual(isAccepted ? signedIn : null)
  })

  it('BCL-01 BCL-06 accept logout tokens of the provider', async () => {
    vi.stubEnv('AUTH_COMPANY_ID', 'we')
    vi.stubEnv('AUTH_COMPANY_SECRET', 'our-secret')
    const body = new URLSearchParams({ logout_token: 'no token' })
    const request = new Request(`${origin}/auth/backchannel-logout`, { method: 'POST', body })
    const logger = { error() {} }
    expect((await createAuth({ ...loggedOut, logger }).handler(request)).status).toBe(400)
  })

  it('sign in with three endpoints, and map the userinfo response', async () => {
    vi.stubEnv('AUTH_FORUM_ID', 'we')
    vi.stubEnv('AUTH_FORUM_SECRET', 'our-secret')
    const answers: Record<string, unknown> = {
      '/oauth/token': { access_token: 'of-ada', token_type: 'bearer' },
      '/api/me': { member_id: 7, nick: 'ada' },
    }
    vi.stubGlobal('fetch', (input: URL | string) =>
      Promise.resolve(Response.json(answers[new URL(input).pathname])),
    )
    const agent = open(forum)
    const asked = await startSignIn(agent, 'forum')
    expect(asked.searchParams.get('scope')).toBe('member')
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
    // The forum does not advertise PKCE.
    expect(asked.searchParams.get('state')).toBeTruthy()
    await comeBack(agent, 'forum', asked)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'ada' } })
  })
})
