import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createFastifyAuth, createNodeAuth, type NodeRequest } from '../../src/node.ts'
import { openRawClient, type RawClient } from './raw-client.ts'
import { createTestAuth, replyOf, serve } from './server.ts'

const head = (line: string, ...headers: string[]) => [line, ...headers, '', ''].join('\r\n')
const session = head('GET /auth/session HTTP/1.1', 'Host: app.test')
const post = (...headers: string[]) =>
  head(
    'POST /auth/callback/credentials HTTP/1.1',
    'Host: app.test',
    'Content-Type: application/json',
    ...headers,
  )

/** Opens a connection to a server, and fails if a promise of the handler rejects. */
async function connect(visit: (client: RawClient, origin: string) => Promise<void>, auth = createTestAuth()) {
  const { handler } = createNodeAuth(auth)
  const failures: unknown[] = []
  const listener = async (incoming: NodeRequest, outgoing: ServerResponse) => {
    await handler(incoming, outgoing).catch((error: unknown) => failures.push(error))
  }
  await serve(listener, async (_, origin) => {
    const client = await openRawClient(origin)
    await visit(client, origin)
    client.close()
  })
  expect(failures).toEqual([])
}

describe('a server on node:http', () => {
  it.each([
    ['without a Host in HTTP/1.0', head('GET /auth/session HTTP/1.0'), 200],
    ['with the method TRACE', head('TRACE /auth/session HTTP/1.1', 'Host: app.test'), 405],
    ['for the whole server', head('OPTIONS * HTTP/1.1', 'Host: app.test'), 400],
    ['in absolute form', head('GET http://app.test/auth/session HTTP/1.1', 'Host: app.test'), 400],
    ['with a fragment', head('GET /auth/session#a HTTP/1.1', 'Host: app.test'), 400],
    ['with a port that is too high', head('GET /auth/session HTTP/1.1', 'Host: app.test:65536'), 400],
    ['with an invalid IPv4 address', head('GET /auth/session HTTP/1.1', 'Host: 1.2.3.256'), 400],
    ['with an invalid IPv6 address', head('GET /auth/session HTTP/1.1', 'Host: [:::]'), 400],
    ['with two hosts', head('GET /auth/session HTTP/1.1', 'Host: app.test', 'Host: b c'), 200],
    ['that announces more than the limit', post('Content-Length: 999999999'), 413],
  ])('EMB-018 handles a request %s', async (_, text, status) => {
    await connect(async (client) => {
      await client.send(text)
      expect((await client.receive())?.status).toBe(status)
    })
  })

  it('EMB-018 refuses a request of a wrapper that no Request can represent', async () => {
    await connect(
      async (client) => {
        await client.send(head('TRACE /auth/session HTTP/1.1', 'Host: app.test'))
        expect((await client.receive())?.status).toBe(400)
        await client.send(session)
        expect((await client.receive())?.status).toBe(200)
      },
      { ...createTestAuth() },
    )
  })

  it('EMB-018 continues after Expect: 100-continue', async () => {
    await connect(async (client) => {
      await client.send(post('Content-Length: 2', 'Expect: 100-continue'))
      expect((await client.receive())?.status).toBe(100)
      await client.send('{}')
      expect((await client.receive())?.status).toBe(302)
    })
  })

  it('EMB-018 keeps the connection after it refuses a large body', async () => {
    const large = '1'.repeat(1_000_000)
    await connect(async (client) => {
      for (const framed of [
        [post(`Content-Length: ${large.length}`), large],
        [post('Transfer-Encoding: chunked'), `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`],
      ]) {
        await client.send(...framed)
        expect((await client.receive())?.status).toBe(413)
        await client.send(session)
        expect((await client.receive())?.status).toBe(200)
      }
    })
  })

  it('EMB-018 does not fail when the client disconnects', async () => {
    const seen: AbortSignal[] = []
    let isCancelled = false
    const wrapper = {
      ...createTestAuth(),
      async handler(request: Request) {
        seen.push(request.signal)
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
        return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }))
      },
    }
    const log = vi.spyOn(console, 'error').mockReturnValue()
    await connect(async (client) => {
      await client.send(session)
      await expect.poll(() => seen.length).toBe(1)
      client.close()
      await expect.poll(() => isCancelled).toBe(true)
    }, wrapper)
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
    await connect(async (client, origin) => {
      await client.send(post('Content-Length: 10'), '{"pin"')
      client.close()
      const next = await openRawClient(origin)
      await next.send(session)
      expect((await next.receive())?.status).toBe(200)
      next.close()
    })
  })

  it('EMB-018 does not abort the signal once the response is sent', async () => {
    const seen: AbortSignal[] = []
    const auth = createTestAuth()
    const wrapper = {
      ...auth,
      handler(request: Request) {
        seen.push(request.signal)
        return auth.handler(request)
      },
    }
    await connect(async (client) => {
      for (let count = 0; count < 2; count++) {
        await client.send(session)
        await client.receive()
      }
      expect(seen.map(({ aborted }) => aborted)).toEqual([false, false])
    }, wrapper)
  })

  it('EMB-018 streams the response of a wrapper, and ends the stream when the client disconnects', async () => {
    let [isPulled, isCancelled] = [false, false]
    const wrapper = {
      ...createTestAuth(),
      handler: async () => {
        const stream = new ReadableStream({
          pull(controller) {
            isPulled = true
            controller.enqueue(Buffer.alloc(100_000, 'x'))
          },
          cancel: () => void (isCancelled = true),
        })
        return new Response(stream, { headers: { 'X-Kind': 'stream' } })
      },
    }
    await connect(async (client) => {
      await client.send(session)
      await expect.poll(() => isPulled).toBe(true)
      client.close()
      await expect.poll(() => isCancelled).toBe(true)
    }, wrapper)
  })

  it.each(['node', 'fastify'] as const)(
    'CC-12 EMB-018 streams a body that has only the interface of the Fetch standard, on %s',
    async (kind) => {
      const stream = new Blob(['one ', 'two']).stream()
      const none = new ReadableStream({
        start(controller) {
          for (const chunk of ['', 'and ', '']) controller.enqueue(Buffer.from(chunk))
          controller.close()
        },
      })
      const readers = [none.getReader(), stream.getReader()]
      const read = async () => {
        const result = await readers[0]?.read()
        return result?.done && readers.shift() && readers[0] ? readers[0].read() : result
      }
      const body = { getReader: () => ({ read, cancel: async () => undefined }) }
      const response = { status: 201, headers: new Headers({ 'x-kind': 'stream' }), body }
      const wrapper = { ...createTestAuth(), handler: async () => response as unknown as Response }
      const { handler } = createNodeAuth(wrapper)
      const listener = async (incoming: NodeRequest, outgoing: ServerResponse) => {
        if (kind === 'node') return handler(incoming, outgoing)
        const { requireSession } = createFastifyAuth({ ...wrapper, requireSession: wrapper.handler })
        await requireSession({ raw: incoming }, replyOf(outgoing))
      }
      await serve(listener, async (agent) => {
        const answer = await agent.send('/auth/session')
        expect(answer.status).toBe(201)
        expect(answer.headers.get('x-kind')).toBe('stream')
        expect(await answer.text()).toBe('and one two')
      })
    },
  )

  it('EMB-018 logs a failure if the application has sent the response already', async () => {
    const failures: unknown[] = []
    const logger = { error: (error: unknown) => failures.push(error), warn() {} }
    const { handler } = createNodeAuth(createTestAuth({ logger }))
    const listener = async (incoming: NodeRequest, outgoing: ServerResponse) => {
      outgoing.end('sent')
      await handler(incoming, outgoing)
    }
    await serve(listener, async (_, origin) => {
      const client = await openRawClient(origin)
      await client.send(session)
      expect((await client.receive())?.body).toBe('sent')
      await expect.poll(() => failures).toMatchObject([{ code: 'ERR_HTTP_HEADERS_SENT' }])
      client.close()
    })
  })

  it('EMB-018 treats a body that was read and not kept as no body', async () => {
    const { handler } = createNodeAuth(createTestAuth())
    const listener = async (incoming: NodeRequest, outgoing: ServerResponse) => {
      for await (const _ of incoming);
      await handler(incoming, outgoing)
    }
    await serve(listener, async (agent) => {
      const answer = await agent.send('/auth/callback/credentials', { json: { pin: '1234' } })
      expect(answer.headers.get('location')).toContain('error=MissingCSRF')
    })
  })

  it('EMB-018 survives any bytes, and then serves the next client', async () => {
    const line = fc.constantFrom(
      'GET /auth/session HTTP/1.1',
      'POST /auth/signout HTTP/1.1',
      'GET /auth/session HTTP/1.0',
      'GET //[/auth/session HTTP/1.1',
      'get /auth/session HTTP/1.1',
      'CONNECT app.test:80 HTTP/1.1',
      'PRI * HTTP/2.0',
    )
    const header = fc.oneof(
      fc.constantFrom(
        'Host: app.test',
        'Host: a b',
        'Host:',
        'Content-Length: 5',
        'Content-Length: -1',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip',
        'Connection: close',
        'Upgrade: h2c',
        'Expect: 200-maybe',
        'Cookie: \u0080\u00ff',
        'Content-Type: application/json',
        '__proto__: x',
        'constructor: x',
      ),
      fc.string({ unit: 'binary-ascii' }),
    )
    const body = fc.constantFrom('', '{}', '5\r\nabcde\r\n0\r\n\r\n', 'zz\r\n', '\0'.repeat(20))
    await connect(async (_, origin) => {
      const property = fc.asyncProperty(
        line,
        fc.array(header, { maxLength: 6 }),
        body,
        async (first, headers, more) => {
          const client = await openRawClient(origin)
          await client.send(head(first, ...headers) + more)
          client.end()
          await client.receive()
          client.close()
          const next = await openRawClient(origin)
          await next.send(session)
          expect((await next.receive())?.status).toBe(200)
          next.close()
        },
      )
      await fc.assert(property, { numRuns: 200 })
    })
  })
})
