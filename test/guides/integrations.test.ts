import { describe, expect, it } from 'vitest'
import Credentials from '../../src/providers/credentials.ts'
import { openPage } from '../client/tabs.ts'
import { openApp } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

describe('the programs of the integrations guide', () => {
  useGitHub()

  it('admit signed-in users, and redirect others to the sign-in page', async () => {
    const { handle, auth } = await import('../../docs/examples/integrations/protect.ts')
    const agent = openAgent('http://localhost', (request) =>
      new URL(request.url).pathname.startsWith('/auth/') ? auth.handler(request) : handle(request),
    )
    const led = await agent.send('/members', { headers: { accept: 'text/html' } })
    expect([led.status, led.headers.get('location')]).toEqual([303, expect.stringContaining('/auth/signin')])
    expect((await agent.send('/members', { headers: { accept: 'application/json' } })).status).toBe(401)
    await signInWithGitHub(agent)
    expect(await (await agent.send('/members')).json()).toMatchObject({ name: 'Ada' })
  })

  it('admit signed-in users to a page behind middleware, and extend their session', async () => {
    const { auth } = await import('../../docs/examples/integrations/protect.ts')
    const { middleware } = await import('../../docs/examples/integrations/middleware.ts')
    const show = async () => new Response('members')
    const agent = openAgent('http://localhost', (request) =>
      new URL(request.url).pathname.startsWith('/auth/') ? auth.handler(request) : middleware(request, show),
    )
    expect((await agent.send('/members')).status).toBe(401)
    await signInWithGitHub(agent)
    const admitted = await agent.send('/members')
    expect(await admitted.text()).toBe('members')
    expect(admitted.headers.getSetCookie().join()).toContain('session-token=ey')
    expect(admitted.headers.get('cache-control')).toBe('private, no-store')
  })

  it('sign in from a page, and show the session', async () => {
    const provider = Credentials({
      credentials: { name: {}, pin: {} },
      authorize: ({ name, pin }) => (pin === '1234' ? { id: 'ada', name: String(name) } : null),
    })
    openPage(openApp({ providers: [provider] }).agent())
    const { greet, signInByPin } = await import('../../docs/examples/integrations/browser.ts')
    const element = { textContent: null }
    const stop = greet(element)
    expect(await signInByPin('Ada', 'wrong')).toBe('Refused: credentials')
    expect(await signInByPin('Ada', '1234')).toBe('Welcome')
    await expect.poll(() => element.textContent).toBe('Ada')
    stop()
  })
})
