import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { kyselyAdapter, migrate, nodeSqlite } from '../../src/adapters/kysely.ts'
import { device } from '../../docs/examples/features/device.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { type AppOptions, csrfOf, openApp } from './app.ts'
import type { Agent } from './browser-agent.ts'

/** The response of the program’s first request (RFC 8628 3.2). */
export interface Started {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

/** An empty database in memory. */
export async function openSqlite(): Promise<Required<Adapter>> {
  const database = nodeSqlite(new DatabaseSync(':memory:'))
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) })
  await migrate(db)
  return kyselyAdapter(db)
}

/** An application with a provider, in which devices can sign in. Further features come first. */
export function openDevices(options: AppOptions = {}) {
  const features = [...(options.config?.features ?? []), device({ clients: { cli: 'Example CLI' } })]
  return openApp({ strategy: 'database', ...options, config: { ...options.config, features } })
}

/** Posts to a route of the library, with the CSRF token of the browser. */
export async function post(agent: Agent, path: string, fields: Readonly<Record<string, string>> = {}) {
  return agent.send(`/auth/${path}`, { form: { csrfToken: await csrfOf(agent), ...fields } })
}

/** A program asks for codes. */
export async function start(program: Agent): Promise<Started> {
  const response = await post(program, 'device-start', { client_id: 'cli' })
  return (await response.json()) as Started
}

/** The program polls. @returns the body of the response */
export async function poll(program: Agent, { device_code }: Pick<Started, 'device_code'>): Promise<unknown> {
  return (await post(program, 'device-poll', { device_code })).json()
}

/** The user confirms what the page shows. */
export function confirm(agent: Agent, { user_code }: Pick<Started, 'user_code'>): Promise<Response> {
  return post(agent, 'device', { confirm: user_code })
}

export const signedIn = { signed_in: true }
