/**
 * An Express application with passport-openidconnect, for the oracle to test.
 *
 *     node app.js <port> <first port of the oracle> [<fault>...]
 *
 * It prints its address, and logs to the file in the variable LOG. Each fault is a bug that the oracle must find.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import Strategy from 'passport-openidconnect'

const known = [
  'http-only',
  'fixation',
  'stored-page',
  'error-page',
  'micro-cache',
  'attribute',
  'expires',
  'style',
  'renewed-cookie',
  'private-page',
  'name-attribute',
]
const [port, oracle, ...faults] = process.argv.slice(2)
const unknown = faults.find((fault) => !known.includes(fault))
if (unknown !== undefined) throw new Error(`Expected faults out of ${known.join(', ')}, got ${unknown}`)
const has = (fault) => faults.includes(fault)
const log = (line) => process.env.LOG && appendFileSync(process.env.LOG, `${line}\n`)
const issuer = `http://127.0.0.1:${oracle}`

const app = express()
const server = createServer(app)
await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const origin = `http://localhost:${server.address().port}`

const strategy = new Strategy(
  {
    issuer,
    authorizationURL: `${issuer}/authorize`,
    tokenURL: `${issuer}/token`,
    userInfoURL: `${issuer}/userinfo`,
    clientID: 'client-at-alpha',
    clientSecret: 'secret-at-alpha-0123456789',
    callbackURL: `${origin}/oauth2/redirect/alpha`,
    scope: ['email', 'profile'],
  },
  (_issuer, profile, done) => done(null, { email: profile.emails?.[0]?.value, name: profile.displayName }),
)
passport.use('alpha', strategy)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

app.use(
  session({
    secret: randomBytes(32).toString('hex'),
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax', httpOnly: !has('http-only') },
  }),
)
app.use(passport.session())

app.get('/login/alpha', passport.authenticate('alpha'))
app.get('/oauth2/redirect/alpha', (request, response, next) => {
  const { error_description: reason = 'no reason' } = request.query
  if (has('error-page') && request.query.error)
    return response.status(400).type('html').send(`<p>The sign-in failed: ${reason}</p>`)
  if (!has('fixation'))
    return passport.authenticate('alpha', { successRedirect: '/', failureRedirect: '/' })(
      request,
      response,
      next,
    )
  return passport.authenticate('alpha', (failure, user) => {
    if (user) request.session.passport = { user }
    return failure ? next(failure) : response.redirect('/')
  })(request, response, next)
})
let cached = { until: 0, user: undefined }
app.get(has('style') ? /^\/me/ : '/me', ({ user: own, headers, path }, response) => {
  let user = own
  if (has('micro-cache') && headers.cookie) {
    if (cached.until < Date.now()) cached = { until: Date.now() + 1000, user }
    user = cached.user
  }
  if (has('expires'))
    return response.set('expires', new Date(Date.now() + 3e5).toUTCString()).json(user ?? {})
  const isStored = has('stored-page') || (has('style') && /\.css$/.test(path))
  const kept = has('private-page') ? 'private, max-age=300' : 'no-store'
  return response.set('cache-control', isStored ? 'public, max-age=300' : kept).json({ email: user?.email })
})
app.post('/logout', (request, response, next) =>
  request.logout((error) => (error ? next(error) : response.redirect('/'))),
)
app.get('/profile', ({ user }, response) => {
  const name = String(user?.name ?? '')
  const shown = has('name-attribute') ? name.replaceAll('<', '&lt;').replaceAll('>', '&gt;') : ''
  response.send(`<input name=name value="${shown}">`)
})
app.get('/', ({ headers: { cookie }, query }, response) => {
  if (has('renewed-cookie') && cookie) response.set('set-cookie', `${cookie}; Path=/; Max-Age=86400`)
  if (has('attribute'))
    return response.send(
      `<input name=q value="${String(query.q ?? '')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')}">`,
    )
  return response.send('Welcome.')
})
app.use((error, _request, response, _next) => {
  log(error.message)
  response.status(error.status ?? 500).send('Something went wrong.')
})
console.log(origin)
