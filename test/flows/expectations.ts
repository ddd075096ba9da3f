import { expect } from 'vitest'
import { sessionOf, type App } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'

/** The check cookies of a sign-in, by their names on https. */
export const checkCookies = {
  state: '__Secure-authjs.state',
  pkce: '__Secure-authjs.pkce.code_verifier',
  nonce: '__Secure-authjs.nonce',
} as const
export const sessionCookie = '__Secure-authjs.session-token'
export const csrfCookie = '__Host-authjs.csrf-token'
export const callbackUrlCookie = '__Secure-authjs.callback-url'

/** The redirect target of a response. */
export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'none:')
}

/** The cookies that a response sets and clears, by name, as the raw header lines. */
export function cookiesOf(response: Response): ReadonlyMap<string, string> {
  return new Map(response.headers.getSetCookie().map((line) => [line.slice(0, line.indexOf('=')), line]))
}

/** Whether the response sets this cookie, or a chunk of it, to a value. */
export function setsCookie(response: Response, name: string): boolean {
  return [...cookiesOf(response)].some(
    ([key, line]) => (key === name || key.startsWith(`${name}.`)) && !line.startsWith(`${key}=;`),
  )
}

/** Expects a redirect to a page that shows an error, and no session. */
export function expectError(response: Response, error: string, page = '/auth/error'): void {
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`https://app.test${page}?error=${error}`)
  expect(setsCookie(response, sessionCookie)).toBe(false)
}

/** Expects that nobody was signed in: no session, no rows and no events. */
export async function expectNotSignedIn(app: App, agent: Agent): Promise<void> {
  expect(app.rows.users()).toEqual([])
  expect(app.rows.accounts()).toEqual([])
  expect(app.rows.sessions()).toEqual([])
  expect(app.events).toEqual([])
  expect(await sessionOf(agent)).toBeNull()
}

/** The names of the fired events, in order. */
export function eventsOf({ events }: App): string[] {
  return events.map(({ event }) => event)
}
