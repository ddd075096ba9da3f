/**
 * An Express application with express-openid-connect, for the oracle to test.
 *
 *     node app.js <port> <first port of the oracle> [<fault>...]
 *
 * It prints its address, and logs to the file in the variable LOG. Each fault is a bug that the oracle must find.
 */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import express from 'express'
import openid from 'express-openid-connect'

const known = [
  'http-only',
  'tolerance',
  'redirect',
  'cors',
  'identity-header',
  'query',
  'slash',
  'etag',
  'decode',
]
const [port, oracle, ...faults] = process.argv.slice(2)
const unknown = faults.find((fault) => !known.includes(fault))
if (unknown !== undefined) throw new Error(`Expected faults out of ${known.join(', ')}, got ${unknown}`)
const has = (fault) => faults.includes(fault)
const log = (line) => process.env.LOG && appendFileSync(process.env.LOG, `${line}\n`)

const app = express()
const server = createServer(app)
await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const baseURL = `http://localhost:${server.address().port}`

if (has('decode'))
  app.use(({ originalUrl }, response, next) => {
    response.on('finish', () => log(decodeURIComponent(originalUrl)))
    next()
  })
app.use(
  openid.auth({
    authRequired: false,
    baseURL,
    issuerBaseURL: `http://127.0.0.1:${oracle}`,
    clientID: 'client-at-alpha',
    clientSecret: 'secret-at-alpha-0123456789',
    secret: 'the secret of an application that only the oracle uses',
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    routes: { login: false },
    ...(has('http-only') && { session: { cookie: { httpOnly: false } } }),
    ...(has('tolerance') && { clockTolerance: 1e7 }),
  }),
)

/** Returns a path of this application, whatever the request asks for. */
function inside(target) {
  if (has('redirect')) return target
  const url = URL.canParse(target, baseURL) ? new URL(target, baseURL) : undefined
  return url?.origin === baseURL ? `${url.pathname}${url.search}`.replace(/^\/+/, '/') : '/'
}

if (has('slash'))
  app.use(({ path }, response, next) =>
    path.length > 1 && path.endsWith('/') ? response.redirect(301, path.slice(0, -1)) : next(),
  )

app.get('/login', ({ query }, response) =>
  response.oidc.login({
    returnTo: inside(String(query.returnTo ?? '/')),
    ...(has('query') && { authorizationParams: query }),
  }),
)
app.get('/me', ({ oidc, headers }, response) => {
  if (has('cors') && headers.origin)
    response.set({
      'access-control-allow-origin': headers.origin,
      'access-control-allow-credentials': 'true',
    })
  const proxied = has('identity-header') ? headers['x-forwarded-email'] : undefined
  const email = proxied ?? (oidc.isAuthenticated() ? oidc.user.email : undefined)
  if (has('etag')) response.set({ 'cache-control': 'private, no-cache', etag: `"${email ? 'in' : 'out'}"` })
  else response.set('cache-control', 'no-store')
  response.json(email ? { email } : {})
})
app.get('/', (_request, response) => response.send('Welcome.'))
app.use((error, _request, response, _next) => {
  log(error.stack)
  response.status(error.status ?? 500).send('Something went wrong.')
})
console.log(baseURL)
