import { beforeEach, describe, expect, it, vi } from 'vitest'
import { csrfOf, sessionOf } from '../support/app.ts'
import { type Agent, openAgent } from '../support/browser-agent.ts'
import { copyCookies } from '../support/follow-link.ts'
import { comeBack, startSignIn, useGitHub } from './github.ts'

const [acme, globex] = ['https://acme.example.com', 'https://globex.example.com']

/** Opens the program of the guide as a server that has just started. */
async function openProgram(secrets: Readonly<Record<'ACME_SECRET' | 'GLOBEX_SECRET', string>>) {
  vi.resetModules()
  // As the guide requires, because these variables would fill in missing values of a tenant.
  for (const name of ['AUTH_SECRET', 'AUTH_GITHUB_ID', 'AUTH_GITHUB_SECRET']) vi.stubEnv(name, undefined)
  for (const name of ['ACME_GITHUB_SECRET', 'GLOBEX_GITLAB_SECRET']) vi.stubEnv(name, 'a client secret')
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value)
  const program = await import('../../docs/examples/tenants/auth.ts')
  const site = (request: Request) =>
    new URL(request.url).pathname === '/members' ? program.showMembers(request) : program.handle(request)
  return { ...program, open: (origin: string) => openAgent(origin, site) }
}

const ownSecrets = {
  ACME_SECRET: 'the secret of acme, which is long enough',
  GLOBEX_SECRET: 'the secret of globex, which is long enough',
}

async function signIn(agent: Agent, provider: string): Promise<void> {
  await comeBack(agent, provider, await startSignIn(agent, provider))
}

function useGitLab(): void {
  beforeEach(() => {
    const others = globalThis.fetch
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      const { hostname, pathname } = new URL(input instanceof Request ? input.url : input)
      if (hostname !== 'gitlab.com') return others(input, init)
      if (pathname === '/oauth/token')
        return Promise.resolve(Response.json({ access_token: 'of-eve', token_type: 'bearer' }))
      return Promise.resolve(Response.json({ id: 2, username: 'eve', name: 'Eve', email: 'eve@example.com' }))
    })
  })
}

describe('the program of the guide on tenants', () => {
  useGitHub()
  useGitLab()

  it('signs users in at their own tenant, with the providers of that tenant', async () => {
    const { open } = await openProgram(ownSecrets)
    const [ada, eve] = [open(acme), open(globex)]
    await signIn(ada, 'github')
    await signIn(eve, 'gitlab')
    expect(await (await ada.send('/members')).text()).toBe('Hello Ada')
    expect(await (await eve.send('/members')).text()).toBe('Hello Eve')
    expect(Object.keys((await (await ada.send('/auth/providers')).json()) as object)).toEqual(['github'])
    expect(Object.keys((await (await eve.send('/auth/providers')).json()) as object)).toEqual(['gitlab'])
  })

  it.each([
    ['github', acme, globex],
    ['gitlab', globex, acme],
  ])('accepts a session of %s at %s, but not at %s', async (provider, home, elsewhere) => {
    const { open } = await openProgram(ownSecrets)
    const agent = open(home)
    await signIn(agent, provider)
    expect(await sessionOf(copyCookies(agent, open(home)))).toMatchObject({ user: {} })
    const moved = copyCookies(agent, open(elsewhere))
    expect(Object.keys(moved.cookies())).toContain('__Secure-authjs.session-token')
    expect(await sessionOf(moved)).toBeNull()
    expect((await moved.send('/members')).status).toBe(401)
  })

  it('rejects a form that was opened at another tenant', async () => {
    const { open } = await openProgram(ownSecrets)
    const agent = open(acme)
    const form = { csrfToken: await csrfOf(agent) }
    const leadsToProvider = async (at: Agent, provider: string) => {
      const response = await at.send(`/auth/signin/${provider}`, { form })
      return new URL(response.headers.get('location') ?? '', acme).pathname.endsWith('/oauth/authorize')
    }
    expect(await leadsToProvider(copyCookies(agent, open(acme)), 'github')).toBe(true)
    expect(await leadsToProvider(copyCookies(agent, open(globex)), 'gitlab')).toBe(false)
  })

  it('needs a secret for each tenant: with a common one, a session is valid at both', async () => {
    const { open } = await openProgram({ ...ownSecrets, GLOBEX_SECRET: ownSecrets.ACME_SECRET })
    const agent = open(acme)
    await signIn(agent, 'github')
    expect(await sessionOf(copyCookies(agent, open(globex)))).toMatchObject({ user: {} })
  })

  it('rejects every request of a tenant without a secret', async () => {
    const { open } = await openProgram({ ...ownSecrets, ACME_SECRET: '' })
    expect((await open(acme).send('/auth/signin')).status).toBe(500)
    expect((await open(globex).send('/auth/signin')).status).toBe(200)
  })

  it('returns 404 for a host that is not in the list', async () => {
    const { open } = await openProgram(ownSecrets)
    for (const host of ['evil.example.com', 'acme.example.com:444', 'acme.example.com.'])
      expect((await open(`https://${host}`).send('/auth/signin')).status, host).toBe(404)
  })

  it('opens a tenant once, and again after a change', async () => {
    const { authOf, closeTenant } = await openProgram(ownSecrets)
    const auth = await authOf(new Request(acme))
    expect(await authOf(new Request(`${acme}/members`))).toBe(auth)
    expect(await authOf(new Request(globex))).not.toBe(auth)
    closeTenant('acme.example.com')
    expect(await authOf(new Request(acme))).not.toBe(auth)
  })
})

