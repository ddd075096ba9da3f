import { maxHeaderSize, type ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createNodeAuth, type NodeRequest } from '../../src/node.ts'
import Credentials from '../../src/providers/credentials.ts'
import { openAgent } from '../support/browser-agent.ts'
import { serve } from './server.ts'

/** Signs in with a session of this length on a server. Returns what happened. */
async function visit(length: number) {
  const warnings: string[] = []
  const errors: string[] = []
  const auth = createAuth({
    secret: 'a secret of the tests, long enough',
    trustHost: true,
    // A warning appears at most once a minute for each name.
    cookies: { sessionToken: { name: `session-${length}` } },
    logger: { error: ({ message }) => void errors.push(message), warn: (code) => void warnings.push(code) },
    callbacks: { jwt: ({ token }) => ({ ...token, padding: 'x'.repeat(length) }) },
    providers: [Credentials({ credentials: { name: {} }, authorize: () => ({ id: 'ada', name: 'Ada' }) })],
  })
  const { handler } = createNodeAuth(auth)
  const statuses: number[] = []
  let readUser = ''
  const listener = (request: NodeRequest, response: ServerResponse) => handler(request, response)
  await serve(listener, async (_, origin) => {
    const agent = openAgent(origin, (request) => fetch(request, { redirect: 'manual' }))
    const csrf = async () =>
      ((await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }).csrfToken
    const csrfToken = await csrf()
    statuses.push((await agent.send('/auth/callback/credentials', { form: { csrfToken } })).status)
    const session = await agent.send('/auth/session')
    statuses.push(session.status)
    readUser = await session.text()
    statuses.push((await agent.send('/auth/signout', { form: { csrfToken: await csrf() } })).status)
    const left = await agent.send('/auth/session')
    expect(await left.text()).toBe('null')
  })
  return { warnings: new Set(warnings), errors, statuses, isSignedIn: readUser.includes('Ada') }
}

describe('a session on a server with a limit for headers', () => {
  it('CK-18 is refused aloud if the server would refuse it, so that every user can sign out', async () => {
    const seen = new Set<boolean>()
    for (let length = 1000; length < maxHeaderSize; length += 1000) {
      const { isSignedIn, statuses, errors, warnings } = await visit(length)
      expect(statuses).toEqual([302, 200, 302])
      expect(errors.length).toBe(isSignedIn ? 0 : 1)
      if (!isSignedIn) expect(errors[0]).toContain('--max-http-header-size')
      expect(warnings.has('large-session')).toBe(isSignedIn && length > 5000)
      seen.add(isSignedIn)
    }
    expect(seen.size).toBe(2)
  })
})
