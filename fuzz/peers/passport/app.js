/**
 * An Express application that signs in with Passport, for the oracle to test.
 *
 *     node app.js <port> <first port of the oracle> [<fault>...]
 *
 * It prints its address, and logs to the file in the variable LOG. Each fault is a bug that the oracle must find.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OAuth2Strategy from 'passport-oauth2'

const known = [
  'state',
  'pkce',
  'fixation',
  'redirect',
  'csrf',
  'sign-out',
  'log',
  'remember',
  'no-state',
  'slow-save',
  'other-sid',
  'role',
  'profile',
  'counted-proof',
  'proof-cors',
  'revived',
  'verbose',
  'merged',
  'test-login',
  'user-page',
  'local-part',
]
const [port, oracle, ...faults] = process.argv.slice(2)
const unknown = faults.find((fault) => !known.includes(fault))
if (unknown !== undefined) throw new Error(`Expected faults out of ${known.join(', ')}, got ${unknown}`)
const has = (fault) => faults.includes(fault)
const log = (line) => process.env.LOG && appendFileSync(process.env.LOG, `${line}\n`)

const offsets = { alpha: 0, beta: 1, plain: 2 }
const issuerOf = (name) => `http://127.0.0.1:${Number(oracle) + offsets[name]}`

/** Keeps the sign-in of a provider in the session, as Passport does, except for the faults. */
const storeOf = (name) => ({
  store(request, verifier, _state, _meta, done) {
    const state = randomBytes(24).toString('base64url')
    request.session[name] = { state, verifier: has('pkce') ? oneVerifier : verifier }
    done(null, state)
  },
  verify(request, state, done) {
    const pending = request.session[name]
    delete request.session[name]
    if (has('state')) return done(null, pending?.verifier ?? 'none', state)
    if (has('no-state') && pending?.state === state) return done(null, pending?.verifier ?? true, state)
    if (!pending || pending.state !== state) return done(null, false, { message: 'no such sign-in' })
    return done(null, pending.verifier, state)
  },
})

const oneVerifier = 'a'.repeat(43)

