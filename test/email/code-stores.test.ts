import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { openPostgresStore, openRedisStore } from '../races/stores.ts'
import { csrfOf, openApp, sessionOf } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { copyCookies } from '../support/follow-link.ts'
import { askForLink, mailProvider, type Mail } from '../support/mail.ts'
import { whyNoRedis } from '../support/redis.ts'

interface Opened {
  readonly adapter: Adapter
  readonly stop: () => unknown
}

async function openSqlite(): Promise<Opened> {
  const database = nodeSqlite(new DatabaseSync(':memory:'))
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  await migrate(db)
  return { adapter: kyselyAdapter(db), stop: () => db.destroy() }
}

interface Place {
  readonly name: string
  readonly open: () => Opened | Promise<Opened>
  /** The reason why the store cannot be opened here. */
  readonly reason?: string | undefined
}

const places: readonly Place[] = [
  { name: 'memory', open: () => ({ adapter: memoryAdapter(), stop() {} }) },
  { name: 'SQLite', open: openSqlite },
  { name: 'PostgreSQL', open: openPostgresStore },
  { name: 'Redis', open: openRedisStore, reason: whyNoRedis() },
]

describe.each(places)('codes by mail on $name', ({ open, reason }) => {
  let store: Opened
  beforeAll(async () => {
    if (!reason) store = await open()
  }, 60_000)
  afterAll(() => store?.stop())

  /** A separate process serves each agent, so that only the store can order their requests. */
  const openApart = () => {
    const mails: Mail[] = []
    const providers = [mailProvider(mails, { method: 'code' })]
    const app = openApp({ strategy: 'database', providers, wrap: () => store.adapter, apart: true })
    const request = async (agent: Agent) => {
      await askForLink(agent, `${crypto.randomUUID()}@example.com`, { callbackUrl: '/home' })
      return mails.at(-1)?.token ?? ''
    }
    return { app, request }
  }

  async function enter(agent: Agent, code: string): Promise<URL> {
    const form = { csrfToken: await csrfOf(agent), code }
    const response = await agent.send('/auth/callback/mail', { form })
    return new URL(response.headers.get('location') ?? 'none:')
  }
  const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  it.skipIf(reason)('CD-02 sign in at the fifth attempt, and not at the sixth', async () => {
    const { app, request } = openApart()
    for (const wrongs of [4, 5]) {
      const agent = app.agent()
      const code = await request(agent)
      for (let n = 0; n < wrongs; n++) await enter(agent, another(code))
      await enter(agent, code)
      expect((await sessionOf(agent)) !== null).toBe(wrongs === 4)
    }
  })

  it.skipIf(reason)(
    'CD-02 CC-01 compare one of many guesses that arrive at once, in several processes',
    async () => {
      const { app, request } = openApart()
      for (let round = 0; round < 3; round++) {
        const agent = app.agent()
        const code = await request(agent)
        const copies = Array.from({ length: 12 }, () => copyCookies(agent, app.agent()))
        const places = await Promise.all(copies.map((copy) => enter(copy, another(code))))
        expect(places.filter(({ searchParams }) => searchParams.has('attempts'))).toHaveLength(1)
        expect(places.filter(({ pathname }) => pathname === '/auth/error')).toHaveLength(11)
      }
    },
  )

  it.skipIf(reason)('CD-02 SU-01 open one session for a code that arrives many times at once', async () => {
    const { app, request } = openApart()
    for (let round = 0; round < 3; round++) {
      const agent = app.agent()
      const code = await request(agent)
      const copies = Array.from({ length: 12 }, () => copyCookies(agent, app.agent()))
      const places = await Promise.all(copies.map((copy) => enter(copy, code)))
      expect(places.filter(({ pathname }) => pathname === '/home')).toHaveLength(1)
    }
  })

  it.skipIf(reason)('CD-06 forget a code when the browser requests another', async () => {
    const { app, request } = openApart()
    const agent = app.agent()
    const older = await request(agent)
    const copy = copyCookies(agent, app.agent())
    const newer = await request(agent)
    expect((await enter(copy, older)).pathname).toBe('/auth/error')
    expect((await enter(agent, newer)).pathname).toBe('/home')
  })
})
