/**
 * A small application with the published `@auth/express` and the oracle's providers: `express-app.js <port> <port of the
 * first provider> <fault>`. It logs to the file in LOG. The faults are in `expected.json`.
 */
import { appendFileSync } from 'node:fs'
import { encode } from '@auth/core/jwt'
import { ExpressAuth, getSession } from '@auth/express'
import Nodemailer from '@auth/express/providers/nodemailer'
import express from 'express'
import { createAdapter } from './memory-adapter.js'

const [port = '3000', world = '4010', fault] = process.argv.slice(2)
const { LOG } = process.env
if (LOG) console.error = console.warn = (...words) => appendFileSync(LOG, `${words.join(' ')}\n`)
const at = (place) => `http://127.0.0.1:${Number(world) + place}`
const client = (name) => ({
  id: name,
  name,
  clientId: `client-at-${name}`,
  clientSecret: `secret-at-${name}-0123456789`,
})

const secret = 'the secret of the application, which is long enough'
const cookie = 'authjs.session-token'
const users = []
const config = {
  trustHost: true,
  secret,
  adapter: createAdapter(),
  session: { strategy: 'jwt' },
  callbacks: {
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
  events: {
    signIn({ user, account }) {
      users.push(user)
      if (fault === 'log') console.error('signed in', JSON.stringify(account))
    },
  },
  providers: [
    { ...client('alpha'), type: 'oidc', issuer: at(0) },
    { ...client('beta'), type: 'oidc', issuer: at(1) },
    {
      ...client('plain'),
      type: 'oauth',
      authorization: { url: `${at(2)}/authorize`, params: { scope: 'profile' } },
      token: `${at(2)}/token`,
      userinfo: `${at(2)}/userinfo`,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
    Nodemailer({ server: `smtp://127.0.0.1:${Number(world) + 3}`, from: 'no-reply@app.example' }),
  ],
}

const app = express()
app.use('/auth', ExpressAuth(config))
app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  const name = session?.user?.name ?? 'stranger'
  response.send(`<h1>Hello, ${fault === 'name' ? name : escape(name)}!</h1>`)
})
if (fault === 'users') app.get('/users', (_, response) => response.json(users))
if (fault === 'test-login')
  app.post('/login/test', express.urlencoded(), async ({ body: { email } }, response) => {
    const token = { sub: email, email, name: email }
    const value = await encode({ token, secret, salt: cookie })
    response.cookie(cookie, value, { httpOnly: true, sameSite: 'lax' }).redirect('/')
  })

function escape(text) {
  return text.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const server = app.listen(Number(port), 'localhost', () =>
  console.log(`The application is at http://localhost:${server.address().port}`),
)
