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
