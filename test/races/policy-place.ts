import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { virtualClock } from '../../fuzz/testing/virtual-clock.ts'
import { kyselyRevocations } from '../../src/adapters/kysely-revocations.ts'
import { kyselyAdapter, migrate } from '../../src/adapters/kysely.ts'
import { platform } from '../../src/types/symbols.ts'
import { devices, keepingFeatures } from '../support/account-policy/kept-by-features.ts'
import { siteConfig, siteProvider, type Strategy } from '../support/account-policy/config.ts'
import type { Place } from '../support/account-policy/site.ts'
import { issuer, origin, reportEvents, secret } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import type { Message } from './messages.ts'
import { startProcesses } from './processes.ts'

/** The site of the policy in two processes with one database. What an application calls is called in this process. */
export interface PolicyPlace {
  /** Removes all rows, and returns the site without users. */
  readonly clear: () => Promise<Place>
  readonly stop: () => Promise<void>
}

/** Starts the processes. The database is empty. */
export async function openPolicyPlace(strategy: Strategy, url: string): Promise<PolicyPlace> {
  const pool = new Pool({ connectionString: url })
  pool.on('error', () => {})
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  await migrate(db)
  await sql`create table authmachine_revocations (
    subject text not null, value bigint not null, expires bigint not null)`.execute(db)
  const clock = virtualClock(new Date(Date.UTC(2030, 0)))
  const idp = createIdp({ issuer, ...siteProvider, now: clock.now })
  const heard = openHeard()
  const processes = await startProcesses(2, url, idp, {
    program: 'policy-process.ts',
    argument: strategy,
    now: clock.now,
    hear: heard.hear,
  })
  const at = { process: 0 }
  const handle = (request: Request) => processes.handle(at.process)(request)
  const adapter = kyselyAdapter(db)
  const config = {
    ...siteConfig(strategy, kyselyRevocations(db), (sent) => heard.hear({ kind: 'sent', sent })),
    features: [...keepingFeatures, devices],
    trustHost: true,
    secret,
    adapter,
    session: { strategy: strategy === 'database' ? 'database' : 'jwt' },
    events: reportEvents((event, message) => heard.hear({ kind: 'event', event, message })),
    logger: { error() {}, warn() {}, debug() {} },
    [platform]: { ...clock, fetch: idp.fetch },
  } as const
  const { sent, events, errors, ended } = heard
  const agent = () => openAgent(origin, handle)
  return {
    async clear() {
      for (const list of [events, errors, ...Object.values(sent)]) list.length = 0
      for (const table of ['users', 'verification_token', 'keyed_records', 'authmachine_revocations'])
        await sql`delete from ${sql.table(table)}`.execute(db)
      const app = { agent, clock, config, ended, errors, events, handle, idp, store: adapter }
      return { app, sent, moveTo: (process) => void (at.process = process) }
    },
    async stop() {
      await processes.stop()
      await db.destroy()
    },
  }
}

/** What the processes report, in lists. */
function openHeard() {
  const sent: Place['sent'] = { mails: [], passwordMails: [], changes: [], notices: [] }
  const events: Place['app']['events'][number][] = []
  const errors: Error[] = []
  const last: { ended?: string } = {}
  return {
    sent,
    events,
    errors,
    ended: () => last.ended,
    hear(message: Message) {
      if (message.kind === 'sent') sent[message.sent.list].push(message.sent)
      if (message.kind === 'event') events.push({ event: message.event, message: message.message })
      if (message.kind === 'error')
        errors.push(Object.assign(new Error(message.message), { name: message.name }))
      if (message.kind === 'ended') last.ended = message.ended
    },
  }
}
