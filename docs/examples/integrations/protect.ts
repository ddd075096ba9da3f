import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({ providers: [GitHub] })

/** A route for signed-in users. */
export async function handle(request: Request): Promise<Response> {
  const found = await auth.requireSession(request)
  if (!('session' in found)) return found
  const response = Response.json(found.session.user)
  // These cookies extend the session.
  for (const cookie of found.cookies) response.headers.append('set-cookie', cookie)
  return response
}
