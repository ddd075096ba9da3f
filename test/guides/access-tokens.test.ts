import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { adapterContract } from 'authmachine-conformance/adapter'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pgTables } from '../../fuzz/peers/adapters/pg-tables.js'
import { systemPlatform } from '../../src/platform/clock.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { platform } from '../../src/types/symbols.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { locationOf } from '../flows/expectations.ts'
import { fingerprint, once } from '../integrations/once.ts'
import { followLink } from '../support/follow-link.ts'
import { askForLink, openMailApp, pathOf } from '../support/mail.ts'
import { openApp, sessionOf, signIn, type App } from '../support/app.ts'
import { openPasswordApp, resetPassword } from '../support/passwords.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'
import { interceptRefreshes, key, rotating } from '../support/refresh.ts'
import { heldSession, rowOf, sessionCookie } from '../support/session-cookie.ts'

/** The programs of the guide, with their own packages. */
const programs = fileURLToPath(new URL('../../docs/examples/access-tokens/', import.meta.url))
const run = promisify(execFile)

let server: PostgresServer

beforeAll(async () => {
  const locked = fingerprint(programs, ['package.json', 'package-lock.json', 'schema.prisma'])
  await once(join(programs, 'node_modules/.installed'), locked, async () => {
    const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
    await run('npm', ['ci', ...options], { cwd: programs })
    // The command requires a schema engine to exist, but `generate` does not run it, so any program works.
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }
    await run(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { cwd: programs, env })
  })
  server = await startPostgres()
}, 180_000)

afterAll(async () => {
  await server.stop()
  vi.unstubAllEnvs()
})

/** The exports of a program. This test does not have its packages, so the compiler sees neither. */
async function load<Exports>(program: string): Promise<Exports> {
  return (await import(/* @vite-ignore */ join(programs, program))) as Exports
}

interface Opened {
  readonly adapter: Required<Adapter>
  /** Removes every row. */
  readonly clear: () => Promise<unknown>
  readonly close: () => Promise<unknown>
}

async function openPg(program = 'pg.ts', more?: string): Promise<Opened> {
  const { createAdapter } = await load<{ createAdapter: (pool: Pool) => Required<Adapter> }>(program)
  const pool = new Pool({ connectionString: await server.createDatabase() })
  await pool.query(pgTables)
  if (more) await pool.query(await readFile(join(programs, more), 'utf8'))
  return {
    adapter: createAdapter(pool),
    clear: () => pool.query('delete from accounts; delete from sessions; delete from users'),
    close: () => pool.end(),
  }
}

/** As documented, except `expires_at`: a rule of the contract stores a time after 2038, which `integer` cannot hold. */
const drizzleTables = `
  create table "user" (id text primary key, name text, email text unique, "emailVerified" timestamp, image text);
  create table account (
    "userId" text not null references "user" (id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint, token_type text,
    scope text, id_token text, session_state text, authorization_details jsonb,
    primary key (provider, "providerAccountId")
  );
  create table session (
    "sessionToken" text primary key, "userId" text not null references "user" (id) on delete cascade,
    expires timestamp not null
  );
  create table "verificationToken" (
    identifier text not null, token text not null, expires timestamp not null, primary key (identifier, token)
  );`

async function openDrizzle(): Promise<Opened> {
  vi.stubEnv('DATABASE_URL', await server.createDatabase())
  const { adapter } = await load<{ adapter: Required<Adapter> }>('drizzle.ts')
  const { db } = await load<{ db: { $client: Pool } }>('drizzle-schema.ts')
  await db.$client.query(drizzleTables)
  return {
    adapter,
    clear: () => db.$client.query('delete from "user"'),
    close: () => db.$client.end(),
  }
}

