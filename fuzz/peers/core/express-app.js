/** A small application with the published `@auth/express` and the oracle's providers: `express-app.js <port>`. */
import { ExpressAuth } from '@auth/express'
import Nodemailer from '@auth/express/providers/nodemailer'
import express from 'express'
import { createAdapter } from './memory-adapter.js'

const [port = '3000', world = '4010'] = process.argv.slice(2)
const at = (place) => `http://127.0.0.1:${Number(world) + place}`
const client = (name) => ({
  id: name,
  name,
  clientId: `client-at-${name}`,
  clientSecret: `secret-at-${name}-0123456789`,
})

const app = express()
app.use(
  '/auth',
  ExpressAuth({
    trustHost: true,
    logger: { error() {}, warn() {}, debug() {} },
    secret: 'the secret of the application, which is long enough',
    adapter: createAdapter(),
    session: { strategy: 'jwt' },
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
  }),
)
const server = app.listen(Number(port), 'localhost', () =>
  console.log(`The application is at http://localhost:${server.address().port}`),
)
