import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFastifyAuth } from '../../src/integrations/node/fastify.ts'
import { readRequest } from '../../src/integrations/node/read-request.ts'
import { createNodeAuth } from '../../src/node.ts'
import { openRawClient } from '../node/raw-client.ts'
import { createTestAuth, replyOf, serve } from '../node/server.ts'

const counted = ['Headers', 'ReadableStream', 'Request', 'Response', 'URL'] as const

/** Counts the objects of these web APIs that are created, by class. */
function countObjects(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of counted) {
    const handler: ProxyHandler<typeof globalThis.Request> = {
      construct(target, args, as) {
        counts[name] = (counts[name] ?? 0) + 1
        return Reflect.construct(target, args, as)
      },
    }
    vi.stubGlobal(name, Reflect.construct(Proxy, [globalThis[name], handler]))
  }
  return counts
}

type Servers = Readonly<Record<string, Parameters<typeof serve>[0]>>

function openServers(): Servers {
  const auth = createTestAuth()
  const [node, fastify] = [createNodeAuth(auth), createFastifyAuth(auth)]
  return {
    handler: node.handler,
    'wrapped handler': createNodeAuth({ ...auth }).handler,
    getSession: async (incoming, outgoing) =>
      void outgoing.end(JSON.stringify(await node.getSession(incoming, outgoing))),
    requireSession: async (incoming, outgoing) => void (await node.requireSession(incoming, outgoing)),
    plugin: async (raw, outgoing) => {
      await fastify.plugin({
        removeAllContentTypeParsers() {},
        addContentTypeParser() {},
        all: (_, answer) => answer({ raw }, replyOf(outgoing)),
      })
    },
  }
}

/** Counts the objects of the third request, for which everything is loaded. */
async function countRequest(listener: Servers[string], text: string): Promise<Record<string, number>> {
  let counts: Record<string, number> = {}
  await serve(listener, async (_, origin) => {
    const client = await openRawClient(origin)
    for (let round = 0; round < 3; round++) {
      if (round === 2) counts = countObjects()
      await client.send(text)
      await client.receive()
    }
    client.close()
  })
  return counts
}

const session = 'GET /auth/session HTTP/1.1\r\nHost: app.test\r\nCookie: authjs.session-token=x\r\n\r\n'
const signOut = `POST /auth/signout HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`

afterEach(() => void vi.unstubAllGlobals())

describe('a request on node:http', () => {
  it.each(['handler', 'getSession', 'plugin'])(
    'creates no Request, Response, Headers or stream for a session, and one URL (%s)',
    async (name) => {
      expect(await countRequest(openServers()[name] ?? expect.fail(), session)).toEqual({ URL: 1 })
    },
  )

  it('creates no Request and no Response to refuse a visitor', async () => {
    const counts = await countRequest(openServers()['requireSession'] ?? expect.fail(), session)
    expect(counts).toEqual({ URL: 2 })
  })

  it('sends a session without waiting for a promise', async () => {
    const { handler } = createNodeAuth(createTestAuth())
    let isSent = false
    const listener = async (...[incoming, outgoing]: Parameters<typeof handler>) => {
      const done = handler(incoming, outgoing)
      isSent = outgoing.writableEnded
      await done
    }
    await countRequest(listener, session)
    expect(isSent).toBe(true)
  })

  it('creates one stream to read a body', async () => {
    const counts = await countRequest(openServers()['handler'] ?? expect.fail(), signOut)
    expect({ ...counts, URL: 0 }).toEqual({ ReadableStream: 1, URL: 0 })
  })

  it('is counted', async () => {
    const counts = await countRequest(openServers()['wrapped handler'] ?? expect.fail(), session)
    expect(counts).toMatchObject({ Request: 1, Response: 1 })
  })

  it('has only inherited getters, because V8 stores an object with other getters in a slow form and frees it late', () => {
    const incoming = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/' })
    const request = readRequest(incoming, new ServerResponse(incoming), {}) ?? expect.fail()
    for (const part of [request, request.headers])
      expect(Object.values(Object.getOwnPropertyDescriptors(part)).filter(({ get }) => get)).toEqual([])
  })
})
