import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisClient, redisAdapter } from '../../src/adapters/redis.ts'
import { whyNoRedis } from '../support/redis.ts'
import { type RedisCluster, startRedisCluster } from '../support/redis-cluster.ts'
import { judgeAll } from './judge-all.ts'

const reason = whyNoRedis()
const title = `the Redis adapter on a cluster of three primaries${reason ? ` (skipped: ${reason})` : ''}`

describe.skipIf(reason)(title, { timeout: 60_000 }, () => {
  let cluster: RedisCluster | undefined

  beforeAll(async () => {
    cluster = await startRedisCluster()
  }, 60_000)

  afterAll(() => cluster?.stop())

  it.each([
    ['node-redis', connectNodeRedis],
    ['ioredis', connectIoRedis],
  ] as const)(
    'CB-08 keeps the contract with %s, and stores everything on one primary',
    async (name, connect) => {
      if (!cluster) throw new Error('The cluster has not been started')
      const { ports, clear, countKeys } = cluster
      const { client, close } = await connect(ports)
      try {
        const adapter = redisAdapter(client)
        await judgeAll({ name, open: async () => ({ adapter: (await clear(), adapter), close() {} }) })
        await clear()
        for (const id of ['a', 'b', 'c', 'd'])
          await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
        expect((await countKeys()).toSorted((a, b) => a - b)).toEqual([0, 0, 8])
      } finally {
        close()
      }
    },
  )
})

interface Connected {
  readonly client: RedisClient
  readonly close: () => void
}

async function connectNodeRedis(ports: readonly number[]): Promise<Connected> {
  const client = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) })
  client.on('error', () => {})
  await client.connect()
  return { client, close: () => client.destroy() }
}

async function connectIoRedis(ports: readonly number[]): Promise<Connected> {
  const client = new Cluster(
    ports.map((port) => ({ host: '127.0.0.1', port })),
    { lazyConnect: true },
  )
  client.on('error', () => {})
  await client.connect()
  return { client, close: () => client.disconnect() }
}
