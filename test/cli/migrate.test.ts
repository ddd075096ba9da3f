import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeSqlite } from '../../src/adapters/kysely.ts'
import { type MariadbServer, startMariadb, whyNoMariadb } from '../support/mariadb.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { openTerminal } from './terminal.ts'

const reason = whyNoMariadb()
if (reason) console.warn(`The tests of authmachine migrate on MariaDB were skipped: ${reason}`)

const applied =
  'Applied authmachine_0001_tables, authmachine_0002_passwords, authmachine_0003_second_factors, authmachine_0004_descriptions, authmachine_0005_user_records, authmachine_0006_keyed_records.\n'
const program = fileURLToPath(new URL('../../src/tools/cli/main.ts', import.meta.url))

let folder: string
let postgres: PostgresServer
let mariadb: MariadbServer | undefined
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authmachine-migrate-'))
  postgres = await startPostgres()
  if (!reason) mariadb = await startMariadb()
}, 90_000)

afterAll(async () => {
  await Promise.all([postgres.stop(), mariadb?.stop()])
  await rm(folder, { recursive: true })
})

const newFile = () => join(folder, `${(files += 1)}.db`)

const kinds = [
  { name: 'SQLite', createDatabase: async () => `sqlite:${newFile()}`, reason: undefined },
  { name: 'PostgreSQL', createDatabase: () => postgres.createDatabase(), reason: undefined },
  { name: 'MariaDB', createDatabase: async () => (await mariadb?.createDatabase()) ?? '', reason },
]

/** Runs the command in this process. */
async function run(line: string, url?: string, around: Parameters<typeof openTerminal>[1] = {}) {
  return openTerminal({}, { environment: url === undefined ? {} : { DATABASE_URL: url }, ...around }).type(
    line,
  )
}

