import type { Session } from 'authmachine/types'

declare module 'h3' {
  interface H3EventContext {
    session?: Session | null
  }
}

/** Passes the session to all routes except the library's. */
export default defineEventHandler(async (event) => {
  if (event.path.startsWith('/auth/')) return
  const { session, cookies } = await auth.getSessionWithCookies(toWebRequest(event))
  event.context.session = session
  // Nuxt renders its error page by a second request, and sends the cookies of both.
  if (event.path.startsWith('/__nuxt_error')) return
  for (const cookie of cookies) appendResponseHeader(event, 'Set-Cookie', cookie)
  // A shared cache would send these cookies to other visitors.
  if (cookies.length > 0) setResponseHeader(event, 'Cache-Control', 'private, no-store')
})
