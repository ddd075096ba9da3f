import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createFastifyAuth, createNodeAuth, type NodeRequest } from '../../src/node.ts'
import { totp } from '../../src/second-factor.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createTestAuth, replyOf, serve } from './server.ts'

/** A store that is down. */
const deadStore = {
  ...memoryAdapter(),
  getSessionAndUser: () => Promise.reject(new Error('connect ECONNREFUSED')),
}
const faults: readonly (readonly [
  name: string,
  config: Partial<AuthConfig>,
  status: number,
  logged: string,
])[] = [
  ['the secret is missing', { secret: '' }, 500, 'MissingSecret'],
  ['the host is not trusted', { trustHost: false }, 500, 'UntrustedHost'],
  ['the store is down', { adapter: deadStore }, 503, 'SessionTokenError'],
]
const visitor = { headers: { cookie: 'authjs.session-token=any; __Secure-authjs.session-token=any' } }

/** A server with a recorded log. */
function open(config: Partial<AuthConfig> = {}) {
  const errors: Error[] = []
  const auth = createTestAuth({ logger: { error: (error) => void errors.push(error), warn() {} }, ...config })
  return { ...createNodeAuth(auth), errors, names: () => [...new Set(errors.map(({ name }) => name))] }
}

describe('a failing request on node:http', () => {
  it.each(faults)('EMB-031 gets a response from requireSession if %s', async (_, config, status, logged) => {
    const { requireSession, names } = open(config)
    let found: unknown = 'not called'
    const bare = async (incoming: NodeRequest, outgoing: ServerResponse) => {
      outgoing.setHeader('Content-Length', '5')
      found = await requireSession(incoming, outgoing)
    }
    await serve(bare, async (agent) => {
      const answer = await agent.send('/', visitor)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        status,
        'private, no-cache, no-store',
      ])
      expect(await answer.text()).toMatch(/^The server c/)
    })
    expect([found, names()]).toEqual([undefined, [logged]])
  })

  it.each(faults)('EMB-031 gets a response from listener if %s', async (_, config, status, logged) => {
    const { getSession, listener, names } = open(config)
    const wrapped = listener(async (incoming, outgoing) => {
      const session = await getSession(incoming, outgoing)
      outgoing.end(JSON.stringify(session))
    })
    await serve(
      async (incoming, outgoing) => wrapped(incoming, outgoing),
      async (agent) => {
        for (const _again of [1, 2]) expect((await agent.send('/', visitor)).status).toBe(status)
      },
    )
    expect(names()).toEqual([logged])
  })

  it('EMB-031 gets a response from listener if the application throws', async () => {
    const { listener, errors } = open()
    const wrapped = listener(() => {
      throw new Error('a bug of the application')
    })
    await serve(
      async (incoming, outgoing) => wrapped(incoming, outgoing),
      async (agent) => expect((await agent.send('/')).status).toBe(500),
    )
    expect(errors).toMatchObject([{ message: 'a bug of the application' }])
  })

  it('EMB-031 is cut off if its response has begun, so that it does not look complete', async () => {
    const { listener, errors } = open()
    const wrapped = listener(async (_incoming, outgoing) => {
      outgoing.write('half')
      await Promise.reject(new Error('too late'))
    })
    await serve(
      async (incoming, outgoing) => wrapped(incoming, outgoing),
      async (agent) => {
        await expect(agent.send('/').then((answer) => answer.text())).rejects.toThrow(
          /terminated|fetch failed/,
        )
      },
    )
    expect(errors).toMatchObject([{ message: 'too late' }])
  })

  it('EMB-031 gets a response from handler if a wrapper around the instance throws', async () => {
    const wrapper = {
      ...createTestAuth(),
      handler: () => Promise.reject(new Error('a bug of the wrapper')),
    }
    await serve(createNodeAuth(wrapper).handler, async (agent) =>
      expect((await agent.send('/auth/session')).status).toBe(500),
    )
  })
})

describe('a requirement of requireSession', () => {
  const secondFactor = totp({ issuer: 'Test' })
  const config = { adapter: memoryAdapter(), secondFactor, session: { strategy: 'jwt' } } as const

  /** Signs in without a second factor, then sends a request to the application. */
  async function visit(listener: Parameters<typeof serve>[0]) {
    let status = 0
    await serve(listener, async (agent) => {
      const { csrfToken } = (await (await agent.send('/auth/csrf')).json()) as { csrfToken: string }
      await agent.send('/auth/callback/credentials', { json: { pin: '1234', csrfToken } })
      const answer = await agent.send('/')
      status = answer.status
    })
    return status
  }

  it('EMB-032 applies on node:http', async () => {
    const { handler, requireSession } = createNodeAuth(createTestAuth(config))
    const listenTo =
      (required?: { factor: boolean }) => async (incoming: NodeRequest, outgoing: ServerResponse) => {
        if (incoming.url?.startsWith('/auth/')) return handler(incoming, outgoing)
        if (await requireSession(incoming, outgoing, required)) outgoing.end('let in')
      }
    expect([await visit(listenTo()), await visit(listenTo({ factor: true }))]).toEqual([200, 401])
  })

  it('EMB-032 applies on Fastify', async () => {
    const auth = createTestAuth(config)
    const { handler } = createNodeAuth(auth)
    const { requireSession } = createFastifyAuth(auth)
    const listenTo =
      (required?: { factor: boolean }) => async (raw: NodeRequest, outgoing: ServerResponse) => {
        if (raw.url?.startsWith('/auth/')) return handler(raw, outgoing)
        if (await requireSession({ raw }, replyOf(outgoing), required)) outgoing.end('let in')
      }
    expect([await visit(listenTo()), await visit(listenTo({ factor: true }))]).toEqual([200, 401])
  })

  it('EMB-032 applies to a wrapper around an instance', async () => {
    const { handler, requireSession } = createNodeAuth({ ...createTestAuth(config) })
    const listen = async (incoming: NodeRequest, outgoing: ServerResponse) => {
      if (incoming.url?.startsWith('/auth/')) return handler(incoming, outgoing)
      if (await requireSession(incoming, outgoing, { factor: true })) outgoing.end('let in')
    }
    expect(await visit(listen)).toBe(401)
  })

  it('EMB-032 is refused if its name is unknown', async () => {
    const misspelt = { factr: true } as object
    const { handler, requireSession } = createNodeAuth(createTestAuth(config))
    const listen = async (incoming: NodeRequest, outgoing: ServerResponse) => {
      if (incoming.url?.startsWith('/auth/')) return handler(incoming, outgoing)
      if (await requireSession(incoming, outgoing, misspelt)) outgoing.end('let in')
    }
    expect(await visit(listen)).toBe(500)
  })
})
