import { auth } from './auth.ts'

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

/** Handles GET and POST of `/account`. */
export async function handleAccount(request: Request): Promise<Response> {
  const session = await auth.getSession(request)
  const userId = session?.user?.id
  if (!userId) return Response.redirect(new URL('/auth/signin', request.url))
  if (request.method === 'POST') {
    const form = await request.formData()
    await end(String(form.get('end')), userId, request)
    return Response.redirect(request.url, 303)
  }
  return showSessions(userId, request)
}

async function end(what: string, userId: string, request: Request): Promise<unknown> {
  if (what === 'others') return auth.revokeSessions(userId, { except: request })
  if (what === 'all') return auth.revokeSessions(userId)
  if (what === 'account') return auth.deleteUser(userId)
  return auth.revokeSession(userId, what)
}

async function showSessions(userId: string, request: Request): Promise<Response> {
  const sessions = await auth.listSessions(userId, { request })
  const items = sessions.map(
    ({ id, expires, isCurrent }) =>
      `<li>${isCurrent ? 'This device' : `Another device, until ${dates.format(expires)}`}
         <button name="end" value="${id}">Sign out</button></li>`,
  )
  const page = `<form method="post"><ul>${items.join('')}</ul>
    <button name="end" value="others">Sign out all other devices</button>
    <button name="end" value="all">Sign out everywhere</button>
    <button name="end" value="account">Delete my account</button></form>`
  return new Response(page, { headers: { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' } })
}
