import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it, vi } from 'vitest'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

const name = 'Kysely on node:sqlite'

async function open(): Promise<Kysely<unknown>> {
  const database = nodeSqlite(new DatabaseSync(':memory:'))
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  await migrate(db)
  return db
}

judge({
  name,
  async open() {
    const db = await open()
    return { adapter: kyselyAdapter(db), close: () => db.destroy() }
  },
})
judgeKysely(name, open)

it('CB-08 reads a date without a time zone as UTC, and nothing but dates', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles')
  const db = (await open()) as Kysely<Record<string, Record<string, unknown>>>
  const store = kyselyAdapter(db)
  await store.createUser({ id: 'u', email: 'ada@example.com', emailVerified: null })
  const read = async (emailVerified: unknown) => {
    await db.updateTable('users').set({ emailVerified }).execute()
    return (await store.getUser('u'))?.emailVerified
  }
  const noon = new Date('2030-01-01T12:00:00Z')
  for (const text of [
    '2030-01-01 12:00:00',
    '2030-01-01T12:00',
    '2030-01-01T12:00Z',
    '2030-01-01T14:00+02:00',
  ])
    expect(await read(text), text).toEqual(noon)
  expect(await read(null)).toBeNull()
  for (const flag of [0, 1, '0', '1', '', 'false', noon.getTime()])
    await expect(read(flag), String(flag)).rejects.toThrow('A date column must contain')
  vi.unstubAllEnvs()
})

it('CB-08 migrates a file through several connections at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'authmachine-sqlite-'))
  const all = Array.from({ length: 4 }, () => {
    const database = nodeSqlite(new DatabaseSync(join(folder, 'auth.db')))
    return new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  })
  await Promise.all(all.map(async (db) => migrate(db)))
  for (const db of all) expect(await kyselyAdapter(db).getUser('u')).toBeNull()
  await Promise.all(all.map(async (db) => db.destroy()))
  await rm(folder, { recursive: true })
})