/** Sends the S256 challenge of that verifier. */
class OneVerifier extends OAuth2Strategy {
  authenticate(request, options) {
    const { redirect } = this
    this.redirect = (url) => {
      const to = new URL(url)
      to.searchParams.set('code_challenge', 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA')
      redirect.call(this, to.href)
    }
    super.authenticate(request, options)
  }
}

for (const name of Object.keys(offsets)) {
  const Strategy = has('pkce') ? OneVerifier : OAuth2Strategy
  const strategy = new Strategy(
    {
      authorizationURL: `${issuerOf(name)}/authorize`,
      tokenURL: `${issuerOf(name)}/token`,
      clientID: `client-at-${name}`,
      clientSecret: `secret-at-${name}-0123456789`,
      callbackURL: `/oauth2/redirect/${name}`,
      customHeaders: {
        authorization: `Basic ${btoa(`client-at-${name}:secret-at-${name}-0123456789`)}`,
      },
      scope: 'profile email',
      pkce: true,
      store: storeOf(name),
      passReqToCallback: false,
    },
    (token, _refresh, params, profile, done) => {
      if (has('log')) log(JSON.stringify(params))
      const isBearer = String(params.token_type).toLowerCase() === 'bearer'
      done(null, isBearer && params.error === undefined ? { email: profile.email, token } : false)
    },
  )
  strategy.userProfile = async (token, done) => {
    try {
      const response = await fetch(`${issuerOf(name)}/userinfo`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { email } = response.ok ? await response.json() : {}
      done(email ? null : new Error('the userinfo has no address'), { email })
    } catch (error) {
      done(error)
    }
  }
  passport.use(name, strategy)
}
/** Users by the part of their address before the `@`. */
const users = new Map()
const keyOf = ({ email }) => email.split('@')[0]
passport.serializeUser((user, done) => {
  users.set(keyOf(user), user)
  done(null, has('local-part') ? keyOf(user) : user)
})
passport.deserializeUser((stored, done) => done(null, has('local-part') ? users.get(stored) : stored))

const app = express()
app.use(session({ secret: randomBytes(32).toString('hex'), resave: false, saveUninitialized: false }))
app.use(passport.session())

const rememberKey = randomBytes(32)
const sign = (email) =>
  `${btoa(email)}.${createHmac('sha256', rememberKey).update(email).digest('base64url')}`
app.use((request, _response, next) => {
  const [, kept] = /(?:^|; )remember=([^;]+)/.exec(request.headers.cookie ?? '') ?? []
  const email = kept && atob(kept.split('.')[0])
  if (!has('remember') || request.user || !kept || sign(email) !== kept) return next()
  return request.logIn({ email }, next)
})

/** Returns a path of this application, whatever the request asks for. */
function inside(target) {
  if (has('redirect')) return target
  const origin = 'http://this.application'
  const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined
  return url?.origin === origin && target.startsWith('/')
    ? `${url.pathname}${url.search}`.replace(/^\/+/, '/')
    : '/'
}

let visitors = 1e8
app.get('/proof', ({ session: held, headers: { origin } }, response) => {
  if (has('proof-cors') && origin)
    response.set({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
  held.proof ??= has('counted-proof') ? `proof-${visitors++}` : randomBytes(24).toString('base64url')
  response.json({ token: held.proof })
})

const knownUsers = []
const signedOut = new Set()
app.use((request, _response, next) => {
  const { user } = request
  if (user && !knownUsers.includes(user.email)) knownUsers.push(user.email)
  if (has('revived') && user && signedOut.has(user.email)) delete request.user
  next()
})
if (has('profile'))
  app.post('/me', express.urlencoded(), ({ user, body, session: held }, response) => {
    if (user) held.passport = { user: { ...user, ...body } }
    response.json(user ?? {})
  })
if (has('test-login'))
  app.get('/test/login', (request, response, next) =>
    request.logIn({ email: request.query.email }, (error) => (error ? next(error) : response.redirect('/'))),
  )
app.get('/api/users/:at', ({ params }, response) =>
  has('user-page') && knownUsers[params.at]
    ? response.json({ email: knownUsers[params.at] })
    : response.status(404).end(),
)

app.get('/me', async ({ user, session: held, query }, response) => {
  if (has('verbose') && query.debug) return response.json({ ...user, ...held })
  if (has('slow-save') && user) {
    await new Promise((resolve) => setTimeout(resolve, 30))
    held.seen = Date.now()
    held.save()
  }
  const { token: _, ...shown } = user ?? {}
  return response.json(shown)
})

app.get('/login/:provider', (request, response, next) => {
  request.session.next = String(request.query.next ?? '/')
  if (has('role')) request.session.pendingRole = request.query.role
  passport.authenticate(request.params.provider)(request, response, next)
})

app.get('/oauth2/redirect/:provider', (request, response, next) => {
  const { provider } = request.params
  const { session: held, query } = request
  const refuse = () => {
    delete held[provider]
    log('a sign-in failed')
    response.status(400).send('The sign-in failed.')
  }
  const isDoubled = Object.values(query).some((value) => typeof value !== 'string')
  const isForeign = provider !== 'plain' && query.iss !== issuerOf(provider)
  if (!Object.hasOwn(offsets, provider) || isDoubled || isForeign || query.error) return refuse()
  const target = inside(held.next ?? '/')
  const role = held.pendingRole
  const earlier = request.user
  return passport.authenticate(provider, (error, found) => {
    if (error || !found) return refuse()
    const user = {
      ...(role && { role }),
      ...(has('merged') && earlier && { history: [...(earlier.history ?? []), earlier.email] }),
      ...(has('verbose') && { token: found.token }),
      email: found.email,
    }
    signedOut.delete(user.email)
    log('a user signed in')
    if (has('remember'))
      response.cookie('remember', sign(user.email), {
        httpOnly: true,
        sameSite: 'lax',
        maxAge: 3e9,
        encode: String,
      })
    if (has('fixation')) {
      held.passport = { user }
      return response.redirect(target)
    }
    return request.logIn(user, (failure) => (failure ? next(failure) : response.redirect(target)))
  })(request, response, next)
})

app.post('/logout', (request, response, next) => {
  const [sent, proof] = [request.get('x-proof') ?? '', request.session.proof ?? '']
  const isOwn =
    proof !== '' && sent.length === proof.length && timingSafeEqual(Buffer.from(sent), Buffer.from(proof))
  if (!isOwn && !has('csrf')) return response.status(403).send('Open the page again.')
  response.clearCookie('connect.sid')
  if (has('other-sid') && request.query.user) {
    const { sessions } = request.sessionStore
    for (const [sid, text] of Object.entries(sessions))
      if (text.includes(request.query.user)) delete sessions[sid]
  }
  if (has('revived') && request.user) signedOut.add(request.user.email)
  if (has('sign-out') || has('revived')) return response.redirect('/')
  return request.session.destroy((error) => (error ? next(error) : response.redirect('/')))
})

// Express shows errors to visitors.
app.use((_error, _request, response, _next) => response.status(500).send('Something went wrong.'))

const server = app.listen(Number(port), '127.0.0.1', () =>
  console.log(`http://localhost:${server.address().port}`),
)
