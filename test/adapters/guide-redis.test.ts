import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RedisServer, startRedis, whyNoRedis } from '../support/redis.ts'

const reason = whyNoRedis()

describe.skipIf(reason)(`the adapter guide for Redis${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let server: RedisServer | undefined

  beforeAll(async () => {
    server = await startRedis()
    vi.stubEnv('REDIS_URL', server.url)
  }, 60_000)

  afterAll(async () => {
    await server?.stop()
    vi.unstubAllEnvs()
  })

  it('opens a store that both programs share', async () => {
    const nodeRedis = await import('../../docs/examples/adapters/redis.ts')
    const ioredis = await import('../../docs/examples/adapters/ioredis.ts')
    try {
      const user = { id: 'u', email: 'ada@example.com', emailVerified: null }
      await nodeRedis.adapter.createUser(user)
      expect(await ioredis.adapter.getUserByEmail(user.email)).toEqual(user)
    } finally {
      nodeRedis.client.destroy()
      ioredis.client.disconnect()
    }
  })
})
