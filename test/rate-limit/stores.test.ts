import { readFile } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CounterStore, createRateLimits } from '../../src/rate-limit.ts'
import type { RateLimitParams } from '../../src/types/rate-limit.ts'
import { openers, openersOfTypes } from '../adapters/redis-clients.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type RedisServer, startRedis, whyNoRedis } from '../support/redis.ts'
import { countInProcesses } from './processes.ts'

const table = await readFile(new URL('../../docs/examples/rate-limits/table.sql', import.meta.url), 'utf8')

const request = new Request('https://app.test/')
const link = (identifier: string): RateLimitParams => ({
  type: 'email',
  provider: 'mail',
  identifier,
  request,
})
const password = (username: string): RateLimitParams => ({
  type: 'credentials',
  provider: 'form',
  credentials: { username },
  request: new Request('https://app.test/'),
})

/** A store of the tests. */
interface Opened {
  readonly store: CounterStore
  readonly keys: () => Promise<string[]>
  readonly close: () => unknown
}

/** Tests that apply to every store. */
function judge(name: string, open: () => Promise<Opened>): void {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  }, 60_000)
  afterAll(() => opened.close())
  const errors: Error[] = []
  const create = (prefix: string, seconds = 60) =>
    createRateLimits({
      store: opened.store,
      prefix: `${name}:${prefix}`,
      account: ({ username }) => username,
      clientAddress: () => '192.0.2.77',
      limits: { email: { attempts: 7, seconds } },
      onError: (error) => void errors.push(error),
    })

  it('RL-03 allows no more than the limit to concurrent attempts of several processes', async () => {
    const processes = Array.from({ length: 4 }, () => create('concurrent'))
    const turns = Array.from({ length: 10 }, () => processes).flat()
    const attempts = turns.map(({ rateLimit }) => rateLimit(link('ada@example.com')))
    const results = await Promise.all(attempts)
    expect(results.filter((result) => result === true)).toHaveLength(7)
    const refusals = results.filter((result) => result !== true)
    expect(new Set(refusals.map(({ retryAfter }) => retryAfter > 0))).toEqual(new Set([true]))
    expect(Math.max(...refusals.map(({ retryAfter }) => retryAfter))).toBeLessThanOrEqual(60)
    expect(errors).toEqual([])
  })

  it('RL-03 allows attempts again when the window ends', async () => {
    const { rateLimit } = create('window', 2)
    for (let n = 0; n < 7; n++) expect(await rateLimit(link('ada@example.com'))).toBe(true)
    const refusal = await rateLimit(link('ada@example.com'))
    expect([{ retryAfter: 1 }, { retryAfter: 2 }]).toContainEqual(refusal)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    expect(await rateLimit(link('ada@example.com'))).toBe(true)
    expect(errors).toEqual([])
  })

  it('RL-04 stores hashes of one length, and no addresses or names', async () => {
    const { rateLimit } = create('keys')
    await rateLimit(link('ada@example.com'))
    await rateLimit(link(`${'a'.repeat(10_000)}@example.com`))
    await rateLimit(password('ada'))
    const keys = (await opened.keys()).filter((key) => key.startsWith(`${name}:keys:`))
    const shapes = keys.map((key) => key.slice(name.length + 1).replace(/[\da-f]{64}$/, '<hash>')).toSorted()
    expect(shapes).toEqual([
      'keys:client:<hash>',
      'keys:credentials:<hash>',
      ...['email', 'email'].map((each) => `keys:${each}:<hash>`),
    ])
    expect(new Set(keys).size).toBe(4)
  })

  it('RL-07 resets an account for all processes', async () => {
    const [one, other] = [create('reset'), create('reset')]
    for (let n = 0; n < 10; n++) expect(await one.rateLimit(password('ada'))).toBe(true)
    expect(await other.rateLimit(password('ada'))).not.toBe(true)
    await other.reset({ provider: 'form', credentials: { username: 'Ada' } })
    expect(await one.rateLimit(password('ada'))).toBe(true)
    expect(errors).toEqual([])
  })
}

const reason = whyNoRedis()
if (reason) console.warn(`The rate limits on Redis were skipped: ${reason}`)

