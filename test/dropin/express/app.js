import { CredentialsSignin, ExpressAuth, getSession } from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
import express from 'express'

class WrongPin extends CredentialsSignin {
  code = 'wrong-pin'
}

const config = {
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
        return { id: name, name }
      },
    }),
  ],
}

const app = express()
// As its documentation has it: every page knows the session, and so asks for it before the routes are first asked.
app.use(async (request, response, next) => {
  response.locals.session = await getSession(request, config)
  next()
})
app.use('/api/auth', ExpressAuth(config))
app.get('/', (_, response) => {
  const { session } = response.locals
  response.send(`<p id="who">${session?.user?.name ?? 'nobody'}</p>`)
})
const { PORT, ORIGIN } = process.env
app.listen(Number(PORT), 'localhost', () => console.log(`The application is at ${ORIGIN}`))
