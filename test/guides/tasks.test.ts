import { describe, expect, it } from 'vitest'
import { csrfOf } from '../support/app.ts'
import { type Agent, openAgent } from '../support/browser-agent.ts'
import { comeBack, signInWithGitHub, useGitHub } from './github.ts'

const origin = 'http://localhost'

/** A request with the cookies of an agent. */
function ask(agent: Agent, path: string): Request {
  const cookie = Object.entries(agent.cookies())
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return new Request(origin + path, { headers: { cookie, accept: 'application/json' } })
}

describe('the program of the guide on events', () => {
  useGitHub()

  it('records sign-ins, sign-outs and failures', async () => {
    const { auth, log } = await import('../../docs/examples/events/auth.ts')
    const agent = openAgent(origin, auth.handler)
    await signInWithGitHub(agent)
    await agent.send('/auth/signout', { form: { csrfToken: await csrfOf(agent) } })
    expect(log.map(({ what, provider }) => [what, provider])).toEqual([
      ['user created', undefined],
      ['account linked', 'github'],
      ['signed in', 'github'],
      ['signed out', undefined],
    ])
    expect(new Set(log.map(({ userId }) => userId)).size).toBe(1)
    await comeBack(openAgent(origin, auth.handler), 'github', new URL('http://localhost/?state=forged'))
    expect(log.at(-1)).toMatchObject({ what: 'failed: InvalidCheck', userId: undefined })
  })
})

describe('the program of the guide on roles', () => {
  useGitHub()

  it('admits administrators only, and changes take effect at once', async () => {
    const { auth, requireAdmin, roles } = await import('../../docs/examples/roles/auth.ts')
    const agent = openAgent(origin, auth.handler)
    const statusOf = async () => {
      const found = await requireAdmin(ask(agent, '/admin'))
      return found instanceof Response ? found.status : found.session.user.role
    }
    expect(await statusOf()).toBe(401)
    await signInWithGitHub(agent)
    expect(await statusOf()).toBe(403)
    const session = await auth.getSession(ask(agent, '/'))
    const id = session?.user.id ?? ''
    roles.set(id, 'admin')
    expect(await statusOf()).toBe('admin')
    roles.delete(id)
    expect(await statusOf()).toBe(403)
  })
})

describe('the programs of the guide on pages', () => {
  useGitHub()

  it('sign in from a custom page, with redirects to allowed origins only', async () => {
    const { auth } = await import('../../docs/examples/pages/auth.ts')
    const { showLogin } = await import('../../docs/examples/pages/login.ts')
    const agent = openAgent(origin, (request) =>
      new URL(request.url).pathname === '/login' ? showLogin(request) : auth.handler(request),
    )
    /** Signs in on the page of this location. `answer` is the response of the provider. */
    const signInOn = async (location: URL, answer: typeof comeBack) => {
      expect(location.pathname).toBe('/login')
      const page = await (await agent.send(location.pathname + location.search)).text()
      const field = (name: string) =>
        (new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '').replaceAll(
          /&#(\d+);/g,
          (_, code) => String.fromCharCode(Number(code)),
        )
      const form = { csrfToken: field('csrfToken'), callbackUrl: field('callbackUrl') }
      const started = await agent.send('/auth/signin/github', { form })
      const ended = await answer(agent, 'github', new URL(started.headers.get('location') ?? ''))
      return ended.headers.get('location')
    }
    const open = async (callbackUrl: string) => {
      const led = await agent.send(`/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)
      return new URL(led.headers.get('location') ?? '', origin)
    }
    const signIn = async (callbackUrl: string) => signInOn(await open(callbackUrl), comeBack)
    const cancel: typeof comeBack = (browser, provider, { searchParams }) =>
      browser.send(`/auth/callback/${provider}?error=access_denied&state=${searchParams.get('state') ?? ''}`)
    expect(await signIn('/members?a=1')).toBe(`${origin}/members?a=1`)
    expect(await signIn('https://shop.example.com/cart')).toBe('https://shop.example.com/cart')
    expect(await signIn('https://evil.example.com/')).toBe(`${origin}/`)
    const cancelled = new URL((await signInOn(await open('/orders/7'), cancel)) ?? '', origin)
    expect(cancelled.searchParams.get('error')).toBe('OAuthCallbackError')
    expect(await signInOn(cancelled, comeBack)).toBe(`${origin}/orders/7`)
    const refused = await agent.send('/login?error=AccessDenied&callbackUrl="><script>')
    const text = await refused.text()
    expect(text).toContain('You do not have access to this site.')
    expect(text).not.toContain('<script>')
  })

  it('give the built-in pages a colour and a logo', async () => {
    const { auth } = await import('../../docs/examples/pages/theme.ts')
    const page = await (await openAgent(origin, auth.handler).send('/auth/signin')).text()
    expect(page).toContain('#0f766e')
    expect(page).toContain('src="/logo.svg"')
  })
})