describe('what the guide on tenants says', () => {
  useGitHub()

  /** Imported like the program, because both need the same modules. */
  async function load() {
    const { createAuth } = await import('../../src/instance/create-auth.ts')
    const { default: GitHub } = await import('../../src/providers/github.ts')
    const { memoryAdapter } = await import('../../src/adapters/memory.ts')
    return { createAuth, GitHub, memoryAdapter }
  }

  it('AUTH_SECRET stands in for an empty secret, so tenants without one share their sessions', async () => {
    const { createAuth, GitHub } = await load()
    const open = (origin: string) =>
      openAgent(origin, createAuth({ secret: '', trustHost: true, providers: [GitHub] }).handler)
    const agent = open(acme)
    await signIn(agent, 'github')
    expect(await sessionOf(copyCookies(agent, open(globex)))).toMatchObject({ user: { name: 'Ada' } })
  })

  it('a session in a store is valid at every tenant that shares the store, whatever its secret', async () => {
    const { createAuth, GitHub, memoryAdapter } = await load()
    const adapter = memoryAdapter()
    const open = (secret: string, origin: string) => {
      const { handler } = createAuth({ adapter, secret, trustHost: true, providers: [GitHub] })
      return openAgent(origin, handler)
    }
    const agent = open(ownSecrets.ACME_SECRET, acme)
    await signIn(agent, 'github')
    const moved = copyCookies(agent, open(ownSecrets.GLOBEX_SECRET, globex))
    expect(await sessionOf(moved)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('AUTH_URL overrides the host of the request', async () => {
    const { createAuth, GitHub } = await load()
    vi.stubEnv('AUTH_URL', acme)
    const { handler } = createAuth({ trustHost: true, providers: [GitHub] })
    const listed = await handler(new Request(`${globex}/auth/providers`))
    expect(await listed.json()).toMatchObject({ github: { callbackUrl: `${acme}/auth/callback/github` } })
  })

  it('a session cookie with the prefix __Host- works on https', async () => {
    const { createAuth, GitHub } = await load()
    const cookies = { sessionToken: { name: '__Host-session' } }
    const { handler } = createAuth({ trustHost: true, providers: [GitHub], cookies })
    const agent = openAgent(acme, handler)
    await signIn(agent, 'github')
    expect(Object.keys(agent.cookies())).toContain('__Host-session')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  })
})
