import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, type Dialect } from 'kysely'
import { kyselyAdapter, migrate, nodeSqlite } from '../../../src/adapters/kysely.ts'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/types/adapter.ts'

/** The store of users, accounts, sessions and mail links. */
export type StorePlace =
  | { readonly kind: 'memory' }
  /** A file; without a path, a temporary one, which is removed when the demo ends. */
  | { readonly kind: 'sqlite'; readonly path?: string }
  | { readonly kind: 'postgres'; readonly url: string }

export interface Store {
  readonly adapter: Required<Adapter>
  readonly close: () => Promise<void>
}

/**
 * Opens a store, and migrates its tables.
 * @throws {Error} if the store cannot be opened
 */
export async function openStore(place: StorePlace): Promise<Store> {
  try {
    if (place.kind === 'memory') return { adapter: memoryAdapter(), close: async () => {} }
    if (place.kind === 'postgres') return await openTables(await connectPostgres(place.url))
    if (place.path !== undefined) return await openTables(await openFile(place.path))
    return await openTemporaryFile()
  } catch (error) {
    const why = error instanceof Error ? error.message || error.name : String(error)
    throw new Error(`The store (${describe(place)}) cannot be opened: ${why}`, { cause: error })
  }
}

/** Describes a store without the password in its URL. */
function describe(place: StorePlace): string {
  if (place.kind === 'postgres') return `PostgreSQL at ${new URL(place.url).host}`
  return place.kind === 'sqlite' ? `SQLite in ${place.path ?? 'a temporary file'}` : 'memory'
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

async function openTemporaryFile(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'authmachine-demo-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  // A process that exits does not wait for promises.
  process.once('exit', remove)
  try {
    const { adapter, close } = await openTables(await openFile(join(folder, 'demo.db')))
    return { adapter, close: () => close().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

async function connectPostgres(url: string): Promise<Dialect> {
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A lost connection rejects its query. Without these listeners, it would also end the process.
  pool.on('error', ({ message }) => console.error(`PostgreSQL: ${message}`))
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new PostgresDialect({ pool })
}
