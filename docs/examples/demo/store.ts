import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, type Dialect } from 'kysely'
import { kyselyAdapter, migrate, nodeSqlite } from '../../../src/adapters/kysely.ts'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/types/adapter.ts'

/** Where users, accounts, sessions and mail links are kept. */
export type StorePlace =
  | { readonly kind: 'memory' }
  /** A file; without a path one of its own, which goes when the demo ends. */
  | { readonly kind: 'sqlite'; readonly path?: string }
  | { readonly kind: 'postgres'; readonly url: string }

export interface Store {
  readonly adapter: Required<Adapter>
  readonly close: () => Promise<void>
}

/**
 * Opens a store, and brings its tables up to date.
 * @throws Error that says which store could not be opened, and why
 */
export async function openStore(place: StorePlace): Promise<Store> {
  try {
    if (place.kind === 'memory') return { adapter: memoryAdapter(), close: async () => {} }
    if (place.kind === 'postgres') return await openTables(await dialPostgres(place.url))
    if (place.path !== undefined) return await openTables(await openFile(place.path))
    return await openOwnFile()
  } catch (error) {
    const why = error instanceof Error ? error.message || error.name : String(error)
    throw new Error(`The store (${describe(place)}) cannot be used: ${why}`, { cause: error })
  }
}

/** In one word or two, without the password that a URL may hold. */
function describe(place: StorePlace): string {
  if (place.kind === 'postgres') return `PostgreSQL at ${new URL(place.url).host}`
  return place.kind === 'sqlite' ? `SQLite in ${place.path ?? 'a file of its own'}` : 'memory'
}

async function openTables(dialect: Dialect): Promise<Store> {
  const db = new Kysely<unknown>({ dialect })
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return { adapter: kyselyAdapter(db), close: () => db.destroy() }
}

async function openFile(path: string): Promise<Dialect> {
  const { DatabaseSync } = await import('node:sqlite')
  return new SqliteDialect({ database: nodeSqlite(new DatabaseSync(path)) })
}

async function openOwnFile(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'authmachine-demo-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  // A process that is told to end does not wait for a promise.
  process.once('exit', remove)
  try {
    const { adapter, close } = await openTables(await openFile(join(folder, 'demo.db')))
    return { adapter, close: () => close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

async function dialPostgres(url: string): Promise<Dialect> {
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A connection that breaks while nobody uses it is replaced; without this it would end the process.
  pool.on('error', ({ message }) => console.error(`PostgreSQL: ${message}`))
  return new PostgresDialect({ pool })
}
