import {
  CredentialsSignin,
  ExpressAuth,
  getSession,
  type ExpressAuthConfig,
  type Session,
} from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
import express, { type NextFunction, type Request, type Response } from 'express'

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

const config: ExpressAuthConfig = {
  providers: [
    {
      id: 'demo',
      name: 'Demo ID',
      type: 'oidc',
      issuer: process.env.AUTH_DEMO_ISSUER,
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
app.set('trust proxy', true)

// As the package documents: each page reads the session, and so calls the library before any of its routes.
app.use(async (request: Request, response: Response, next: NextFunction) => {
  response.locals.session = await getSession(request, config)
  next()
})
app.use('/api/auth', ExpressAuth(config))

async function authenticatedUser(request: Request, response: Response, next: NextFunction) {
  const session: Session | null = response.locals.session ?? (await getSession(request, config))
  if (!session?.user) response.redirect('/api/auth/signin?callbackUrl=/members')
  else next()
}

app.get('/', (_, response) => {
  const { session } = response.locals
  response.send(`<p id="who">${session?.user?.name ?? 'nobody'}</p>`)
})
app.get('/members', authenticatedUser, (_, response) => {
  const { session } = response.locals
  response.send(`<h1>Hello ${session?.user?.name}</h1>`)
})

const { PORT, ORIGIN } = process.env
app.listen(Number(PORT), 'localhost', () => console.log(`The application is at ${ORIGIN}`))
