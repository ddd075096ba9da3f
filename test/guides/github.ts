import { afterEach, beforeEach, expect, vi } from 'vitest'
import { csrfOf } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

const ada = { id: 1, login: 'ada', name: 'Ada', email: 'ada@example.com', avatar_url: 'https://x.test/a.png' }

/** Mocks github.com until globals are unstubbed. Other hosts stay reachable. */
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

/** The environment of the guides: a secret, and a GitHub client. */
export function stubClient(): void {
  vi.stubEnv('AUTH_SECRET', 'a secret for the guides that is long enough')
  vi.stubEnv('AUTH_GITHUB_ID', 'client')
  vi.stubEnv('AUTH_GITHUB_SECRET', 'client-secret')
}

/** Posts the form of the sign-in page. @returns the address it redirects to */
export async function startSignIn(agent: Agent, provider: string): Promise<URL> {
  const csrfToken = await csrfOf(agent)
  const started = await agent.send(`/auth/signin/${provider}`, { form: { csrfToken } })
  return new URL(started.headers.get('location') ?? 'nowhere:')
}

/** Returns from the provider with consent. @returns the response */
export function comeBack(agent: Agent, provider: string, { searchParams }: URL): Promise<Response> {
  const answer = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' })
  return agent.send(`/auth/callback/${provider}?${answer}`)
}

/** Gives each test of a suite this environment and a mock of github.com. */
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

/** Completes a sign-in. */
export async function signInWithGitHub(agent: Agent): Promise<void> {
  const asked = await startSignIn(agent, 'github')
  expect(asked.origin + asked.pathname).toBe('https://github.com/login/oauth/authorize')
  expect(asked.searchParams.get('client_id')).toBe('client')
  await comeBack(agent, 'github', asked)
}
