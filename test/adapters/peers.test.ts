import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { adapterContract, type AdapterSubject } from '../../fuzz/adapter/index.ts'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { startPostgres } from '../support/postgres.ts'
import { findings } from './findings.ts'
import { judgeAll } from './judge-all.ts'
import { judge } from './judge.ts'

/** The exports of fuzz/peers/adapters/subjects.js. */
interface Peers {
  readonly openSubjects: (
    url: string,
  ) => Promise<{ readonly subjects: readonly AdapterSubject[]; readonly close: () => Promise<void> }>
  readonly openPgAdapter: (
    url: string,
    makesTables: boolean,
  ) => Promise<{ readonly adapter: Required<Adapter>; readonly close: () => Promise<void> }>
}

const folder = new URL('../../fuzz/peers/adapters/', import.meta.url)

/** Published packages are installed in a separate folder, to keep them out of this package's dependency tree. */
async function importPeers(): Promise<Peers> {
  if (!existsSync(new URL('node_modules/.package-lock.json', folder))) install()
  return (await import(new URL('subjects.js', folder).href)) as Peers
}

function install(): void {
  const args = ['ci', '--silent', '--no-audit', '--no-fund', '--prefix', fileURLToPath(folder)]
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci of the peers failed: ${stderr}`)
}

const { openSubjects, openPgAdapter } = await importPeers()
const server = await startPostgres()
const { subjects, close } = await openSubjects(server.url)

afterAll(async () => {
  await close()
  await server.stop()
})

for (const subject of subjects) {
  const plain = adapterContract(subject).filter(({ guards }) => !guards)
  judge(subject, plain, findings[subject.name])
}

it('has findings for exactly the adapters that it tests', () => {
  expect(Object.keys(findings).toSorted()).toEqual(subjects.map(({ name }) => name).toSorted())
})

describe('the tables of the Kysely adapter', { timeout: 30_000 }, () => {
  const expires = new Date('2030-01-01T00:00:00.500Z')
  const account = { provider: 'p', providerAccountId: 'a', type: 'oauth' } as const

  const open = (url: string) =>
    new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }) })

  /** A signed-in user, and a pending verification token. */
  const fill = async (store: Adapter) => {
    const user = await store.createUser?.({
      id: 'u',
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: expires,
    })
    const userId = user?.id ?? ''
    await store.linkAccount?.({ ...account, userId, expires_at: 4_102_444_800, scope: 'a b' })
    await store.createSession?.({ sessionToken: 't', userId, expires })
    await store.createVerificationToken?.({ identifier: 'ada@example.com', token: 'hash', expires })
  }

  const expectFilled = async (store: Adapter) => {
    const owner = await store.getUserByAccount?.(account)
    expect(owner).toMatchObject({ name: 'Ada', email: 'ada@example.com', emailVerified: expires })
    const found = await store.getSessionAndUser?.('t')
    expect(found).toMatchObject({ session: { sessionToken: 't', expires }, user: { id: owner?.id } })
    const link = { identifier: 'ada@example.com', token: 'hash' }
    expect(await store.useVerificationToken?.(link)).toMatchObject({ expires })
  }

  it('work with @auth/pg-adapter unchanged, in both directions', async () => {
    const url = await server.createDatabase()
    const db = open(url)
    await migrate(db)
    const ours = kyselyAdapter(db)
    const theirs = await openPgAdapter(url, false)
    await fill(theirs.adapter)
    await expectFilled(ours)
    await ours.deleteUser((await ours.getUserByEmail('ada@example.com'))?.id ?? '')
    await fill(ours)
    await expectFilled(theirs.adapter)
    await theirs.close()
    await db.destroy()
  })

  it('can be migrated from those of @auth/pg-adapter, with their rows', async () => {
    const url = await server.createDatabase()
    const theirs = await openPgAdapter(url, true)
    await fill(theirs.adapter)
    await theirs.close()
    const db = open(url)
    const statements = new URL('../../docs/examples/adapters/from-pg-adapter.sql', import.meta.url)
    await sql.raw(await readFile(statements, 'utf8')).execute(db)
    const ours = kyselyAdapter(db)
    await expectFilled(ours)
    expect((await ours.getAccount('a', 'p'))?.userId).toBe('1')
    await judgeAll({
      name: 'tables migrated from those of @auth/pg-adapter',
      async open() {
        await sql`delete from users`.execute(db)
        await sql`delete from verification_token`.execute(db)
        await sql`delete from keyed_records`.execute(db)
        return { adapter: ours, close() {} }
      },
    })
    await db.destroy()
  })
})
