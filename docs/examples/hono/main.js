import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { auth } from './auth.js'

const app = new Hono()

app.all('/auth/*', ({ req }) => auth.handler(req.raw))

app.get('/', async (context) => {
  const { session, cookies } = await auth.getSessionWithCookies(context.req.raw)
  sendSession(context, cookies)
  return context.html(
    html`<!doctype html>
      <html lang="en">
        <title>authmachine with Hono</title>
        <link rel="icon" href="data:," />
        <p>Signed in: <strong id="who">${session?.user?.name ?? 'nobody'}</strong></p>
        <a href="/auth/signin">Sign in</a>
        <a href="/auth/signout?callbackUrl=/">Sign out</a>
        <a href="/members">Members</a>
      </html>`,
  )
})

app.get('/members', async (context) => {
  const found = await auth.requireSession(context.req.raw)
  if (!('session' in found)) return found
  sendSession(context, found.cookies)
  return context.html(
    html`<title>Members</title>
      <link rel="icon" href="data:," />
      <h1>Hello ${found.session.user.name}</h1>`,
  )
})

/**
 * @param {import('hono').Context} context
 * @param {readonly string[]} cookies
 */
function sendSession(context, cookies) {
  for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true })
  // A shared cache would send these cookies to other visitors.
  if (cookies.length > 0) context.header('Cache-Control', 'private, no-store')
}

const port = Number(process.env.PORT ?? 3000)
serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`))
