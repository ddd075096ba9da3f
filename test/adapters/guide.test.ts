import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adapterContract } from '../../fuzz/adapter/index.ts'
import { kyselyAdapter, migrate, migrations, nodeSqlite } from '../../src/adapters/kysely.ts'
import { openTerminal } from '../cli/terminal.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { statementsOf } from './guide-statements.ts'
import { judgeAll } from './judge-all.ts'

let server: PostgresServer
const opened: Kysely<unknown>[] = []

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)

afterAll(async () => {
  await Promise.all(opened.map((db) => db.destroy()))
  await server.stop()
  vi.unstubAllEnvs()
})

function connect(url: string): Kysely<unknown> {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
  })
  opened.push(db)
  return db
}

const user = { id: 'u', email: 'ada@example.com', emailVerified: null }

describe('the adapter guide', { timeout: 30_000 }, () => {
  it('opens a store with the in-memory program', async () => {
    const { adapter } = await import('../../docs/examples/adapters/memory.ts')
    expect((await adapter.createUser(user)).email).toBe('ada@example.com')
  })

  it('keeps rows between runs with the SQLite program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'authmachine-guide-'))
    vi.stubEnv('DATABASE_FILE', join(folder, 'auth.db'))
    const { adapter } = await import('../../docs/examples/adapters/sqlite.ts')
    await adapter.createUser(user)
    const again = new DatabaseSync(join(folder, 'auth.db'))
    expect(again.prepare('select email from users').get()).toEqual({ email: 'ada@example.com' })
    again.close()
    await rm(folder, { recursive: true })
  })

  it('opens and cleans up a store with the PostgreSQL programs', async () => {
    vi.stubEnv('DATABASE_URL', await server.createDatabase())
    const { adapter, db } = await import('../../docs/examples/adapters/postgres.ts')
    opened.push(db)
    await adapter.createUser(user)
    await adapter.createSession({ sessionToken: 't', userId: 'u', expires: new Date(0) })
    const { cleanUp } = await import('../../docs/examples/adapters/clean-up.ts')
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await cleanUp(db)
    expect(log.mock.calls).toEqual([['removed 1 sessions, 0 verification tokens, 0 records']])
    log.mockRestore()
    expect(await adapter.getSessionAndUser('t')).toBeNull()
  })

  it('opens a store that authmachine migrate has prepared', async () => {
    vi.stubEnv('DATABASE_URL', await server.createDatabase())
    const modules = { 'src/db.ts': await import('../../docs/examples/adapters/db.ts') }
    const { db } = modules['src/db.ts']
    opened.push(db)
    const { code, err } = await openTerminal({}, { modules }).type('migrate src/db.ts --yes')
    expect([code, err]).toEqual([0, ''])
    expect((await kyselyAdapter(db).createUser(user)).email).toBe(user.email)
  })

  it("runs the migrations next to those of a site, and stores the site's own columns", async () => {
    const { migrateAll } = await import('../../docs/examples/adapters/own-migrations.ts')
    const db = connect(await server.createDatabase())
    await migrateAll(db)
    const store = kyselyAdapter(db)
    const given = { ...user, role: 'admin' }
    expect(await store.createUser(given)).toMatchObject(given)
    await store.createSession({ sessionToken: 't', userId: 'u', expires: new Date() })
    expect((await store.getSessionAndUser('t'))?.user).toMatchObject(given)
  })

  it('runs the contract under node:test', () => {
    const program = fileURLToPath(new URL('../../docs/examples/adapters/contract.ts', import.meta.url))
    // Vitest's workers do not run under node:test. If one did, the child process would report to it instead.
    const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', program], {
      encoding: 'utf8',
    })
    const rules = adapterContract({ name: '', open: () => ({ adapter: {}, close() {} }) }).length
    expect(stdout).toContain(`# pass ${rules}`)
    expect(status).toBe(0)
  })

  it('gives SQL statements for PostgreSQL whose tables satisfy the contract', async () => {
    const db = connect(await server.createDatabase())
    await sql.raw(await statementsOf('postgres')).execute(db)
    await judgeAll({
      name: 'statements for PostgreSQL',
      async open() {
        await sql`delete from users`.execute(db)
        await sql`delete from verification_token`.execute(db)
        await sql`delete from keyed_records`.execute(db)
        return { adapter: kyselyAdapter(db), close() {} }
      },
    })
  })

  it('gives SQL statements for SQLite whose tables satisfy the contract', async () => {
    const statements = await statementsOf('sqlite')
    await judgeAll({
      name: 'statements for SQLite',
      open() {
        const database = new DatabaseSync(':memory:')
        database.exec(statements)
        const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: nodeSqlite(database) }) })
        return { adapter: kyselyAdapter(db), close: () => db.destroy() }
      },
    })
  })
})

describe('the migrations', { timeout: 30_000 }, () => {
  it('can run in several processes at once', async () => {
    const url = await server.createDatabase()
    const all = Array.from({ length: 4 }, () => connect(url))
    await Promise.all(all.map(async (db) => migrate(db)))
    expect(await migrate(connect(url))).toBeUndefined()
  })

  it('fail if tables of the same names exist, and leave those unchanged', async () => {
    const db = connect(await server.createDatabase())
    await sql`create table sessions (mine text)`.execute(db)
    await expect(migrate(db)).rejects.toThrow('sessions')
    expect((await sql`select mine from sessions`.execute(db)).rows).toEqual([])
    await expect(sql`select 1 from users`.execute(db)).rejects.toThrow('users')
  })

  it('can be reverted', async () => {
    const db = connect(await server.createDatabase())
    for (const { up } of Object.values(migrations)) await up(db)
    for (const { down } of Object.values(migrations).toReversed()) await down?.(db)
    const left = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(db)
    expect(left.rows).toEqual([])
  })
})
