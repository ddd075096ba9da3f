import { Cookie } from 'tough-cookie'
import { createKeyring } from '../../src/token/keyring.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import type { Agent } from './browser-agent.ts'
import { secret, type App } from './app.ts'

export const sessionCookie = '__Secure-authjs.session-token'

/** The browser's session cookie. */
export function heldSession(agent: Agent): string {
  return agent.cookies()[sessionCookie] ?? ''
}

/** Sets a cookie in the browser that the application did not send. */
export function plant(agent: Agent, value: string, name = sessionCookie): void {
  agent.set(`${name}=${value}; Path=/; Secure`)
}

/** The Set-Cookie header of a response for the cookie with that name. */
export function sentCookie(response: Response, name = sessionCookie): Cookie | undefined {
  return sentCookies(response).find(({ key }) => key === name)
}

export function sentCookies(response: Response): Cookie[] {
  return response.headers.getSetCookie().flatMap((line) => Cookie.parse(line) ?? [])
}

/** The expiry of a response's session cookie in milliseconds; undefined without one. */
export function sentExpiry(response: Response): number | undefined {
  const expires = sentCookie(response)?.expires
  return expires instanceof Date ? expires.getTime() : undefined
}

/** The row of the browser's session cookie. */
export async function rowOf(app: App, agent: Agent) {
  return (await app.store.getSessionAndUser(heldSession(agent)))?.session ?? null
}

/** The decrypted claims of a session token. */
export async function claimsOf(app: App, token: string): Promise<Record<string, unknown>> {
  const opened = await createKeyring([secret], systemPlatform).open(token, {
    salt: sessionCookie,
    now: app.clock.now(),
  })
  if ('claims' in opened) return opened.claims
  throw new Error(`The token cannot be decrypted: ${opened.refused}`)
}
