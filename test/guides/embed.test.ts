import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

describe('the embedding instructions', () => {
  useGitHub()
  beforeEach(() => {
    vi.stubEnv('PORT', '0')
  })

  it('of the guide greet the signed-in user', async () => {
    const { server } = await import('../../docs/examples/embed/server.js')
    await visit(server, async (agent) => {
      expect(await textAt(agent, '/auth/signin')).toContain('GitHub')
      expect(await textAt(agent, '/')).toBe('Sign in at /auth/signin')
      await signInWithGitHub(agent)
      expect(await textAt(agent, '/')).toBe('Hello, Ada')
    })
  })

  it('of the README show the session of the signed-in user', async () => {
    const { server } = await import('../../docs/examples/readme/server.mjs')
    await visit(server, async (agent) => {
      const sent = await agent.send('/', { headers: { accept: 'text/html' } })
      expect(sent.headers.get('location')).toContain('/auth/signin?')
      await signInWithGitHub(agent)
      expect(await (await agent.send('/')).json()).toMatchObject({ user: { email: 'ada@example.com' } })
    })
  })
})

async function textAt(agent: Agent, path: string): Promise<string> {
  return (await agent.send(path)).text()
}

/** Runs a browser against a server, then closes the server. */
async function visit(server: Server, use: (agent: Agent) => Promise<void>): Promise<void> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  try {
    await use(openAgent(origin, (request) => fetch(request, { redirect: 'manual' })))
  } finally {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
}
