import { CredentialsSignin } from '@auth/core/errors'
import Credentials from '@auth/core/providers/credentials'
import type { AuthConfig } from '@auth/core/types'
import { createAuthMiddleware, getSession } from 'authey'
import express from 'express'

const { AUTH_SECRET, AUTH_DEMO_ISSUER, AUTH_DEMO_ID, AUTH_DEMO_SECRET, PORT, ORIGIN } = process.env

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

const config: AuthConfig = {
  secret: AUTH_SECRET,
  trustHost: true,
  basePath: '/api/auth',
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
}

const app = express()
app.use(createAuthMiddleware(config))

app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  response.send(`<p id="who">${session?.user?.name ?? 'nobody'}</p>`)
})

app.get('/members', async (request, response) => {
  const session = await getSession(request, config)
  if (!session) return response.redirect('/api/auth/signin?callbackUrl=/members')
  response.send(`<h1>Hello ${session.user?.name}</h1>`)
})

app.listen(Number(PORT), 'localhost', () => console.log(`The application is at ${ORIGIN}`))
