import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const auth = createAuth({ providers: [GitHub] })

/** A route for who is signed in. */
export async function answer(request: Request): Promise<Response> {
  const found = await auth.requireSession(request)
  if (found instanceof Response) return found
  const response = Response.json(found.session.user)
  // They keep the session alive.
  for (const cookie of found.cookies) response.headers.append('set-cookie', cookie)
  return response
}
