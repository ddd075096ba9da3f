import type { Handle } from '@sveltejs/kit/hooks'
import { auth } from './auth.server'

/** Handles the library's routes, and passes the session to all other routes. */
export const handle: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/auth/')) return auth.handler(event.request)
  const { session, cookies } = await auth.getSessionWithCookies(event.request)
  event.locals.session = session
  const response = await resolve(event)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  // A shared cache would send these cookies to other visitors.
  if (cookies.length > 0) response.headers.set('Cache-Control', 'private, no-store')
  return response
}
