import { describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import GitHub from '../../src/providers/github.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

/** A site whose adapter can read from a replica that knows nothing yet. */
function openSite(lagging: (store: Required<Adapter>) => Partial<Adapter>) {
  const store = memoryAdapter()
  const replica = lagging(memoryAdapter())
  let isBehind = false
  const reads = Object.keys(replica).map((name) => [
    name,
    (...args: readonly unknown[]) => {
      const from: object = isBehind ? replica : store
      return (Reflect.get(from, name) as (...given: readonly unknown[]) => unknown)(...args)
    },
  ])
  const adapter = { ...store, ...(Object.fromEntries(reads) as Partial<Adapter>) }
  const auth = createAuth({
    providers: [GitHub],
    adapter,
    logger: { error() {}, warn() {} },
  })
  const visit = () => openAgent('http://localhost', auth.handler)
  return { auth, store, visit, lag: (value: boolean) => void (isBehind = value) }
}

describe('reads from a replica, as the deployment guide describes them', () => {
  useGitHub()

  it('sign a user out who has just signed in', async () => {
    const { visit, lag } = openSite(({ getSessionAndUser }) => ({ getSessionAndUser }))
    const agent = visit()
    lag(true)
    await signInWithGitHub(agent)
    expect(await sessionOf(agent)).toBeNull()
    lag(false)
    expect(await sessionOf(agent)).toBeNull()
  })

  it('refuse the second sign-in of a user', async () => {
    const { visit, lag } = openSite(({ getUserByAccount, getUserByEmail, getAccount }) => ({
      getUserByAccount,
      getUserByEmail,
      getAccount,
    }))
    await signInWithGitHub(visit())
    lag(true)
    const agent = visit()
    await signInWithGitHub(agent)
    expect(await sessionOf(agent)).toBeNull()
  })

  it('let new sessions survive a revocation', async () => {
    const { auth, store, visit, lag } = openSite(({ listSessionsByUserId }) => ({ listSessionsByUserId }))
    const agent = visit()
    await signInWithGitHub(agent)
    const user = await store.getUserByEmail('ada@example.com')
    lag(true)
    await auth.revokeSessions(user?.id ?? '')
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
  })
})
