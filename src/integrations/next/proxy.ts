import { copyOfError } from '../../copies/copy-handed-out.ts'
import { isRoute } from '../../flows/flows.ts'
import type { OwnAuth } from '../../handler/direct-auth.ts'
import { copyHeaders } from '../../http/parts.ts'
import { keepFromCaches, toResponse } from '../../http/respond.ts'
import type { FoundSession } from '../../types/found-session.ts'
import type { AuthTypes } from '../../types/inference.ts'

/** Decides about a request: the response to send instead of the page, or nothing to continue. */
export type Decide<T extends AuthTypes, Incoming extends Request> = (
  request: Incoming,
  session: T['session'] | null,
) => Response | undefined | void | Promise<Response | undefined | void>

/** Refuses requests without a user, and extends the session of others. */
export async function requireUser(auth: OwnAuth, request: Request): Promise<Response> {
  if (await isForRoute(auth, request)) return proceed()
  const found = await auth.requireSession(request)
  return 'session' in found ? addCookies(proceed(), found) : toResponse(found)
}

/** Extends the session of a request, and lets the application decide. */
export async function decideWith<T extends AuthTypes, Incoming extends Request>(
  auth: OwnAuth<T>,
  request: Incoming,
  decide: Decide<T, Incoming>,
): Promise<Response> {
  if (await isForRoute(auth, request)) return proceed()
  const found = await auth.getSessionWithCookies(request)
  return addCookies((await decide(request, found.session)) ?? proceed(), found)
}

/**
 * Returns whether a request is for a route of the library. The routes are public, and set the cookies of the session
 * themselves. The application may also have pages under the base path.
 */
async function isForRoute<T extends AuthTypes>(auth: OwnAuth<T>, { url }: Request): Promise<boolean> {
  const settings = auth.settings()
  // If the configuration is invalid, its base path may be wrong.
  if (settings.fault) throw copyOfError(settings.fault)
  return isRoute(new URL(url).pathname, settings)
}

/** The response of `NextResponse.next()`, without the rest of `next/server`, which would be a part of every proxy. */
function proceed(): Response {
  return new Response(null, { headers: { 'x-middleware-next': '1' } })
}

/** Adds the cookies to a copy, because the headers of `Response.redirect()` cannot be changed. */
function addCookies(response: Response, { cookies }: Pick<FoundSession, 'cookies'>): Response {
  if (cookies.length === 0) return response
  const { body, status, statusText } = response
  const headers = copyHeaders(response.headers)
  keepFromCaches(cookies, (name, value) => headers.set(name, value))
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(body, { status, statusText, headers })
}
