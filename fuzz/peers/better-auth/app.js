/**
 * A better-auth application, for the oracle to test.
 *
 *     node app.js <port> <first port of the oracle> [<fault>...]
 *
 * It prints its address, and logs to the file in the variable LOG. Each fault is a bug that the oracle must find.
 */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { toNodeHandler } from 'better-auth/node'
import { genericOAuth } from 'better-auth/plugins'

const known = ['redirect', 'sign-out', 'log', 'trusted', 'override', 'number']
const [port, oracle, ...faults] = process.argv.slice(2)
const unknown = faults.find((fault) => !known.includes(fault))
if (unknown !== undefined) throw new Error(`Expected faults out of ${known.join(', ')}, got ${unknown}`)
const has = (fault) => faults.includes(fault)
const log = (line) => process.env.LOG && appendFileSync(process.env.LOG, `${line}\n`)

const issuerOf = (name) => `http://127.0.0.1:${Number(oracle) + ['alpha', 'beta', 'plain'].indexOf(name)}`

/** Reads an id as a number, if it is one. */
const toNumber = (sub) => (Number.isNaN(Number(sub)) ? sub : String(Number(sub)))

const provider = (name, endpoints) => ({
  providerId: name,
  clientId: `client-at-${name}`,
  clientSecret: `secret-at-${name}-0123456789`,
  tokenEndpointAuth: { method: 'client_secret_basic' },
  pkce: true,
  overrideUserInfo: has('override'),
  async getUserInfo(tokens) {
    log(has('log') ? JSON.stringify(tokens) : 'a user signs in')
    const headers = { authorization: `Bearer ${tokens.accessToken}` }
    const response = await fetch(`${issuerOf(name)}/userinfo`, { headers })
    if (!response.ok) return null
    const { sub, name: shown, email, email_verified } = await response.json()
    return {
      id: has('number') ? toNumber(sub) : sub,
      name: shown,
      email,
      emailVerified: email_verified === true,
    }
  },
  ...endpoints,
})

const server = createServer((request, response) => {
  // Only the cookie ends; the session stays in the store.
  if (has('sign-out') && request.url === '/api/auth/sign-out') {
    response.setHeader('set-cookie', 'better-auth.session_token=; Max-Age=0; Path=/')
    return response.end('{}')
  }
  return handle(request, response)
})
await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const baseURL = `http://localhost:${server.address().port}`

const auth = betterAuth({
  baseURL,
  secret: 'the secret of an application that only the oracle uses',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  telemetry: { enabled: false },
  logger: { log: (level, message) => log(`${level}: ${message}`) },
  rateLimit: { enabled: false },
  ...(has('trusted') && { account: { accountLinking: { trustedProviders: ['alpha', 'beta', 'plain'] } } }),
  advanced: { disableOriginCheck: has('redirect') },
  plugins: [
    genericOAuth({
      config: [
        provider('plain', {
          authorizationUrl: `${issuerOf('plain')}/authorize`,
          tokenUrl: `${issuerOf('plain')}/token`,
          scopes: ['profile', 'email'],
        }),
        ...['alpha', 'beta'].map((name) =>
          provider(name, {
            authorizationUrl: `${issuerOf(name)}/authorize`,
            tokenUrl: `${issuerOf(name)}/token`,
            scopes: ['profile', 'email'],
          }),
        ),
      ],
    }),
  ],
})
const handle = toNodeHandler(auth)
console.log(baseURL)
