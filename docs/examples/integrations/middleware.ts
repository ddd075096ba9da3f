import { createEdgeAuth } from 'authmachine/edge'
import GitHub from 'authmachine/providers/github'

const { requireSession } = createEdgeAuth({ providers: [GitHub] })

/** Runs before a page. `next` continues with the page. */
export async function middleware(request: Request, next: () => Promise<Response>): Promise<Response> {
  const found = await requireSession(request)
  if (!('session' in found)) return found
  const response = await next()
  // These cookies extend the session. A shared cache would send them to other visitors.
  for (const cookie of found.cookies) response.headers.append('set-cookie', cookie)
  if (found.cookies.length > 0) response.headers.set('cache-control', 'private, no-store')
  return response
}
