import type { Browser } from '../world/browser.ts'
import type { Person, ProviderName } from '../world/people.ts'
import type { Reply } from '../world/reply.ts'

/** A request and what came back. */
export interface Exchange {
  readonly browser: Browser
  readonly request: Request
  /** The body of the request. */
  readonly body: string
  readonly reply: Reply
  /** Milliseconds since 1970, when the reply came. */
  readonly at: number
}

/** Watches all that happens in a world, whatever the property is about. */
export interface Monitor {
  /** Somebody proved in this browser who they are: at a provider, by a link, a password or a passkey. */
  readonly proven?: (browser: Browser, person: Person, provider: ProviderName) => void
  /** Before a request leaves, and when its reply is there. @throws {Breach} */
  readonly sent?: (browser: Browser, request: Request) => void
  readonly answered?: (exchange: Exchange) => void
}

/** What monitors know of the application. */
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

/** Does the reply give the browser a session? */
export function opensSession({ cookies }: Reply): boolean {
  return cookies.some(({ key, value, maxAge }) => sessionCookie.test(key) && value !== '' && maxAge !== 0)
}