/** Runs the command in another process, without a terminal. */
async function runAlone(args: readonly string[], url: string) {
  const child = spawn(process.execPath, [program, 'migrate', ...args], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

describe.each(kinds)(
  'authmachine migrate on $name',
  { timeout: 60_000 },
  ({ name, createDatabase, reason }) => {
    it.skipIf(reason)(
      'CLI-014 shows the SQL, changes nothing with --dry-run, and then applies it',
      async () => {
        const url = await createDatabase()
        for (const line of ['migrate --dry-run', 'migrate --dry-run', 'migrate --yes']) {
          const { code, out, err } = await run(line, url)
          expect([code, err], line).toEqual([0, ''])
          expect(out).toMatch(/^Pending on /)
          expect(out).toContain(name)
          expect(out).toMatch(/^create table [`"]users[`"] \(\n {2}[`"]id[`"] /m)
          expect(out).toMatch(/^create index [`"]authenticators_user[`"] on .*;$/m)
          expect(out.endsWith(applied), line).toBe(line.includes('--yes'))
        }
        for (const line of ['migrate', 'migrate --yes', 'migrate --dry-run']) {
          const { code, out } = await run(line, url)
          expect([code, out]).toEqual([0, expect.stringMatching(/^The tables are current on .*\.\n$/)])
        }
      },
    )

    it.skipIf(reason).each([
      ['four processes', runAlone],
      ['one process', async ([option]: readonly string[], url: string) => run(`migrate ${option}`, url)],
    ])('CLI-015 succeeds four times at once in %s, and applies each migration once', async (_name, start) => {
      const url = await createDatabase()
      const results = await Promise.all(Array.from({ length: 4 }, async () => start(['--yes'], url)))
      for (const { code, err } of results) expect([code, err]).toEqual([0, ''])
      expect(results.filter(({ out }) => out.endsWith(applied))).toHaveLength(1)
      const last =
        /(Applied [\w, ]+|The tables are current on .*|Another process has applied them already)\.\n$/
      for (const { out } of results) expect(out).toMatch(last)
    })

    it.skipIf(reason)(
      'CLI-003 fails with the reason if a name is taken, and leaves no tables behind',
      async () => {
        const url = await createDatabase()
        await query(url, 'create table sessions (mine text)')
        const { code, out, err } = await run('migrate --yes', url)
        expect([code, out]).toEqual([1, expect.not.stringContaining('Applied')])
        expect(err).toMatch(/^The migration failed on .*: .*(sessions.*exist|exist.*sessions)/)
        await query(url, 'drop table sessions')
        const again = await run('migrate --yes', url)
        expect([again.code, again.err]).toEqual([0, ''])
      },
    )
  },
)

async function query(url: string, statement: string): Promise<void> {
  if (url.startsWith('sqlite:')) return new DatabaseSync(url.slice('sqlite:'.length)).exec(statement)
  if (url.startsWith('postgres:')) {
    const { Client } = await import('pg')
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statement)
    return client.end()
  }
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection(url)
  await connection.query(statement)
  return connection.end()
}

describe('authmachine migrate', { timeout: 60_000 }, () => {
  it('CLI-014 does not create an SQLite file with --dry-run', async () => {
    const file = newFile()
    expect((await run('migrate --dry-run', `sqlite:${file}`)).code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  it.each(['y', 'Y', ' yes '])('CLI-014 applies the migrations after the answer %j', async (answer) => {
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return answer
    }
    const { code, out } = await run('migrate', `sqlite:${newFile()}`, { ask })
    expect([code, asked]).toEqual([0, ['Apply these migrations? [y/N] ']])
    expect(out.endsWith(applied)).toBe(true)
  })

  it.each(['', 'n', 'no', 'yesterday'])('CLI-014 changes nothing after the answer %j', async (answer) => {
    const url = `sqlite:${newFile()}`
    const { code, out, err } = await run('migrate', url, { ask: async () => answer })
    expect([code, err]).toEqual([1, 'Nothing was changed.\n'])
    expect(out).not.toContain('Applied')
    expect((await run('migrate --dry-run', url)).out).toMatch(/^Pending/)
  })

  it.each([
    ['another process', async (url: string) => runAlone([], url)],
    ['this process', async (url: string) => run('migrate', url)],
  ])('CLI-014 changes nothing without a terminal and without --yes, in %s', async (_name, start) => {
    const url = `sqlite:${newFile()}`
    const { code, out, err } = await start(url)
    expect([code, err]).toEqual([1, 'Nothing was changed. To apply the migrations, run again with --yes.\n'])
    expect(out).toMatch(/^Pending/)
    expect((await run('migrate --dry-run', url)).out).toMatch(/^Pending/)
  })

  it.each(['db', 'default', 'store'])(
    'CLI-014 uses the Kysely instance that a module exports as %s',
    async (name) => {
      const database = new DatabaseSync(':memory:')
      const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: nodeSqlite(database) }) })
      const modules = { 'db.ts': { pool: {}, nothing: null, text: 'schema', [name]: db } }
      const { code, out } = await run('migrate --yes db.ts', undefined, { modules })
      expect([code, out.split('\n')[0]]).toEqual([0, 'Pending on the database of db.ts:'])
      expect(out.endsWith(applied)).toBe(true)
      // The instance belongs to the module, and stays open.
      expect((await db.introspection.getTables()).map((table) => table.name)).toContain('users')
      await db.destroy()
    },
  )

  it('CLI-014 imports a module of the project with its drivers, and ends although its pool is open', async () => {
    const file = join(folder, 'db.mjs')
    const load = (name: string) => JSON.stringify(import.meta.resolve(name))
    await writeFile(
      file,
      `import { Kysely, PostgresDialect } from ${load('kysely')}\nimport pg from ${load('pg')}\n` +
        'const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })\n' +
        'export const db = new Kysely({ dialect: new PostgresDialect({ pool }) })\n',
    )
    const { code, out, err } = await runAlone([file, '--yes'], await postgres.createDatabase())
    expect([code, err]).toEqual([0, ''])
    expect(out.endsWith(applied)).toBe(true)
  })

  it('CLI-014 reads DATABASE_URL from .env files, and from --env instead', async () => {
    const [first, second] = [newFile(), newFile()]
    const terminal = openTerminal({
      '.env.local': `DATABASE_URL=sqlite:${first}`,
      '.env': 'DATABASE_URL=sqlite:/no/such/folder/x.db',
      '.env.other': `DATABASE_URL=file:${second}`,
    })
    expect((await terminal.type('migrate --yes')).out).toContain(`Pending on SQLite in ${first}:`)
    const other = openTerminal(terminal.files)
    expect((await other.type('migrate --yes --env .env.other')).out).toContain(`SQLite in ${second}:`)
    expect((await other.type('migrate --env .env.none')).err).toBe('Cannot read .env.none.\n')
  })

  it('CLI-014 accepts mariadb:// as a name of mysql://', async () => {
    if (!mariadb) return
    const url = (await mariadb.createDatabase()).replace('mysql:', 'mariadb:')
    expect((await run('migrate --yes', url)).out.endsWith(applied)).toBe(true)
  })

  it.each([
    [
      'migrate',
      undefined,
      2,
      /^Expected a module that exports a Kysely instance, or the variable DATABASE_URL/,
    ],
    ['migrate', '', 2, /^Expected a module/],
    ['migrate', 'hunter2', 2, /^DATABASE_URL must be a URL that starts with postgres:/],
    ['migrate', 'postgres://me:hunter2@:5432:1/db', 2, /^DATABASE_URL must be a URL/],
    ['migrate', 'mongodb://me:hunter2@localhost/db', 2, /^DATABASE_URL must be a URL/],
    [
      'migrate postgres://me:hunter2@localhost/db',
      undefined,
      2,
      /^Set DATABASE_URL instead of passing a URL/,
    ],
    ['migrate a.ts b.ts', 'sqlite:x', 2, /^Expected at most one module/],
    ['migrate --yes --dry-run', 'sqlite:x', 2, /^Choose --dry-run or --yes/],
    ['migrate --force', 'sqlite:x', 2, /Run authmachine migrate --help/],
    ['migrate none.ts', undefined, 1, /^Cannot load none\.ts: Cannot find module/],
    [
      'migrate empty.ts',
      undefined,
      1,
      /^empty\.ts exports no Kysely instance\. Its exports: adapter, \\u\{1b\}\.\n/,
    ],
    [
      'migrate --yes',
      'sqlite:/no/such/folder/x.db',
      1,
      /^The migration failed on SQLite in \/no.*unable to open/,
    ],
  ])('CLI-003 CLI-016 explains the error of "%s" with DATABASE_URL=%s', async (line, url, exit, message) => {
    const modules = { 'empty.ts': { adapter: {}, '\u001b': 1 } }
    const { code, out, err } = await run(line, url, { modules })
    expect([code, out]).toEqual([exit, ''])
    expect(err).toMatch(message)
    expect(err).not.toContain('hunter2')
  })

  it.each(['postgres', 'mysql'])(
    'CLI-003 CLI-016 explains that a server is unreachable: %s',
    async (scheme) => {
      const { code, out, err } = await run('migrate --yes', `${scheme}://me:hunter2@127.0.0.1:1/app`)
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(
        /^The migration failed on \w.* at 127\.0\.0\.1:1\/app: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
      )
    },
  )

  it('CLI-003 shows the reasons for each address of a host', async () => {
    const { err } = await run('migrate --yes', 'postgres://me@localhost:1/app')
    expect(err).toMatch(/ECONNREFUSED/)
  })

  it('CLI-003 stops waiting for a server that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { readonly port: number }
    const urls = ['postgres', 'mysql'].map((scheme) => `${scheme}://me:hunter2@127.0.0.1:${port}/app`)
    for (const { code, err } of await Promise.all(urls.map(async (url) => run('migrate --yes', url)))) {
      expect(code).toBe(1)
      expect(err).toMatch(/time/i)
    }
    silent.close()
  })

  it('CLI-016 hides the password if a driver repeats it', async () => {
    class Pool {
      on() {}
      async connect(): Promise<never> {
        throw new Error('password "hunter 2" was refused')
      }
      async end() {}
    }
    const { code, err } = await run('migrate --yes', 'postgres://me:hunter%202@db.test/app', {
      packages: { pg: { Pool } },
    })
    expect([code, err]).toEqual([
      1,
      'The migration failed on PostgreSQL at db.test/app: password "***" was refused\n',
    ])
  })

  it.each([
    ['postgres://db.test/app', 'pg'],
    ['mysql://db.test/app', 'mysql2'],
  ])('CLI-003 names the driver that is missing for %s', async (url, name) => {
    const { code, err } = await run('migrate', url, { packages: {} })
    expect([code, err]).toEqual([
      1,
      `The package ${name} is not installed in this project. Run: npm install ${name}\n`,
    ])
  })
})
