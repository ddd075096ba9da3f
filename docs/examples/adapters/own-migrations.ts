import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { migrations } from '../../../src/adapters/kysely.ts'

const addRole: Migration = {
  up: (db) => db.schema.alterTable('users').addColumn('role', 'text').execute(),
}

export async function migrateAll(db: Kysely<unknown>): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...migrations, site_0001_role: addRole }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw new Error('The migrations failed', { cause: error })
}
