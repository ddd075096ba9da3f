import { afterEach, beforeEach, expect, vi } from 'vitest'
import { csrfOf } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

const ada = { id: 1, login: 'ada', name: 'Ada', email: 'ada@example.com', avatar_url: 'https://x.test/a.png' }

/** Answers in the place of github.com until globals are unstubbed; everybody else is reached as before. */
function stubGitHub(): void {
  const real = globalThis.fetch
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname === 'github.com')
      return Promise.resolve(Response.json({ access_token: 'of-ada', token_type: 'bearer' }))
    if (hostname === 'api.github.com') return Promise.resolve(Response.json(ada))
    return real(input, init)
  })
}

/** The environment of the guides: a secret, and a client at GitHub. */
export function stubClient(): void {
  vi.stubEnv('AUTH_SECRET', 'a secret of the guides, long enough')
  vi.stubEnv('AUTH_GITHUB_ID', 'client')
  vi.stubEnv('AUTH_GITHUB_SECRET', 'client-secret')
}

/** Posts the form of the sign-in page, and answers where it leads. */
export async function startSignIn(agent: Agent, provider: string): Promise<URL> {
  const csrfToken = await csrfOf(agent)
  const started = await agent.send(`/auth/signin/${provider}`, { form: { csrfToken } })
  return new URL(started.headers.get('location') ?? 'nowhere:')
}

/** Comes back from a provider that consented, and answers the response. */
export function comeBack(agent: Agent, provider: string, { searchParams }: URL): Promise<Response> {
  const answer = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' })
  return agent.send(`/auth/callback/${provider}?${answer}`)
}

/** Surrounds each test of a suite with that environment, and with somebody who answers for github.com. */
export function useGitHub(): void {
  beforeEach(() => {
    stubClient()
    stubGitHub()
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
}

/** Signs in all the way. */
export async function signInWithGitHub(agent: Agent): Promise<void> {
  const asked = await startSignIn(agent, 'github')
  expect(asked.origin + asked.pathname).toBe('https://github.com/login/oauth/authorize')
  expect(asked.searchParams.get('client_id')).toBe('client')
  await comeBack(agent, 'github', asked)
}
