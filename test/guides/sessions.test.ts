import { describe, expect, it } from 'vitest'
import { callbacks } from '../../docs/examples/sessions/claims.ts'
import { openApp, sessionOf, signIn } from '../support/app.ts'
import { type Agent, openAgent } from '../support/browser-agent.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

describe('the programs of the sessions guide', () => {
  useGitHub()

  it('OPT-040 OPT-041 OPT-042 list sessions, and end one, all others, or all of them', async () => {
    const { auth } = await import('../../docs/examples/sessions/auth.ts')
    const { handleAccount } = await import('../../docs/examples/sessions/account-page.ts')
    const open = async () => {
      const agent = openAgent('http://localhost', auth.handler)
      await signInWithGitHub(agent)
      return agent
    }
    const ask = (agent: Agent, end?: string) => {
      const cookie = `authjs.session-token=${agent.cookies()['authjs.session-token'] ?? ''}`
      const body = end === undefined ? null : new URLSearchParams({ end })
      const method = body ? 'POST' : 'GET'
      return handleAccount(new Request('http://localhost/account', { method, body, headers: { cookie } }))
    }
    const [phone, laptop, tablet] = [await open(), await open(), await open()]
    const liveAmong = () =>
      Promise.all([phone, laptop, tablet].map(async (agent) => (await sessionOf(agent)) !== null))

    const page = await (await ask(phone)).text()
    expect(page.match(/Another device/g)).toHaveLength(2)
    expect(page.match(/This device/g)).toHaveLength(1)
    for (const agent of [phone, laptop, tablet])
      expect(page).not.toContain(agent.cookies()['authjs.session-token'])
    const [, id = ''] = /Another device[^]*?value="(\w+)"/.exec(page) ?? []
    expect((await ask(phone, id)).status).toBe(303)
    expect((await liveAmong()).filter(Boolean)).toHaveLength(2)
    expect((await liveAmong())[0]).toBe(true)

    await ask(phone, 'others')
    expect(await liveAmong()).toEqual([true, false, false])
    const [next] = [await open()]
    await ask(next, 'all')
    expect(await liveAmong()).toEqual([false, false, false])
    expect(await sessionOf(next)).toBeNull()
    expect((await ask(next)).headers.get('location')).toBe('http://localhost/auth/signin')
  })

  it('OPT-043 delete the account', async () => {
    const { auth } = await import('../../docs/examples/sessions/auth.ts')
    const { handleAccount } = await import('../../docs/examples/sessions/account-page.ts')
    const agent = openAgent('http://localhost', auth.handler)
    await signInWithGitHub(agent)
    const headers = { cookie: `authjs.session-token=${agent.cookies()['authjs.session-token']}` }
    const request = new Request('http://localhost/account', { headers })
    const userId = (await auth.getSession(request))?.user?.id ?? ''

    const body = new URLSearchParams({ end: 'account' })
    await handleAccount(new Request(request, { method: 'POST', body }))
    expect(await sessionOf(agent)).toBeNull()
    await signInWithGitHub(agent)
    expect((await sessionOf(agent))?.['user']).not.toMatchObject({ id: userId })
  })

  it('show which claims the token keeps from a sign-in', async () => {
    const users = [{ sub: 'ada', claims: { name: 'Ada', groups: ['staff'] } }]
    const app = openApp({ config: { callbacks }, idp: { users } })
    const agent = app.agent()
    await signIn(app, agent)
    const session = await sessionOf(agent)
    expect(session).toMatchObject({
      user: { id: expect.any(String) as string, name: 'Ada' },
      groups: ['staff'],
    })
    // A second read returns the same. Without a store, another sign-in creates a new user.
    expect((await sessionOf(agent))?.['user']).toEqual(session?.['user'])
    await signIn(app, agent)
    expect((await sessionOf(agent))?.['user']).not.toEqual(session?.['user'])
  })
})
