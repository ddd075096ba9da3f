import { describe, expect, it } from 'vitest'
import { callbacks } from '../../docs/examples/sessions/claims.ts'
import { openApp, sessionOf, signIn } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

describe('the programs of the sessions guide', () => {
  useGitHub()

  it('end a session immediately when its row is deleted', async () => {
    const { adapter, auth } = await import('../../docs/examples/sessions/revocable.ts')
    const agent = openAgent('http://localhost', auth.handler)
    await signInWithGitHub(agent)
    const token = agent.cookies()['authjs.session-token'] ?? ''
    const held = await adapter.getSessionAndUser(token)
    const days = ((held?.session.expires.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
    await adapter.deleteSession(token)
    expect(await sessionOf(agent)).toBeNull()
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
