import { Cookie } from 'tough-cookie'
import { createKeyring } from '../../src/token/create-keyring.ts'
import { systemPlatform } from '../../src/clock.ts'
import type { Agent } from './browser-agent.ts'
import { secret, type App } from './app.ts'

export const sessionCookie = '__Secure-authjs.session-token'

/** What the browser holds as its session cookie. */
export function heldSession(agent: Agent): string {
  return agent.cookies()[sessionCookie] ?? ''
}

/** Puts a cookie into the browser that the application did not send. */
export function plant(agent: Agent, value: string, name = sessionCookie): void {
  agent.set(`${name}=${value}; Path=/; Secure`)
}

/** The Set-Cookie of that name in a response. */
export function sentCookie(response: Response, name = sessionCookie): Cookie | undefined {
  return sentCookies(response).find(({ key }) => key === name)
}

export function sentCookies(response: Response): Cookie[] {
  return response.headers.getSetCookie().flatMap((line) => Cookie.parse(line) ?? [])
}

/** When the session cookie of a response expires, in milliseconds; undefined when it sends none. */
export function sentExpiry(response: Response): number | undefined {
  const expires = sentCookie(response)?.expires
  return expires instanceof Date ? expires.getTime() : undefined
}

/** The row that the browser's session cookie names. */
export async function rowOf(app: App, agent: Agent) {
  return (await app.store.getSessionAndUser(heldSession(agent)))?.session ?? null
}

/** The claims of a session token, as whoever knows the secret reads them. */
export async function claimsOf(app: App, token: string): Promise<Record<string, unknown>> {
  const opened = await createKeyring([secret], systemPlatform).open(token, {
    salt: sessionCookie,
    now: app.clock.now(),
  })
  if ('claims' in opened) return opened.claims
  throw new Error(`The token does not open: ${opened.refused}`)
}
