import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import * as kysely from 'kysely-0.28'
import { afterAll, beforeAll, vi } from 'vitest'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

const name = 'Kysely 0.28 on better-sqlite3'

beforeAll(() => {
  vi.doMock('kysely', () => kysely)
  vi.doMock('kysely/migration', () => {
    throw new Error('Package subpath ./migration is not defined by "exports"')
  })
})
afterAll(() => {
  vi.doUnmock('kysely')
  vi.doUnmock('kysely/migration')
})

async function open(): Promise<Kysely<unknown>> {
  const dialect = new kysely.SqliteDialect({ database: new Database(':memory:') })
  // Applications have one version of Kysely and its types. This file mixes two.
  const db = new kysely.Kysely<unknown>({ dialect }) as unknown as Kysely<unknown>
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
