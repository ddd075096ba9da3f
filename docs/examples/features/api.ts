import { auth, keys } from './auth.ts'

/** Responds to a program that sends a key: `curl -H "Authorization: Bearer key_…" https://example.com/api`. */
export async function handleApi(request: Request): Promise<Response> {
  const found = await auth.feature(keys).find(request)
  if (!found) return new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  return Response.json({ name: found.user.name, key: found.key.name })
}

/** Creates a key for the signed-in user. Check the origin of the request or a CSRF token, as in any form of your own. */
export async function createKey(request: Request, name: string): Promise<Response> {
  // A key outlives the session, so an attacker at an open browser must not get one.
  const required = await auth.requireSession(request, { freshness: 900 })
  if (!('session' in required)) return required
  const { id } = required.session.user
  if (id === undefined) throw new TypeError('The session needs `user.id`. Return it from `callbacks.session`')
  const { key } = await auth.feature(keys).issue(id, { name, maxAge: 90 * 86_400 })
  return Response.json({ key }, { headers: { 'Cache-Control': 'no-store' } })
}
