import { readFile } from 'node:fs/promises'
import { CredentialsSignin } from '@auth/core/errors'
import Credentials from '@auth/core/providers/credentials'
import { authHandler, getAuthUser, initAuthConfig, verifyAuth } from '@hono/auth-js'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'

// As the package documents, this sets the path of the routes.
process.env.AUTH_URL = `${process.env.ORIGIN}/api/auth`
const { AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID, AUTH_DEMO_SECRET, PORT, ORIGIN } = process.env

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

declare module '@auth/core/types' {
  interface Session {
    /** The provider of the sign-in. */
    provider?: string
  }
}
declare module '@auth/core/jwt' {
  interface JWT {
    provider?: string
  }
}

const app = new Hono()

app.use(
  '*',
  initAuthConfig(() => ({
    secret: AUTH_SECRET,
    providers: [
      {
        id: 'demo',
        name: 'Demo ID',
        type: 'oidc',
        issuer: AUTH_DEMO_ISSUER,
        clientId: AUTH_DEMO_ID,
        clientSecret: AUTH_DEMO_SECRET,
      },
      Credentials({
        credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
        authorize({ name, pin }) {
          if (pin !== '2718-2818') throw new WrongPin()
          return { id: String(name), name: String(name) }
        },
      }),
    ],
    callbacks: {
      jwt({ token, account, trigger, session }) {
        if (trigger === 'update') return { ...token, name: session.user.name }
        return account ? { ...token, provider: account.provider } : token
      },
      session({ session, token }) {
        session.provider = token.provider
        return session
      },
    },
  })),
)

app.use('/api/auth/*', authHandler())

app.use('/api/*', verifyAuth())
app.get('/api/protected', (context) => {
  const { session } = context.get('authUser')
  return context.json({ name: session.user?.name, provider: session.provider })
})

app.get('/', async (context) => {
  const user = await getAuthUser(context)
  return context.html(
    html`<title>Home</title>
      <link rel="icon" href="data:," />
      <p id="who">${user?.session.user?.name ?? 'nobody'}</p>`,
  )
})

app.get('/members', async (context) => {
  const user = await getAuthUser(context)
  if (!user) return context.redirect('/api/auth/signin?callbackUrl=/members')
  return context.html(
    html`<title>Members</title>
      <link rel="icon" href="data:," />
      <h1>Hello ${user.session.user?.name}</h1>`,
  )
})

const client = new URL('./client/dist/', import.meta.url)
app.get('/client', async (context) => context.html(await readFile(new URL('index.html', client), 'utf8')))
app.get('/assets/:file', async (context) => {
  const script = await readFile(new URL(`assets/${context.req.param('file')}`, client), 'utf8')
  return context.body(script, 200, { 'content-type': 'text/javascript' })
})

serve({ fetch: app.fetch, port: Number(PORT) }, () => console.log(`The application is at ${ORIGIN}`))
