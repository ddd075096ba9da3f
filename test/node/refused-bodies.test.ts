import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { createNodeAuth } from '../../src/node.ts'
import { isNginxMissing, startNginx } from '../support/nginx.ts'
import { openRawClient } from './raw-client.ts'
import { createTestAuth, serve } from './server.ts'

const tooLarge = 'x'.repeat(1_000_000)

it.skipIf(isNginxMissing())(
  'LM-01 nginx passes on the refusal of a large body, and keeps asking the server',
  async () => {
    const { handler } = createNodeAuth(createTestAuth())
    await serve(handler, (_first, one) =>
      serve(handler, async (_second, two) => {
        const proxy = await startNginx([one, two].map((origin) => Number(new URL(origin).port)))
        try {
          const origin = `http://127.0.0.1:${proxy.port}`
          const ask = async () => (await fetch(`${origin}/auth/session`)).status
          await expect.poll(ask).toBe(200)
          const post = async (route: string) =>
            (await fetch(`${origin}/auth/${route}`, { method: 'POST', body: tooLarge })).status
          const routes = ['signin/github', 'session', 'nowhere', 'callback/credentials']
          const statuses = await Promise.all([...routes, ...routes].map(post))
          expect(statuses.filter((status) => status >= 500)).toEqual([])
          expect([await ask(), await ask()]).toEqual([200, 200])
        } finally {
          await proxy.stop()
        }
      }),
    )
  },
)

it('LM-01 the server closes the connection of a refused body that never ends', async () => {
  const { handler } = createNodeAuth(createTestAuth())
  await serve(handler, async (_, origin) => {
    const client = await openRawClient(origin)
    const lines = ['Host: app.test', 'Connection: close', 'Content-Length: 2000000', '', tooLarge]
    await client.send(['POST /auth/signin/github HTTP/1.1', ...lines].join('\r\n'))
    expect((await client.receive())?.status).toBe(413)
    const askedAt = performance.now()
    expect(await client.receive()).toBeUndefined()
    expect(performance.now() - askedAt).toBeLessThan(10_000)
  })
})

/** Serves a handler of the Fetch standard as many frameworks do: a cancelled body ends its connection. */
function listen(handler: (request: Request) => Promise<Response>): Parameters<typeof serve>[0] {
  return async (incoming, outgoing) => {
    const body = incoming.method === 'GET' ? null : Readable.toWeb(incoming)
    const init = { method: incoming.method, headers: incoming.headers, body, duplex: 'half' }
    const { status } = await handler(new Request(`http://app.test${incoming.url}`, init as RequestInit))
    outgoing.writeHead(status).end()
  }
}

it.each([
  ['callback/credentials', 'application/json', 413],
  ['callback/credentials', 'multipart/form-data', 302],
  ['nowhere', 'application/json', 404],
])('DEC-65 a client gets the response to a large body at %s of %s', async (route, type, status) => {
  await serve(listen(createTestAuth().handler), async (_, origin) => {
    const client = await openRawClient(origin)
    const lines = ['Host: app.test', `Content-Type: ${type}`, 'Transfer-Encoding: chunked', '', '']
    await client.send([`POST /auth/${route} HTTP/1.1`, ...lines].join('\r\n'))
    for (let piece = 0; piece < 10; piece++) await client.send(`c350\r\n${'x'.repeat(50_000)}\r\n`)
    await client.send('0\r\n\r\n')
    expect((await client.receive())?.status).toBe(status)
    // The connection is still usable.
    await client.send('GET /auth/session HTTP/1.1\r\nHost: app.test\r\n\r\n')
    expect((await client.receive())?.status).toBe(200)
  })
})
