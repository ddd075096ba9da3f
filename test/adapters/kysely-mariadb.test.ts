import fc from 'fast-check'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { type MariadbServer, startMariadb, whyNoMariadb } from '../support/mariadb.ts'
import { judgeAll } from './judge-all.ts'
import { judge } from './judge.ts'
import { judgeKysely } from './kysely-extras.ts'
import { judgeKyselyRaces } from './kysely-races.ts'

const reason = whyNoMariadb()
if (reason) console.warn(`The tests of the Kysely adapter on MariaDB were skipped: ${reason}`)

/** Settings of a site that must not affect the adapter. */
const otherSettings = [
  "time_zone = '-07:00'",
  "sql_mode = ''",
  "tx_isolation = 'SERIALIZABLE'",
  // The default of MariaDB 11.6 and newer.
  'innodb_snapshot_isolation = on',
]
const otherOptions: PoolOptions = {
  flags: ['-FOUND_ROWS'],
  supportBigNumbers: true,
  bigNumberStrings: true,
  timezone: '+05:30',
}

describe.skipIf(reason)(`MariaDB${reason ? ` (skipped: ${reason})` : ''}`, { timeout: 60_000 }, () => {
  let server: MariadbServer
  let db: Kysely<unknown>
  let lenient: Kysely<unknown>

  function connect(options: PoolOptions = {}, settings: readonly string[] = []): Kysely<unknown> {
    const pool = createPool({ uri: server.url, connectionLimit: 30, ...options })
    pool.on('connection', (connection) => {
      for (const setting of settings) connection.query(`set session ${setting}`)
    })
    return new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
  }

  beforeAll(async () => {
    server = await startMariadb()
    db = connect()
    lenient = connect(otherOptions, otherSettings)
    await migrate(db)
  }, 60_000)

  afterAll(async () => {
    await Promise.all([db?.destroy(), lenient?.destroy()])
    await server?.stop()
  })

  const name = 'Kysely on MariaDB'

  async function open(): Promise<Kysely<unknown>> {
    await sql`delete from users`.execute(db)
    await sql`delete from verification_token`.execute(db)
    await sql`delete from keyed_records`.execute(db)
    return db
  }

  judge({ name, open: async () => ({ adapter: kyselyAdapter(await open()), close() {} }) })
  judgeKysely(name, open)
  judgeKyselyRaces(name, open)
  judgeKyselyRaces(`${name} with other settings`, async () => open().then(() => lenient))

  const user = { id: 'u', email: 'ada@example.com', emailVerified: null }
  const expires = new Date('2030-01-01T00:00:00.500Z')
  const account = { userId: 'u', type: 'oidc', provider: 'p', providerAccountId: 'a' } as const
  const passkey = {
    credentialID: 'c',
    userId: 'u',
    providerAccountId: 'c',
    credentialPublicKey: 'key',
    counter: 1,
    credentialDeviceType: 'multiDevice',
    credentialBackedUp: true,
    transports: null,
  }

  async function openSeeded(on: () => Kysely<unknown> = () => db) {
    await open()
    const store = kyselyAdapter(on())
    await store.createUser(user)
    return store
  }

  it('CB-08 satisfies the contract with other settings of the session and the driver', async () => {
    await judgeAll({
      name: 'other settings',
      async open() {
        await open()
        return { adapter: kyselyAdapter(lenient), close() {} }
      },
    })
  })

  it('OI-19 finds rows by exactly their keys: case, accents, spaces at the end and 4-byte characters count', async () => {
    const store = await openSeeded()
    const keys = [
      'key',
      'Key',
      'kéy',
      'ke\u0301y',
      'key ',
      ' key',
      'key\t',
      'k\u{1f511}',
      'k\u{1f510}',
      'k?',
      'ß',
      'ss',
    ]
    for (const key of keys) {
      await store.createUser({ id: key, email: key, emailVerified: null, name: key })
      await store.linkAccount({ ...account, userId: key, provider: key, providerAccountId: key })
      await store.createSession({ sessionToken: key, userId: key, expires })
      await store.createVerificationToken({ identifier: key, token: key, expires })
      await store.createAuthenticator({ ...passkey, userId: key, credentialID: key })
    }
    for (const key of keys) {
      expect((await store.getUserByEmail(key))?.id).toBe(key)
      expect((await store.getUserByAccount({ provider: key, providerAccountId: key }))?.id).toBe(key)
      expect((await store.getSessionAndUser(key))?.user.id).toBe(key)
      expect((await store.getAuthenticator(key))?.userId).toBe(key)
      expect(await store.listAccountsByUserId(key)).toHaveLength(1)
      expect((await store.useVerificationToken({ identifier: key, token: key }))?.token).toBe(key)
      expect((await store.deleteUser(key))?.name).toBe(key)
    }
  })

  it('OI-19 finds rows by exactly their keys, whatever characters these have', async () => {
    const store = await openSeeded()
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => !each.includes('\0'))
    await fc.assert(
      fc.asyncProperty(text, text, async (a, b) => {
        await store.createUser({ id: `id ${a}`, email: `mail ${b}`, emailVerified: null })
        await store.createSession({ sessionToken: a, userId: `id ${a}`, expires })
        expect((await store.getUserByEmail(`mail ${b}`))?.id).toBe(`id ${a}`)
        expect((await store.getSessionAndUser(a))?.session.sessionToken).toBe(a)
        await store.deleteUser(`id ${a}`)
        expect(await store.getSessionAndUser(a)).toBeNull()
      }),
      { numRuns: 50 },
    )
  })

  it('CB-08 keeps dates to the millisecond in any time zone of the process, the session and the driver', async () => {
    // Night in Los Angeles, where 02:30 does not exist.
    const skipped = new Date('2030-03-10T02:30:00.001Z')
    const store = await openSeeded()
    for (const zone of ['UTC', 'America/Los_Angeles', 'Asia/Kathmandu']) {
      vi.stubEnv('TZ', zone)
      await store.updateUser({ id: 'u', emailVerified: skipped })
      for (const on of [db, lenient])
        expect((await kyselyAdapter(on).getUser('u'))?.emailVerified, zone).toEqual(skipped)
    }
    vi.unstubAllEnvs()
  })

  it('CB-08 stores the longest keys, and tokens of 60 kB', async () => {
    const store = await openSeeded()
    const wide = (length: number) => '\u{1f511}'.repeat(length)
    const token = wide(15_000)
    const long = { ...account, provider: wide(64), providerAccountId: wide(704), access_token: token }
    expect(await store.linkAccount(long)).toEqual(long)
    expect(await store.getAccount(wide(704), wide(64))).toEqual(long)
    expect(await store.updateAccount({ ...account, ...long, refresh_token: token })).toMatchObject({
      refresh_token: token,
    })
    const key = { ...passkey, credentialID: wide(704), providerAccountId: wide(704) }
    expect(await store.createAuthenticator(key)).toEqual(key)
    const link = { identifier: wide(320), token: wide(255), expires }
    await store.createVerificationToken(link)
    expect(await store.useVerificationToken(link)).toEqual(link)
  })

  it.each([
    ['the default settings', () => db],
    ['a server that shortens text', () => lenient],
  ])('CB-08 rejects a key that is too long, and stores nothing, with %s', async (_name, on) => {
    const store = await openSeeded(on)
    const long = 'x'.repeat(800)
    const tooLong = /too long/
    await expect(store.createUser({ ...user, id: 'v', email: long })).rejects.toThrow(tooLong)
    await expect(store.createUser({ ...user, id: long, email: 'v@example.com' })).rejects.toThrow(tooLong)
    await expect(store.updateUser({ id: 'u', email: long })).rejects.toThrow(tooLong)
    await expect(store.linkAccount({ ...account, providerAccountId: long })).rejects.toThrow(tooLong)
    await expect(store.createSession({ sessionToken: long, userId: 'u', expires })).rejects.toThrow(tooLong)
    await expect(store.createAuthenticator({ ...passkey, credentialID: long })).rejects.toThrow(tooLong)
    expect((await sql`select id, email from users`.execute(db)).rows).toEqual([
      { id: 'u', email: user.email },
    ])
    expect(await store.listAccountsByUserId('u')).toEqual([])
    expect(await store.getSessionAndUser(long.slice(0, 255))).toBeNull()
  })

  it('CB-08 stores objects and lists in columns of the site as JSON', async () => {
    const store = await openSeeded()
    await db.schema.alterTable('users').addColumn('tags', 'text').execute()
    try {
      for (const tags of [['a', 'b'], { email: 'x' }, []]) {
        const given = { id: 'u', tags }
        expect(await store.updateUser(given)).toMatchObject({ tags: JSON.stringify(tags), email: user.email })
      }
    } finally {
      await db.schema.alterTable('users').dropColumn('tags').execute()
    }
  })

  it('CB-08 rejects with the error of the database when a row stays locked, without trying again', async () => {
    const store = await openSeeded()
    const impatient = connect({ connectionLimit: 1 }, ['innodb_lock_wait_timeout = 1'])
    await db.transaction().execute(async (trx) => {
      await kyselyAdapter(trx).updateUser({ id: 'u', name: 'Ada' })
      const from = Date.now()
      await expect(kyselyAdapter(impatient).updateUser({ id: 'u', name: 'x' })).rejects.toThrow(
        /Lock wait timeout/,
      )
      expect(Date.now() - from).toBeLessThan(20_000)
    })
    await impatient.destroy()
    expect((await store.getUser('u'))?.name).toBe('Ada')
  })

  it('CB-08 refuses to migrate if a name is taken, and creates no other table', async () => {
    const pool = createPool(await server.createDatabase())
    const other = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
    await sql`create table sessions (mine text)`.execute(other)
    await expect(migrate(other)).rejects.toThrow('Tables with these names exist already: sessions')
    const tables = (await other.introspection.getTables()).map((table) => table.name)
    expect(tables.filter((each) => !each.startsWith('authmachine_'))).toEqual(['sessions'])
    await sql`drop table sessions`.execute(other)
    await migrate(other)
    await other.destroy()
  })
})
