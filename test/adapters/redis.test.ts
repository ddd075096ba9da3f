import { afterAll, beforeAll, describe, it } from 'vitest'
import { redisAdapter } from '../../src/adapters/redis.ts'
import { type RedisServer, startRedis, whyNoRedis } from '../support/redis.ts'
import { judgeAll } from './judge-all.ts'
import { judge } from './judge.ts'
import { type OpenClient, openers, openersOfTypes } from './redis-clients.ts'
import { judgeRedis } from './redis-extras.ts'

const reason = whyNoRedis()
if (reason) console.warn(`The tests of the Redis adapter were skipped: ${reason}`)

describe.skipIf(reason)(`the Redis adapter${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let server: RedisServer | undefined
  const opened: OpenClient[] = []

  const started = () => {
    if (!server) throw new Error('The server has not been started')
    return server
  }

  beforeAll(async () => {
    server = await startRedis()
  }, 60_000)

  afterAll(async () => {
    for (const { close } of opened) close()
    await server?.stop()
  })

  describe.each(Object.entries(openers))('with %s', (name, connect) => {
    let connected: Promise<OpenClient> | undefined

    /** Returns a client of a server without data. */
    const open = async () => {
      const client = await (connected ??= connect(started().path))
      if (!opened.includes(client)) opened.push(client)
      await client.send('FLUSHALL')
      return client
    }

    judge({
      name: `Redis with ${name}`,
      open: async () => ({ adapter: redisAdapter((await open()).client), close() {} }),
    })
    judgeRedis(name, open, started)
  })

  it.each(Object.entries(openersOfTypes))('CB-08 satisfies the contract with %s', async (name, connect) => {
    const { client, send, close } = await connect(started().path)
    try {
      await judgeAll({
        name,
        open: async () => ({ adapter: (await send('FLUSHALL'), redisAdapter(client)), close() {} }),
      })
    } finally {
      close()
    }
  })
})
