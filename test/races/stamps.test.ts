import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pool } from 'pg'
import { createAuth } from '../../src/instance/create-auth.ts'
import { hashPassword } from '../../src/password.ts'
import { csrfOf, issuer, origin, sessionOf } from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { type Processes, startProcesses } from './processes.ts'
import { openPostgresStore, type SharedStore } from './stores.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 })

const email = 'ada@example.com'
const [old, next] = ['the old long password', 'the new long password']
const parameters = '$scrypt$ln=14,r=8,p=1'

describe('two processes with one PostgreSQL', () => {
  let store: SharedStore
  let processes: Processes
  let pool: Pool
  const agentOf = (n: number) => openAgent(origin, processes.handle(n))

  beforeAll(async () => {
    store = await openPostgresStore()
    pool = new Pool({ connectionString: store.url })
    pool.on('error', () => {})
    processes = await startProcesses(2, store.url, { issuer, fetch })
  })

  afterAll(async () => {
    await processes.stop()
    await pool.end()
    await store.stop()
  })

  beforeEach(async () => {
    await store.clear()
    processes.mails.length = 0
    processes.errors.length = 0
    await store.adapter.createUser?.({ id: 'ada', email, emailVerified: new Date() })
    await setPassword(old)
  })

  async function setPassword(given: string) {
    await store.adapter.setPassword?.('ada', await hashPassword(given, parameters))
  }

  async function post(agent: Agent, action: string, fields: Record<string, string>) {
    return agent.send(`/auth/${action}/password`, { form: { csrfToken: await csrfOf(agent), ...fields } })
  }

  const enter = (agent: Agent, password = old) => post(agent, 'callback', { email, password })

  interface Change {
    /** How many requests then wait to store a session. A reset also stores a session. */
    readonly waiting: 1 | 2
    readonly change: (owner: Agent) => Promise<unknown>
  }

  const changes: Readonly<Record<string, Change>> = {
    'a reset': {
      waiting: 2,
      async change(owner) {
        const token = new URL(processes.mails.at(-1) ?? '').searchParams.get('token') ?? ''
        await post(owner, 'password-reset', { token, email, password: next })
      },
    },
    'a change of the password': {
      waiting: 1,
      change: (owner) => post(owner, 'password-change', { currentPassword: old, password: next }),
    },
    'auth.revokeSessions': {
      waiting: 1,
      change: () =>
        createAuth({
          trustHost: true,
          secret: 'a secret of several processes that is long enough',
          adapter: store.adapter,
          session: { strategy: 'database' },
          providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }],
        }).revokeSessions('ada'),
    },
  }

  /** Delays every write of a session until the returned function is called. Everything else continues. */
  async function holdSessions() {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('lock table sessions in share mode')
    return async () => {
      await client.query('commit')
      client.release()
    }
  }

  /** Waits until this many requests wait to store their session. */
  async function untilWaiting(count: number): Promise<void> {
    const { rows } = await pool.query('select count(*)::int as waiting from pg_locks where not granted')
    if (rows[0]?.waiting === count) return
    await new Promise((resolve) => setTimeout(resolve, 20))
    await untilWaiting(count)
  }

  for (const [name, { waiting, change }] of Object.entries(changes))
    it(`STM-01 STM-03 ${name} ends a sign-in that began before it in the other process`, async () => {
      const owner = agentOf(0)
      const thief = agentOf(1)
      if (name === 'a change of the password') await enter(owner)
      else await post(owner, 'password', { email })
      await csrfOf(thief)
      const release = await holdSessions()
      const signedIn = enter(thief)
      await untilWaiting(1)
      const changed = change(owner)
      await (waiting === 1 ? changed : untilWaiting(waiting))
      await release()
      const [response] = await Promise.all([signedIn, changed])
      expect(response.headers.get('location')).toBe(`${origin}/auth/error?error=AccessDenied`)
      expect(await sessionOf(thief)).toBeNull()
      expect(await store.rowsOf('sessions')).toHaveLength(name === 'auth.revokeSessions' ? 0 : 1)
      // A browser with the current password can sign in again.
      await enter(thief, name === 'auth.revokeSessions' ? old : next)
      expect(await sessionOf(thief)).not.toBeNull()
    })
})