describe.skipIf(reason)(`rate limits on Redis${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let server: RedisServer | undefined
  const started = () => {
    if (!server) throw new Error('The server has not been started')
    return server
  }
  beforeAll(async () => {
    server = await startRedis()
  }, 60_000)
  afterAll(() => server?.stop())

  const clients = Object.entries({ ...openers, ...openersOfTypes })
  describe.each(clients)('with %s', (name, connect) => {
    judge(name, async () => {
      const { client, send, close } = await connect(started().path)
      const keys = async () => (await send('KEYS', '*')) as string[]
      return { store: { type: 'redis', client }, keys, close }
    })
  })

  // Each call waits for a second.
  it.concurrent.each(clients)(
    'RL-05 with %s, count in memory while the server is down',
    async (_, connect) => {
      const own = await startRedis()
      const { client, close } = await connect(own.path)
      const errors: Error[] = []
      const { rateLimit, reset } = createRateLimits({
        store: { type: 'redis', client },
        account: ({ username }) => username,
        limits: { credentials: { attempts: 2, seconds: 60 } },
        onError: (error) => void errors.push(error),
      })
      expect(await rateLimit(password('ada'))).toBe(true)
      await own.stop()
      for (let n = 0; n < 2; n++) expect(await rateLimit(password('ada'))).toBe(true)
      expect(await rateLimit(password('ada'))).not.toBe(true)
      expect(errors).toHaveLength(3)
      await reset({ provider: 'form', credentials: { username: 'ada' } })
      expect(errors).toHaveLength(4)
      expect(await rateLimit(password('ada'))).toBe(true)
      close()
    },
  )

  it('RL-03 four processes with one server do not exceed the limit', async () => {
    const allowed = await countInProcesses(4, started().url, 50)
    expect(allowed).toHaveLength(4)
    expect(allowed.reduce((sum, count) => sum + count)).toBe(20)
  }, 60_000)
})

describe('rate limits on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    const client = new Client({ connectionString: server.url })
    await client.connect()
    await client.query(table)
    await client.end()
  }, 60_000)
  afterAll(() => server.stop())

  judge('postgres', async () => {
    const pool = new Pool({ connectionString: server.url })
    pool.on('error', () => {})
    const keys = async () => {
      const { rows } = await pool.query<{ key: string }>('select key from authmachine_rate_limits')
      return rows.map(({ key }) => key)
    }
    return { store: { type: 'postgres', client: pool }, keys, close: () => pool.end() }
  })

  it('RL-05 count in memory and report the error if the table is missing', async () => {
    const pool = new Pool({ connectionString: await server.createDatabase() })
    const errors: string[] = []
    const { rateLimit } = createRateLimits({
      store: { type: 'postgres', client: pool },
      limits: { email: { attempts: 1, seconds: 60 } },
      onError: ({ message }) => void errors.push(message),
    })
    expect(await rateLimit(link('ada@example.com'))).toBe(true)
    expect(await rateLimit(link('ada@example.com'))).toEqual({ retryAfter: 60 })
    expect(errors).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('does not exist') as string),
    )
    await pool.end()
  })
})

describe('rate limits on SQLite', () => {
  const database = new Database(':memory:')
  database.exec(table)
  judge('sqlite', async () => ({
    store: { type: 'sqlite', client: database },
    keys: async () =>
      database
        .prepare<[], { key: string }>('select key from authmachine_rate_limits')
        .all()
        .map(({ key }) => key),
    close: () => database.close(),
  }))

  it('RL-05 count in the store again when it works again', async () => {
    const own = new Database(':memory:')
    const errors: string[] = []
    const { rateLimit } = createRateLimits({
      store: { type: 'sqlite', client: own },
      limits: { email: { attempts: 1, seconds: 60 } },
      onError: ({ message }) => void errors.push(message),
    })
    expect(await rateLimit(link('ada@example.com'))).toBe(true)
    own.exec(table)
    expect(await rateLimit(link('ada@example.com'))).toBe(true)
    expect(await rateLimit(link('ada@example.com'))).not.toBe(true)
    expect(errors).toEqual(['no such table: authmachine_rate_limits'])
    own.close()
  })
})

describe('rate limits on a store that does not respond', () => {
  it('RL-05 wait a second, and then count in memory', async () => {
    const errors: string[] = []
    const { rateLimit } = createRateLimits({
      store: { type: 'postgres', client: { query: () => new Promise(() => {}) } },
      limits: { email: { attempts: 1, seconds: 60 } },
      onError: ({ message }) => void errors.push(message),
    })
    const before = Date.now()
    expect(await rateLimit(link('ada@example.com'))).toBe(true)
    expect(Date.now() - before).toBeGreaterThanOrEqual(990)
    expect(Date.now() - before).toBeLessThan(15_000)
    expect(errors).toEqual(['The store of the rate limits did not respond within a second'])
  })
})
