import { redirect } from '@solidjs/router'
import { createMiddleware } from '@solidjs/start/middleware'
import { loadSession } from 'authmachine/solid-start'
import { authOptions } from '~/auth'

const protectedPaths = ['/guarded']

/**
 * Protects a route by middleware. Middleware runs only for requests to the server. The browser can navigate to a page that
 * loads no data from the server without a request, so return secret data from server functions only.
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
