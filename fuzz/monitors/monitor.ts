import type { Browser } from '../world/browser.ts'
import type { Person, ProviderName } from '../world/people.ts'
import type { Reply } from '../world/reply.ts'

/** A request and its response. */
export interface Exchange {
  readonly browser: Browser
  readonly request: Request
  /** The body of the request. */
  readonly body: string
  readonly reply: Reply
  /** When the response arrived, in milliseconds since 1970. */
  readonly at: number
}

/** Watches everything in a world, whatever the property tests. */
export interface Monitor {
  /** Called when a user authenticates in this browser: at a provider, by a link, a password or a passkey. */
  readonly proven?: (browser: Browser, person: Person, provider: ProviderName) => void
  /** Called before a request is sent, and when its response arrives. @throws {Breach} */
  readonly sent?: (browser: Browser, request: Request) => void
  readonly answered?: (exchange: Exchange) => void
}

/** The facts about the application that monitors need. */
export interface Watched {
  readonly basePath: string
  readonly strategy: 'jwt' | 'database'
  readonly capabilities: ReadonlySet<string>
}

/** The name of the session cookie, with and without prefix, chunks included. */
export const sessionCookie = /^(?:__Secure-|__Host-)?[\w.-]*session-token(?:\.\d+)?$/

/** The action of a request to the application: `session`, `callback`; undefined for another path. */
export function actionOf(request: Request, basePath: string): string | undefined {
  const { pathname } = new URL(request.url)
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1).split('/')[0] : undefined
}

/** Returns whether the response gives the browser a session. */
export function opensSession({ cookies }: Reply): boolean {
  return cookies.some(({ key, value, maxAge }) => sessionCookie.test(key) && value !== '' && maxAge !== 0)
}
