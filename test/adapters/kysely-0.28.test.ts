import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import * as kysely from 'kysely-0.28'
import { afterAll, beforeAll, vi } from 'vitest'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'

const name = 'Kysely 0.28 on better-sqlite3'

/** Loads the adapter with this version. Other files of the worker may have loaded it with another one. */
const load = () => import('../../src/adapters/kysely.ts')

beforeAll(() => {
  vi.resetModules()
  vi.doMock('kysely', () => kysely)
  vi.doMock('kysely/migration', () => {
    throw new Error('Package subpath ./migration is not defined by "exports"')
  })
})
afterAll(() => {
  vi.doUnmock('kysely')
  vi.doUnmock('kysely/migration')
  vi.resetModules()
})

async function open(): Promise<Kysely<unknown>> {
  const dialect = new kysely.SqliteDialect({ database: new Database(':memory:') })
  // Applications have one version of Kysely and its types. This file mixes two.
  const db = new kysely.Kysely<unknown>({ dialect }) as unknown as Kysely<unknown>
  await (await load()).migrate(db)
  return db
}

judge({
  name,
  async open() {
    const db = await open()
    const { kyselyAdapter } = await load()
    return { adapter: kyselyAdapter(db), close: () => db.destroy() }
  },
})
judgeKysely(name, open, load)
