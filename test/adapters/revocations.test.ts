import { readFile } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { Kysely, MysqlDialect, PostgresDialect, sql, SqliteDialect } from 'kysely'
import { createPool } from 'mysql2'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { kyselyRevocations } from '../../src/adapters/kysely.ts'
import { memoryRevocations } from '../../src/adapters/memory.ts'
import { redisRevocations } from '../../src/adapters/redis.ts'
import type { RevocationStore } from '../../src/types/revocation.ts'
import { startMariadb, whyNoMariadb } from '../support/mariadb.ts'
import { startPostgres } from '../support/postgres.ts'
import { startRedis, whyNoRedis } from '../support/redis.ts'
import { openers, openersOfTypes } from './redis-clients.ts'

const table = await readFile(new URL('../../docs/examples/revocations/table.sql', import.meta.url), 'utf8')

interface Opened {
  readonly store: RevocationStore
  readonly close: () => unknown
}

const forever = Number.MAX_SAFE_INTEGER
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Tests that apply to every store. */
function judge(open: () => Promise<Opened>): void {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  }, 60_000)
  afterAll(() => opened.close())

  it('OPT-050 returns the value of each key, in the order of the keys', async () => {
    const { store } = opened
    const now = Date.now()
    await store.add('one', now, 60)
    await store.add('two', forever, 60)
    expect(await store.find(['two', 'none', 'one'])).toEqual([forever, null, now])
    expect(await store.find(['none'])).toEqual([null])
  })

  it('OPT-050 keeps the highest value, also if several additions race', async () => {
    const { store } = opened
    await store.add('highest', forever, 60)
    await store.add('highest', 5, 60)
    expect(await store.find(['highest'])).toEqual([forever])
    const values = Array.from({ length: 40 }, (_, n) => 1_900_000_000_000 + ((n * 17) % 40))
    await Promise.all(values.map((value) => store.add('raced', value, 60)))
    expect(await store.find(['raced'])).toEqual([1_900_000_000_039])
  })

  it('OPT-050 keeps a key until the last of its additions expires', async () => {
    const { store } = opened
    await store.add('late', 7, 60)
    await store.add('late', 8, 1)
    await store.add('early', 7, 1)
    await pause(2100)
    // An addition removes expired entries, unless the store does this itself.
    await store.add('other', 1, 60)
    expect((await store.find(['late']))[0]).toBeGreaterThanOrEqual(7)
    expect(await store.find(['early'])).toEqual([null])
  })
}

describe.concurrent('revocations in memory', () => {
  judge(async () => ({ store: memoryRevocations(), close: () => {} }))
})

const noRedis = whyNoRedis()
if (noRedis) console.warn(`The revocations in Redis were skipped: ${noRedis}`)

describe.skipIf(noRedis)(
  `revocations in Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`,
  { concurrent: true },
  () => {
    describe.each(Object.entries({ ...openers, ...openersOfTypes }))('with %s', (_, connect) => {
      judge(async () => {
        const server = await startRedis()
        const { client, close } = await connect(server.path)
        const end = async () => {
          close()
          await server.stop()
        }
        return { store: redisRevocations(client), close: end }
      })
    })

    it('OPT-050 keeps applications with different prefixes apart, and rejects braces', async () => {
      const server = await startRedis()
      const open = openers['ioredis']
      if (!open) throw new Error('There is no ioredis')
      const { client, send, close } = await open(server.path)
      await redisRevocations(client, { prefix: 'shop' }).add('key', 7, 60)
      expect(await redisRevocations(client).find(['key'])).toEqual([null])
      expect(await send('KEYS', '*')).toEqual(['{shop}:1:revoked:key'])
      expect(() => redisRevocations(client, { prefix: '{a}' })).toThrow(
        '`prefix` must be text without braces',
      )
      close()
      await server.stop()
    })
  },
)

async function openTable(db: Kysely<unknown>, close: () => unknown = () => {}): Promise<Opened> {
  for (const statement of table.split(';').filter((text) => text.trim() !== ''))
    await sql.raw(statement).execute(db)
  return {
    store: kyselyRevocations(db),
    async close() {
      await db.destroy()
      await close()
    },
  }
}

describe.concurrent('revocations in SQLite', () => {
  judge(() => openTable(new Kysely({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })))
})

describe('revocations in PostgreSQL', { timeout: 60_000, concurrent: true }, () => {
  judge(async () => {
    const server = await startPostgres()
    const pool = new Pool({ connectionString: server.url, max: 20 })
    return openTable(new Kysely({ dialect: new PostgresDialect({ pool }) }), () => server.stop())
  })
})

const noMariadb = whyNoMariadb()
if (noMariadb) console.warn(`The revocations in MariaDB were skipped: ${noMariadb}`)

describe.skipIf(noMariadb)(
  `revocations in MariaDB${noMariadb ? ` (skipped: ${noMariadb})` : ''}`,
  { concurrent: true },
  () => {
    judge(async () => {
      const server = await startMariadb()
      const pool = createPool({ uri: server.url, connectionLimit: 20, supportBigNumbers: true })
      return openTable(new Kysely({ dialect: new MysqlDialect({ pool }) }), () => server.stop())
    })
  },
)

describe('expired revocations', () => {
  it('OPT-050 in memory, are dropped by the next addition', async () => {
    vi.useFakeTimers()
    const store = memoryRevocations()
    await store.add('one', 1, 60)
    vi.advanceTimersByTime(60_000)
    await store.add('two', 1, 60)
    expect(await store.find(['one', 'two'])).toEqual([null, 1])
    vi.useRealTimers()
  })
})
