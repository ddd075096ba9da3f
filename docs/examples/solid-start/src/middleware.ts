import { redirect } from '@solidjs/router'
import { createMiddleware } from '@solidjs/start/middleware'
import { loadSession } from 'authmachine/solid-start'
import { authOptions } from '~/auth'

const protectedPaths = ['/guarded']

/**
 * The protected route by middleware. It sees what the server is asked for: a page whose data the server does not give can
 * be shown by navigation in the browser without asking it, so keep what is secret in server functions.
 */
export default createMiddleware({
  onRequest: [
    async (event) => {
      if (!protectedPaths.includes(new URL(event.request.url).pathname)) return undefined
      const session = await loadSession(event, authOptions)
      return session?.user ? undefined : redirect('/')
    },
  ],
})
