/** `npm run bench -- scale`: how costs grow with the configuration, the cookies and the rows in the store. */
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, SqliteDialect, type LogEvent } from 'kysely'
import { Pool } from 'pg'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { startPostgres } from '../support/postgres.ts'
import * as app from './application.ts'
import { ours } from './contestants.ts'
import { fill } from './fill-store.ts'
import { measure, type Effort, type Timing, type Variant } from './measure.ts'
import { present, show, type Asked, type Table } from './present.ts'

const salt = app.cookies.session

async function measureConfiguration(effort: Effort): Promise<Table> {
  const token = await ours.encode({ token: app.claims, secret: app.secret, salt })
  const cookie = `${app.heldCookies}; ${salt}=${token}`
  const ask = (path: string, more: number) => {
    const config = app.configure(more)
    return () => ours.Auth(new Request(`${app.origin}/auth/${path}`, { headers: { cookie } }), config)
  }
  const secrets = Array.from({ length: 7 }, (_, n) => `secret number ${n}, which is long enough to be one`)
  const decode = (count: number) => () =>
    ours.decode({ token, secret: [...secrets.slice(0, count - 1), app.secret], salt })
  const wide = async (bytes: number) => {
    const big = await ours.encode({
      token: { ...app.claims, more: 'x'.repeat(bytes) },
      secret: app.secret,
      salt,
    })
    const pieces = big.match(/.{1,3900}/g) ?? []
    const held = pieces.map((piece, at) => `${salt}${pieces.length > 1 ? `.${at}` : ''}=${piece}`).join('; ')
    const config = app.configure()
    return () => ours.Auth(new Request(`${app.origin}/auth/session`, { headers: { cookie: held } }), config)
  }
  const vary = (sizes: readonly number[], open: (size: number) => () => unknown): Variant[] =>
    sizes.map((size) => ({ name: String(size), run: open(size) }))
  const providers = [2, 12, 27, 52, 77, 102]
  const secretCounts = [1, 2, 3, 5, 8]
  const bytes = [0, 1000, 2000, 4000, 8000, 12_000, 16_000, 20_000]
  const tokens = new Map(await Promise.all(bytes.map(async (size) => [size, await wide(size)] as const)))
  const groups: readonly Group[] = [
    {
      what: 'session, by providers',
      chart: 'providers',
      variants: vary(providers, (n) => ask('session', n - 2)),
    },
    { what: 'csrf, by providers', chart: 'providers', variants: vary(providers, (n) => ask('csrf', n - 2)) },
    { what: 'decode, by secrets, using the last', chart: 'secrets', variants: vary(secretCounts, decode) },
    {
      what: 'session, by bytes of claims',
      chart: 'claims',
      variants: vary(bytes, (size) => tokens.get(size) ?? ask('session', 0)),
    },
  ]
  const measured = new Map<string, readonly Timing[]>()
  for (const { what, variants } of groups) {
    measured.set(what, await measure(variants, 1, effort))
    console.error(`measured: ${what}`)
  }
  return {
    title: 'Configuration and cookies',
    about: 'One request by input size, with its processor time as a multiple of the smallest.',
    head: ['what', 'size', 'µs', 'CPU µs', 'times the smallest'],
    rows: [...measured].flatMap(([what, timings]) =>
      timings.map(({ name, median, cpu, cpuRatio }, at) => [
        at === 0 ? what : '',
        Number(name).toLocaleString('en-GB'),
        show(median),
        show(cpu),
        at === 0 ? '' : cpuRatio.toFixed(2),
      ]),
    ),
    charts: Object.entries(charted).map(([name, axes]) => ({
      name,
      ...axes,
      y: { title: 'Processor time of one call (µs)' },
      curves: Object.fromEntries(
        groups
          .filter(({ chart }) => chart === name)
          .map(({ what }) => [
            what.split(',', 1).join(''),
            (measured.get(what) ?? []).map((timing) => [Number(timing.name), timing.cpu] as const),
          ]),
      ),
    })),
  }
}

