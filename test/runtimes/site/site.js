/** A Hono application with a home page that names the user and a page for members. */
import { createAuth } from 'authmachine'
import Credentials from 'authmachine/providers/credentials'
import { Hono } from 'hono'

const auth = createAuth({
  // A worker has no environment variables.
  secret: 'a secret for the visitors that is long enough',
  trustHost: true,
  providers: [
    {
      id: 'demo',
      name: 'Demo',
      type: 'oauth',
      clientId: 'site',
      clientSecret: 'secret',
      authorization: 'https://idp.test/authorize',
      token: 'https://idp.test/token',
      userinfo: 'https://idp.test/userinfo',
    },
    Credentials({
      credentials: { name: {}, pin: {} },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: name, name } : null),
    }),
  ],
  logger: { error() {}, warn() {} },
})

const app = new Hono()

app.all('/auth/*', ({ req }) => auth.handler(req.raw))

app.get('/', async (context) => {
  const { session, cookies } = await auth.getSessionWithCookies(context.req.raw)
  sendSession(context, cookies)
  return context.text(`Hello ${session?.user?.name ?? 'nobody'}`)
})

app.get('/members', async (context) => {
  const found = await auth.requireSession(context.req.raw)
  if (found instanceof Response) return found
  sendSession(context, found.cookies)
  return context.text(`Hello ${found.session.user.name}`)
})

function sendSession(context, cookies) {
  for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true })
  if (cookies.length > 0) context.header('Cache-Control', 'private, no-store')
}

export const respond = app.fetch
