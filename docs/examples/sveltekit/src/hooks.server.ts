import type { Handle } from '@sveltejs/kit/hooks'
import { auth } from './auth.server'

/** Answers the routes of the library, and tells every other one who is signed in. */
export const handle: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith('/auth/')) return auth.handler(event.request)
  const { session, cookies } = await auth.getSessionWithCookies(event.request)
  event.locals.session = session
  const response = await resolve(event)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}