interface Group {
  readonly what: string
  readonly chart: keyof typeof charted
  readonly variants: readonly Variant[]
}

/** The curves of the configuration, by the names of their files. */
const charted = {
  claims: {
    title: 'The cost of GET session grows in proportion to the claims in the token',
    x: { title: 'Claims in the session token (bytes)' },
  },
  providers: {
    title: 'The cost of GET session and GET csrf by the number of providers',
    x: { title: 'Configured providers' },
  },
  secrets: {
    title: 'The cost of decode by the number of secrets',
    x: { title: 'Configured secrets, of which the last one matches' },
  },
} as const

async function measureStore(
  kind: keyof typeof fill,
  db: Kysely<unknown>,
  queries: LogEvent[],
  { isQuick }: Asked,
) {
  await migrate(db)
  const adapter = kyselyAdapter(db)
  const config = { ...app.configure(), providers: app.configure().providers.slice(0, 1), adapter }
  const stored: Stored[] = []
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
    const [timing] = await measure([{ name: kind, run: read }], 1, {
      warmUp: [300, 300],
      rounds: 9,
      slice: 50,
    })
    queries.length = 0
    await read()
    const [query, ...more] = queries.map((event) => event.query)
    if (!query || more.length > 0) throw new Error('Expected a session read to be one query')
    const explain = kind === 'sqlite' ? 'explain query plan' : 'explain (costs off)'
    const plan = await db.executeQuery<Record<string, unknown>>({ ...query, sql: `${explain} ${query.sql}` })
    const lines = plan.rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']).trim())
    stored.push({ kind, size, median: timing?.median ?? Number.NaN, plan: lines.join('; ') })
    console.error(`measured: ${kind}, ${size}`)
  }
  return stored
}

interface Stored {
  readonly kind: keyof typeof fill
  readonly size: number
  /** Microseconds. */
  readonly median: number
  readonly plan: string
}

function describeStores(stored: readonly Stored[]): Table {
  const curve = (kind: Stored['kind']) =>
    stored.filter((each) => each.kind === kind).map(({ size, median }) => [size, median] as const)
  return {
    title: 'Sessions in the store',
    about:
      'GET session in a database with the given number of sessions, each with its own user, in a single query. SQLite is in memory, PostgreSQL is connected over a socket.',
    head: ['store', 'sessions', 'µs', 'query plan'],
    rows: stored.map(({ kind, size, median, plan }) => [
      kind,
      size.toLocaleString('en-GB'),
      show(median),
      plan,
    ]),
    charts: [
      {
        name: 'sessions',
        title: 'The cost of GET session by the number of sessions in the database',
        x: { title: 'Sessions in the database', isLogarithmic: true },
        y: { title: 'Time of one request (µs)' },
        curves: { SQLite: curve('sqlite'), PostgreSQL: curve('postgres') },
      },
    ],
  }
}

async function measureScale(asked: Asked): Promise<Table[]> {
  const effort: Effort = asked.isQuick
    ? { warmUp: [200, 200], rounds: 7, slice: 20 }
    : { warmUp: [1000, 1000], rounds: 15, slice: 60 }
  const configuration = await measureConfiguration(effort)
  const queries: LogEvent[] = []
  const log = (event: LogEvent) => void queries.push(event)
  const sqlite = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: nodeSqlite(new DatabaseSync(':memory:')) }),
    log,
  })
  const stored = await measureStore('sqlite', sqlite, queries, asked)
  await sqlite.destroy()
  const server = await startPostgres()
  const postgres = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url }) }),
    log,
  })
  try {
    stored.push(...(await measureStore('postgres', postgres, queries, asked)))
  } finally {
    await postgres.destroy()
    await server.stop()
  }
  return [configuration, describeStores(stored)]
}

await present(measureScale)
