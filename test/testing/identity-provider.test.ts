import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  mockIdentityProvider,
  serveIdentityProvider,
  type IdentityProvider,
  type Misbehaviour,
} from '../../fuzz/testing/index.ts'
import { mswHandlers } from '../../fuzz/testing/msw.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import Google from '../../src/providers/google.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { sessionOf, startSignIn } from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'

const origin = 'http://localhost'
const ada = { sub: '1', name: 'Ada', email: 'ada@example.com' }
const bob = { sub: '2', name: 'Bob', email: 'bob@example.com' }
const client = { clientId: 'any', clientSecret: 'of no matter' }

function openSite(provider: AuthConfig['providers'][number]): Agent {
  const logger = { error() {}, warn() {} }
  const secret = 'a secret for the tests that is long enough'
  return openAgent(origin, createAuth({ providers: [provider], secret, trustHost: true, logger }).handler)
}

/** Signs in at the provider by following its response to the browser. */
async function signInAt(provider: IdentityProvider, agent: Agent, id: string): Promise<Response> {
  const asked = (await startSignIn(agent, id)).headers.get('location') ?? ''
  const { redirectUri, parameters } = await provider.authorize(asked)
  return agent.send(`${new URL(redirectUri).pathname}?${parameters}`)
}

describe('an identity provider behind msw', () => {
  const server = setupServer()
  beforeAll(() => server.listen())
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  function openGoogle(misbehave: readonly Misbehaviour[] = []) {
    const google = mockIdentityProvider({
      issuer: 'https://accounts.google.com',
      users: [ada, bob],
      misbehave,
    })
    server.use(...mswHandlers(google))
    return google
  }

  it('KIT-001 replaces the configured one, and signs its users in', async () => {
    const google = openGoogle()
    for (const { sub, name } of [ada, bob]) {
      const agent = openSite(Google(client))
      google.choose(sub)
      await signInAt(google, agent, 'google')
      expect(await sessionOf(agent)).toMatchObject({ user: { name } })
    }
    expect(google.log.map(({ endpoint }) => endpoint)).toContain('token')
  })

  it.each(['signature-foreign', 'nonce-wrong', 'token:500', 'access-denied'] as const)(
    'KIT-002 misbehaves by name: %s signs nobody in',
    async (fault) => {
      const google = openGoogle([fault])
      const agent = openSite(Google(client))
      const answer = await signInAt(google, agent, 'google')
      expect(answer.headers.get('location')).toContain('error=')
      expect(await sessionOf(agent)).toBeNull()
      google.misbehave()
      await signInAt(google, agent, 'google')
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    },
  )

  it('KIT-001 accepts only the configured clients', async () => {
    const provider = mockIdentityProvider({
      issuer: 'https://id.company.test',
      users: [ada],
      clients: [{ id: 'ours', secret: 'right', redirectUris: [`${origin}/auth/callback/company`] }],
    })
    server.use(...mswHandlers(provider))
    const company = { id: 'company', name: 'Company', type: 'oidc', issuer: provider.issuer } as const
    for (const [clientId, clientSecret, name] of [
      ['ours', 'right', 'Ada'],
      ['ours', 'wrong', undefined],
    ] as const) {
      const agent = openSite({ ...company, clientId, clientSecret })
      await signInAt(provider, agent, 'company')
      expect((await sessionOf(agent))?.['user']).toEqual(name && expect.objectContaining({ name }))
    }
    const stranger = openSite({ ...company, clientId: 'theirs', clientSecret: 'right' })
    await expect(signInAt(provider, stranger, 'company')).rejects.toThrow('refused the sign-in')
  })

  it('KIT-001 throws for an unknown user', () => {
    expect(() => openGoogle().choose('eve')).toThrow('Expected one of 1, 2, got the unknown user eve')
  })
})

describe('an identity provider on loopback', () => {
  it('KIT-001 signs its users in over the network', async () => {
    const provider = await serveIdentityProvider({ users: [ada] })
    try {
      const { hostname, port } = new URL(provider.issuer)
      expect([hostname, port]).toEqual(['127.0.0.1', expect.stringMatching(/^[1-9]\d*$/)])
      const agent = openSite({ id: 'local', name: 'Local', type: 'oidc', issuer: provider.issuer, ...client })
      const asked = (await startSignIn(agent, 'local')).headers.get('location') ?? ''
      const sent = await fetch(asked, { redirect: 'manual' })
      const back = new URL(sent.headers.get('location') ?? 'nowhere:')
      await agent.send(`${back.pathname}${back.search}`)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    } finally {
      await provider.close()
    }
    await expect(fetch(provider.issuer)).rejects.toThrow('fetch failed')
  })

  it('KIT-002 closes the connection for a network fault', async () => {
    const provider = await serveIdentityProvider({
      users: [ada],
      misbehave: ['jwks:network-error', 'token:500'],
    })
    try {
      await expect(fetch(`${provider.issuer}/jwks`)).rejects.toThrow('fetch failed')
      expect((await fetch(`${provider.issuer}/token`, { method: 'POST' })).status).toBe(500)
    } finally {
      await provider.close()
    }
  })

  it('KIT-001 reports that its port is taken', async () => {
    const provider = await serveIdentityProvider({ users: [ada] })
    try {
      const port = Number(new URL(provider.issuer).port)
      await expect(serveIdentityProvider({ users: [ada], port })).rejects.toThrow('EADDRINUSE')
    } finally {
      await provider.close()
    }
  })
})