/** Of the models, with the same exception. `prisma db push` would need an engine that npm does not provide. */
const prismaTables = `
  create table "User" (id text primary key, name text, email text unique, "emailVerified" timestamp(3), image text);
  create table "Account" (
    "userId" text not null references "User" (id) on delete cascade on update cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at bigint, token_type text, scope text, id_token text, session_state text, authorization_details jsonb,
    primary key (provider, "providerAccountId")
  );
  create table "Session" (
    "sessionToken" text not null unique, expires timestamp(3) not null,
    "userId" text not null references "User" (id) on delete cascade on update cascade
  );
  create table "VerificationToken" (
    identifier text not null, token text not null, expires timestamp(3) not null, primary key (identifier, token)
  );`

async function openPrisma(): Promise<Opened> {
  const url = await server.createDatabase()
  vi.stubEnv('DATABASE_URL', url)
  const { adapter, prisma } = await load<{
    adapter: Required<Adapter>
    prisma: { $disconnect: () => Promise<void> }
  }>('prisma.ts')
  const pool = new Pool({ connectionString: url })
  pool.on('error', () => {})
  await pool.query(prismaTables)
  return {
    adapter,
    clear: () => pool.query('delete from "User"; delete from "VerificationToken"'),
    close: () => Promise.all([prisma.$disconnect(), pool.end()]),
  }
}

async function openTypeorm(): Promise<Opened> {
  const { createAdapter } = await load<{ createAdapter: (options: object) => Promise<Required<Adapter>> }>(
    'typeorm.ts',
  )
  const url = await server.createDatabase()
  const adapter = await createAdapter({ type: 'postgres', url, synchronize: true, logging: false })
  const pool = new Pool({ connectionString: url })
  return {
    adapter,
    clear: () => pool.query('delete from sessions; delete from accounts; delete from users'),
    close: () => pool.end(),
  }
}

const recipes = {
  '@auth/pg-adapter': () => openPg(),
  '@auth/drizzle-adapter': openDrizzle,
  '@auth/prisma-adapter': openPrisma,
  '@auth/typeorm-adapter': openTypeorm,
}

/** Returns whether a guide shows a complete adapter, not only the operations for access tokens. */
const isGuided = (name: string) => /drizzle|prisma/.test(name)

/** The processes share an adapter and a provider. Each has its own clock, by which the library distinguishes them. */
function openApps(adapter: Adapter, processes: number): { apps: readonly App[]; sent: readonly string[] } {
  const sent: string[] = []
  const answer = rotating()
  const open = (): App => {
    const fetch = interceptRefreshes(() => app.idp, answer, sent)
    // The test clock ends short pauses at once, so a request would not wait for a slow database.
    const config = { [platform]: { fetch, timer: systemPlatform.timer } }
    const app: App = openApp({ strategy: 'database', wrap: () => adapter, config })
    return app
  }
  return { apps: Array.from({ length: processes }, open), sent }
}

/** Lists and revokes the sessions of a user, and deletes the user. */
async function manageSessions(adapter: Required<Adapter>): Promise<void> {
  const app = openApp({ strategy: 'database', wrap: () => adapter })
  const { listSessions, revokeSessions, deleteUser } = createAuth(app.config)
  const [phone, laptop] = [app.agent(), app.agent()]
  for (const agent of [phone, laptop]) await signIn(app, agent)
  const userId = (await rowOf({ ...app, store: adapter }, phone))?.userId ?? ''
  const headers = { cookie: `${sessionCookie}=${heldSession(phone)}` }
  const request = new Request('https://app.test/account', { headers })

  const listed = await listSessions(userId, { request })
  expect(listed).toHaveLength(2)
  expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  expect(await revokeSessions(userId, { except: request })).toBe(1)
  expect([await sessionOf(phone), await sessionOf(laptop)]).toMatchObject([{ user: {} }, null])
  await deleteUser(userId)
  expect(await sessionOf(phone)).toBeNull()
  expect(await listSessions(userId)).toEqual([])
}

