import { describe, expect, it, vi } from 'vitest'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { openAgent } from '../support/browser-agent.ts'
import { startSignIn, useGitHub } from './github.ts'

describe('the guides on places', () => {
  useGitHub()

  it('sub-path: returns to the application, and to no other one on the same host', async () => {
    vi.stubEnv('AUTH_URL', 'https://example.com')
    const { auth } = await import('../../docs/examples/proxies/sub-path.ts')
    const agent = openAgent('https://example.com', auth.handler)
    const post = async (path: string, form: Record<string, string> = {}) => {
      const page = await agent.send('/shop/auth/csrf')
      const { csrfToken } = (await page.json()) as { csrfToken: string }
      return (await agent.send(`/shop/auth/${path}`, { form: { csrfToken, ...form } })).headers.get(
        'location',
      )
    }
    const signIn = async (form?: Record<string, string>) => {
      const { searchParams } = new URL((await post('signin/github', form)) ?? '')
      expect(searchParams.get('redirect_uri')).toBe('https://example.com/shop/auth/callback/github')
      const returned = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' })
      return (await agent.send(`/shop/auth/callback/github?${returned}`)).headers.get('location')
    }
    expect(await signIn()).toBe('https://example.com/shop/')
    expect(await signIn({ callbackUrl: '/shop/cart' })).toBe('https://example.com/shop/cart')
    expect(await signIn({ callbackUrl: '/elsewhere' })).toBe('https://example.com/shop/')
    expect(await post('signout')).toBe('https://example.com/shop/')
  })

  it('internal-provider: sends browsers to the public address, and its own requests to the internal one', async () => {
    const issuer = 'https://id.example.com/realms/main'
    const idp = createIdp({
      issuer,
      clients: [{ id: 'client', secret: 'client-secret' }],
      users: [{ sub: 'ada', claims: { name: 'Ada' } }],
      now: () => Date.now(),
    })
    const requested: string[] = []
    const paths = { token: 'token', certs: 'jwks' }
    vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
      requested.push(input)
      const path = /^http:\/\/keycloak:8080\/realms\/main\/protocol\/openid-connect\/(token|certs)$/.exec(
        input,
      )?.[1]
      if (path === undefined) throw new Error(`unexpected request to ${input}`)
      return idp.fetch(`${issuer}/${paths[path as keyof typeof paths]}`, init)
    })
    vi.stubEnv('AUTH_KEYCLOAK_ID', 'client')
    vi.stubEnv('AUTH_KEYCLOAK_SECRET', 'client-secret')
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    const { auth } = await import('../../docs/examples/deploying/internal-provider.ts')
    const agent = openAgent('http://localhost', auth.handler)
    const asked = await startSignIn(agent, 'keycloak')
    expect(asked.href).toContain(`${issuer}/protocol/openid-connect/auth?`)
    const { parameters } = await idp.authorize(`${issuer}/authorize${asked.search}`)
    await agent.send(`/auth/callback/keycloak?${parameters}`)
    expect(await (await agent.send('/auth/session')).json()).toMatchObject({ user: { name: 'Ada' } })
    expect(new Set(requested.map((url) => new URL(url).host))).toEqual(new Set(['keycloak:8080']))
  })
})
