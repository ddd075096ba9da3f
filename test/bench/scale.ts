/** `npm run bench -- scale`: how costs grow with the configuration, the cookies and the rows in the store. */
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, SqliteDialect, sql, type LogEvent } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { startPostgres } from '../support/postgres.ts'
import * as app from './application.ts'
import { claims, ours } from './contestants.ts'
import { measure, type Effort } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'

const salt = app.cookies.session

async function measureConfiguration(effort: Effort): Promise<Table> {
  const token = await ours.encode({ token: claims, secret: app.secret, salt })
  const cookie = `${app.heldCookies}; ${salt}=${token}`
  const ask = (path: string, more: number) => {
    const config = app.configure(more)
    return () => ours.Auth(new Request(`${app.origin}/auth/${path}`, { headers: { cookie } }), config)
  }
  const secrets = ['one', 'two', 'three', 'four'].map((name) => `a secret named ${name} that is long enough`)
  const decode = (count: number) => () =>
    ours.decode({ token, secret: [...secrets.slice(0, count - 1), app.secret], salt })
  const wide = async (bytes: number) => {
    const big = await ours.encode({ token: { ...claims, more: 'x'.repeat(bytes) }, secret: app.secret, salt })
    const pieces = big.match(/.{1,3900}/g) ?? []
    const held = pieces.map((piece, at) => `${salt}${pieces.length > 1 ? `.${at}` : ''}=${piece}`).join('; ')
    const config = app.configure()
    return () => ours.Auth(new Request(`${app.origin}/auth/session`, { headers: { cookie: held } }), config)
  }
  const groups: readonly (readonly [string, readonly (readonly [string, () => unknown])[]])[] = [
    [
      'session, by number of providers',
      [2, 12, 52, 102].map((count) => [String(count), ask('session', count - 2)] as const),
    ],
    [
      'csrf, by number of providers',
      [2, 12, 52, 102].map((count) => [String(count), ask('csrf', count - 2)] as const),
    ],
    [
      'decode, by number of secrets, using the last',
      [1, 2, 3, 5].map((count) => [String(count), decode(count)] as const),
    ],
    [
      'session, by bytes of claims',
      await Promise.all(
        [0, 2000, 8000, 20_000].map(async (bytes) => [String(bytes), await wide(bytes)] as const),
      ),
    ],
  ]
  const rows: string[][] = []
  for (const [what, sizes] of groups) {
    const timings = await measure(
      sizes.map(([name, run]) => ({ name, run })),
      1,
      effort,
    )
    timings.forEach(({ name, median, cpu, cpuRatio }, index) =>
      rows.push([
        index === 0 ? what : '',
        name,
        show(median),
        show(cpu),
        index === 0 ? '' : cpuRatio.toFixed(2),
      ]),
    )
    console.error(`measured: ${what}`)
  }
  return {
    title: 'Configuration and cookies',
    about: 'One request by input size, with its processor time as a multiple of the smallest.',
    head: ['what', 'size', 'µs', 'CPU µs', 'times the smallest'],
    rows,
  }
}

/** One hour after the last extension: not due for another one, and within the lifetime of a session. */
const expires = new Date(Date.now() + (30 * 86_400 - 3600) * 1000).toISOString()

/**
 * Inserts rows, each a session with its own user. The database generates them, since sending them would take minutes.
 */
const fill = {
  sqlite: (from: number, to: number) => [
    sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)} - 1)
        insert into users (id, email) select 'u' || i, 'u' || i || '@example.com' from n`,
    sql`with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)} - 1)
        insert into sessions ("userId", expires, "sessionToken") select 'u' || i, ${expires}, 't' || i from n`,
  ],
  postgres: (from: number, to: number) => [
    sql`insert into users (id, email) select 'u' || i, 'u' || i || '@example.com' from generate_series(${sql.lit(from)}::int, ${sql.lit(to)}::int - 1) i`,
    sql`insert into sessions ("userId", expires, "sessionToken") select 'u' || i, ${expires}::timestamptz, 't' || i from generate_series(${sql.lit(from)}::int, ${sql.lit(to)}::int - 1) i`,
    sql`analyze`,
  ],
}

async function measureStore(
  kind: keyof typeof fill,
  db: Kysely<unknown>,
  queries: LogEvent[],
  { isQuick }: Asked,
) {
  await migrate(db)
  const adapter = kyselyAdapter(db)
  const config = { ...app.configure(), providers: app.configure().providers.slice(0, 1), adapter }
  const rows: string[][] = []
  let made = 0
  for (const size of isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]) {
    for (const statement of fill[kind](made, size)) await statement.execute(db)
    made = size
    let next = 0
    const read = () => {
      next = (next + 7919) % size
      const headers = { cookie: `${app.heldCookies}; ${salt}=t${next}` }
      return ours.Auth(new Request(`${app.origin}/auth/session`, { headers }), config)
    }
    if ((await (await read()).text()) === 'null') throw new Error('The session was not found')
    const [timing] = await measure([{ name: kind, run: read }], 1, { warmUp: 300, rounds: 9, slice: 50 })
    queries.length = 0
    await read()
    const [query, ...more] = queries.map((event) => event.query)
    if (!query || more.length > 0) throw new Error('Expected a session read to be one query')
    const explain = kind === 'sqlite' ? 'explain query plan' : 'explain (costs off)'
    const plan = await db.executeQuery<Record<string, unknown>>({ ...query, sql: `${explain} ${query.sql}` })
    const lines = plan.rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']).trim())
    rows.push([kind, size.toLocaleString('en-GB'), show(timing?.median ?? Number.NaN), lines.join('; ')])
    console.error(`measured: ${kind}, ${size}`)
  }
  return rows
}

async function measureScale(asked: Asked): Promise<Table[]> {
  const effort = asked.isQuick
    ? { warmUp: 200, rounds: 7, slice: 20 }
    : { warmUp: 1500, rounds: 21, slice: 60 }
  const configuration = await measureConfiguration(effort)
  const queries: LogEvent[] = []
  const log = (event: LogEvent) => void queries.push(event)
  const sqlite = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: nodeSqlite(new DatabaseSync(':memory:')) }),
    log,
  })
  const rows = await measureStore('sqlite', sqlite, queries, asked)
  await sqlite.destroy()
  const server = await startPostgres()
  const postgres = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url }) }),
    log,
  })
  try {
    rows.push(...(await measureStore('postgres', postgres, queries, asked)))
  } finally {
    await postgres.destroy()
    await server.stop()
  }
  return [
    configuration,
    {
      title: 'Sessions in the store',
      about:
        'GET session in a database with the given number of sessions, each with its own user, in a single query. SQLite is in memory, PostgreSQL is connected over a socket.',
      head: ['store', 'sessions', 'µs', 'query plan'],
      rows,
    },
  ]
}

await present(measureScale)
