import { pathOf } from './http/known-origin.ts'
import { noStore } from './http/no-store.ts'
import type { Session, User } from './types/records.ts'

/** A session of somebody; one that names no user is nobody's. */
export type UserSession = Session & { readonly user: User }

/** A session, and the Set-Cookie values that keep it alive. */
export interface FoundSession<S = Session | null> {
  readonly session: S
  readonly cookies: readonly string[]
}

/** Is this the session of a user? */
export function isSomebody(found: FoundSession): found is FoundSession<UserSession> {
  return found.session?.user !== undefined && found.session.user !== null
}

/**
 * What is answered instead of a protected page: to a client that accepts HTML a redirect to sign in, which comes back to
 * the page if it was got, and 401 to any other. Sends along what was found out about the cookies.
 * @param base URL of the routes, or their path where no host is known; without a slash at its end
 */
export function refuse(request: Request, base: string, cookies: readonly string[]): Response {
  const headers = new Headers(noStore)
  headers.set('Vary', 'Accept, Cookie')
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  if (!acceptsHtml(request.headers.get('accept'))) {
    // A 401 has to name a scheme (RFC 9110 15.5.2), and none is registered for cookies.
    headers.set('WWW-Authenticate', 'Cookie')
    return Response.json({ error: 'SessionRequired' }, { status: 401, headers })
  }
  const query = new URLSearchParams({ error: 'SessionRequired' })
  // Relative, so that it holds whatever name a proxy gave us.
  if (request.method === 'GET') query.set('callbackUrl', pathOf(request.url))
  headers.set('Location', `${base}/signin?${query}`)
  return new Response(null, { status: 303, headers })
}

/** By name: a wildcard is what scripts and command lines send. */
function acceptsHtml(accept: string | null): boolean {
  return (accept ?? '')
    .split(',')
    .some((range) => /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(range))
}
