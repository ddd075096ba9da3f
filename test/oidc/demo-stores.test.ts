import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo } from '../../docs/examples/demo/demo.ts'
import { openStore, type StorePlace } from '../../docs/examples/demo/store.ts'
import { byMailLink, byOpenId, byPassword, type Chapter } from '../../docs/examples/demo/sign-in-methods.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'

const logger = { error() {}, warn() {}, debug() {} }

describe('the demo with a persistent store', { timeout: 30_000 }, () => {
  let folder: string
  let postgres: PostgresServer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-stores-'))
    postgres = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const places: Readonly<Record<string, () => StorePlace>> = {
    SQLite: () => ({ kind: 'sqlite', path: join(folder, 'demo.db') }),
    PostgreSQL: () => ({ kind: 'postgres', url: postgres.url }),
  }

  it.each(Object.keys(places))('ATN-001 signs the same users in after a restart, with %s', async (name) => {
    const place = places[name]?.() ?? { kind: 'memory' }
    const ids = [await signInEveryWay(place), await signInEveryWay(place)]
    expect(new Set(ids[0]).size).toBe(3)
    expect(ids[1]).toEqual(ids[0])
  })
})

describe('a store that cannot be used', () => {
  it.each<[StorePlace, RegExp]>([
    [
      { kind: 'sqlite', path: '/no/such/folder/demo.db' },
      /^The store \(SQLite in \S+\) cannot be opened: unable/,
    ],
    [
      { kind: 'postgres', url: 'postgres://me:secret@127.0.0.1:1/demo' },
      /^The store \(PostgreSQL at 127\.0\.0\.1:1\) cannot be opened: .*REFUSED/,
    ],
  ])('causes an error with the reason, and without its password: %j', async (place, why) => {
    const failed = startDemo({ port: 0, store: place, logger })
    await expect(failed).rejects.toThrow(why)
    await expect(failed).rejects.not.toThrow('secret')
  })
})

/** Starts the demo, signs in and out, and stops the demo. @returns the ids of the users in the store */
async function signInEveryWay(place: StorePlace): Promise<readonly (string | undefined)[]> {
  const demo = await startDemo({ port: 0, store: place, logger })
  const emails: string[] = []
  try {
    for (const way of [byOpenId, byMailLink, byPassword]) emails.push(await signInAndOut(way, demo))
  } finally {
    await demo.close()
  }
  const { adapter, close } = await openStore(place)
  const users = await Promise.all(emails.map(async (email) => adapter.getUserByEmail(email)))
  await close()
  return users.map((user) => user?.id)
}

async function signInAndOut({ arrive }: Chapter, demo: Parameters<Chapter['arrive']>[0]): Promise<string> {
  const { email, signIn, readSession, signOut } = await arrive(demo)
  await signIn()
  expect(await readSession()).toMatchObject({ user: { email } })
  await signOut()
  expect(await readSession()).toBeNull()
  return email
}