it(
  'the programs of the guide compile against the types of their packages',
  { timeout: 120_000 },
  async () => {
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const { stdout } = await run(process.execPath, [tsc, '-p', programs]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  },
)

describe.each(Object.entries(recipes))('access tokens with %s', { timeout: 60_000 }, (name, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  }, 60_000)
  afterAll(() => opened.close())

  it.each([
    ['one process', 1],
    ['six processes', 6],
  ])('OPT-008 OPT-002 are refreshed once by six concurrent requests to %s', async (_where, processes) => {
    const { adapter, clear } = opened
    await clear()
    const { apps, sent } = openApps(adapter, processes)
    const [app] = apps
    if (!app) throw new Error('no application was opened')
    expect(locationOf(await signIn(app, app.agent())).href).toBe('https://app.test/')

    const expires_at = Math.floor(app.clock.now() / 1000) - 1
    const expired = { access_token: 'access-1', refresh_token: 'refresh-1', expires_at }
    await adapter.updateAccount({ ...key, ...expired })
    const asked = await Promise.all(Array.from({ length: 6 }, (_, n) => (apps[n] ?? app).accessToken(key)))
    expect(asked).toMatchObject(asked.map(() => ({ state: 'current', accessToken: 'access-2' })))
    expect(sent).toEqual(['refresh-1'])
    expect(await adapter.getAccount('ada', 'idp')).toMatchObject({ refresh_token: 'refresh-2' })

    // The next sign-in stores its own tokens.
    await signIn(app, app.agent())
    expect((await adapter.getAccount('ada', 'idp'))?.access_token).not.toBe('access-2')
    expect(apps.flatMap(({ errors }) => errors)).toEqual([])
  })

  it('OPT-002 ADP-013 OPT-046 REC-009 keep the contract of the operations that a guide adds', async () => {
    const { adapter, clear } = opened
    const subject = {
      name: 'a recipe',
      open: async () => {
        await clear()
        return { adapter, close() {} }
      },
    }
    const ids = ['OPT-002', 'ADP-013 ERR-014', ...(isGuided(name) ? ['OPT-046', 'REC-009'] : [])]
    const rules = adapterContract(subject).filter(({ id }) => ids.includes(id))
    expect(rules).toHaveLength(isGuided(name) ? 5 : 3)
    for (const { run: judge } of rules) await judge()
  })

  if (!isGuided(name)) return

  it('OPT-040 OPT-042 OPT-043 let users manage their sessions', async () => {
    await opened.clear()
    await manageSessions(opened.adapter)
  })

  it('sign users in by a mailed link', async () => {
    const { adapter, clear } = opened
    await clear()
    const app = openMailApp(openApp, { wrap: () => adapter })
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    const [mail] = app.mails
    if (!mail) throw new Error('no link was mailed')
    await followLink(agent, pathOf(mail))
    expect(await sessionOf(agent)).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(app.errors).toEqual([])
  })
})

const managesSessions =
  'OPT-040 OPT-042 OPT-043 the recipe for @auth/pg-adapter lets users manage their sessions'
it(managesSessions, { timeout: 60_000 }, async () => {
  const { adapter, close } = await openPg('pg-sessions.ts')
  try {
    await manageSessions(adapter)
  } finally {
    await close()
  }
})

it('PW-04 PW-05 PW-09 the recipe for @auth/pg-adapter stores passwords', { timeout: 60_000 }, async () => {
  const { adapter, close } = await openPg('pg-passwords.ts', 'pg-passwords.sql')
  try {
    const app = openPasswordApp(openApp, { wrap: () => adapter })
    const [thief, agent] = [app.agent(), app.agent()]
    await resetPassword(app, thief)
    expect(app.errors.map(String)).toEqual([])
    expect(await sessionOf(thief)).toMatchObject({ user: { email: 'ada@example.com' } })
    await resetPassword(app, agent)
    expect([await sessionOf(thief), await sessionOf(agent)]).toMatchObject([null, { user: {} }])
    const { id = '' } = (await adapter.getUserByEmail('ada@example.com')) ?? {}
    const hash = (await adapter.getPassword(id)) ?? ''
    expect(await adapter.setPassword(id, 'other', { hash: 'stale' })).toBe(false)
    expect(await adapter.setPassword(id, 'other', { hash })).toBe(true)
    expect(await adapter.getPassword(id)).toBe('other')
    await adapter.deletePassword(id)
    expect(await adapter.getPassword(id)).toBeNull()
  } finally {
    await close()
  }
})
