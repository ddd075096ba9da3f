import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { phone } from '../../docs/examples/features/phone.ts'
import { routes } from '../../src/flows/flows.ts'
import { Password } from '../../src/password.ts'
import { totp } from '../../src/second-factor.ts'
import { type App, openApp, signIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { listOptionalRoutes } from '../support/every-option.ts'
import { mailProvider } from '../support/mail.ts'
import { parameters } from '../support/passwords.ts'
import { enrol } from '../support/second-factor.ts'
import { withPasskeys } from '../support/webauthn/app.ts'

const providerOf = {
  oauth: 'idp',
  credentials: 'form',
  email: 'code',
  password: 'password',
  webauthn: 'passkey',
  feature: 'phone',
  none: undefined,
} as const

/** Every route with every provider that it accepts. */
const places = [
  ...routes.flatMap(({ method, action, kinds }) =>
    kinds.map((kind) => {
      const id = providerOf[kind]
      return { method, path: `/auth/${action}${id === undefined ? '' : `/${id}`}` }
    }),
  ),
  ...listOptionalRoutes().map(({ method, action, takesProvider }) => ({
    method,
    path: `/auth/${action}${takesProvider ? `/${providerOf.password}` : ''}`,
  })),
  ...['phone', 'phone-code'].map((action) => ({ method: 'POST' as const, path: `/auth/${action}` })),
]

/** The names of all form fields and parameters. */
const names = [
  'csrfToken',
  'callbackUrl',
  'number',
  'email',
  'password',
  'currentPassword',
  'newPassword',
  'code',
  'token',
  'recovery',
  'setup',
  'remember',
  'action',
  'data',
  'link',
  'state',
  'error',
  'iss',
  'response',
  'id_token',
  'logout_token',
  'scope',
  'method',
  'provider',
  'account',
  'session',
  'credential',
  'name',
  '__proto__',
  'constructor',
  'toString',
  'json',
  'passkey',
  'removed',
  'keep',
  'form',
  'login_hint',
]

const jwe = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..AAAA.AAAA.AAAA'
const odd = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  '9'.repeat(400),
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '"',
  '\0',
  '\ud800',

  '١٢٣٤٥٦',
  '12345é',
  '１２３４５６',
  '𝟏𝟐𝟑𝟒𝟓𝟔',
  '1234567',
  'ad a@example.com',
  'ada@',
  '@',
  'ä@ö.example',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%00',
  '../../',
  '//evil.example',
  'javascript:1',
  'https://[',
  'x',

  'a'.repeat(3000),
  '\u0301'.repeat(500),
  '\u202e',
  'ﷺ'.repeat(50),
  '🧑‍🧑‍🧒',
  jwe,
  `${jwe}.AAAA`,
  'a.b.c',
  'e30.e30.',

  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}',
  '{"id":{},"response":null}',
  '[[[[[[',

  '{"__proto__":{"x":1}}',
  '{"id":"!","rawId":"!","response":{"clientDataJSON":"!"},"type":"public-key"}',
]
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...odd) },
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const checks = ['session-token', 'callback-url', 'pkce.code_verifier', 'state', 'nonce', 'challenge']
const own = 'csrf-token requested-links requested-code pending-sign-in remembered-device refused-name'
const cookieNames = [
  ...checks.map((name) => `__Secure-authjs.${name}`),
  ...own.split(' ').map((name) => `__Host-authjs.${name}`),
]
const types = [
  'application/x-www-form-urlencoded',
  'application/json',
  'text/plain',
  'multipart/form-data',
  '',
]
const oddTypes = [
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded; charset=%',
]

const input = fc.record({
  place: fc.constantFrom(...places),
  visitor: fc.constantFrom('nobody', 'ada', 'held', 'halfway'),
  fields: fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 }),
  query: fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 }),
  cookies: fc.array(
    fc.tuple(fc.constantFrom(...cookieNames), fc.oneof(value, fc.constantFrom(...cookieNames))),
    {
      maxLength: 3,
    },
  ),
  type: fc.oneof({ weight: 6, arbitrary: fc.constant(types[0]) }, fc.constantFrom(...types, ...oddTypes)),
  hasToken: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  isRaw: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
})
type Input = typeof input extends fc.Arbitrary<infer T> ? T : never

/** An application with every feature. */
function openEverything(strategy: 'database' | 'jwt-stored'): App {
  return openApp(
    withPasskeys({
      strategy,
      config: {
        secondFactor: totp({ issuer: 'Example', rememberFor: 60 }),
        emailChange: { sendLink: () => undefined, sendNotice: () => undefined },
        features: [phone({ send: async () => undefined })],
      },
      providers: [
        { id: 'form', name: 'Form', type: 'credentials', credentials: {}, authorize: () => null },
        mailProvider([], { id: 'code', method: 'code' }),
        mailProvider([]),
        Password({ sendLink: () => undefined, parameters }),
      ],
    }),
  )
}

type Visitor = Input['visitor']

/** otpauth throws for it. */
const oddCode: Input = {
  place: { method: 'POST', path: '/auth/factor' },
  visitor: 'ada',
  fields: [['code', '12345é']],
  query: [],
  cookies: [],
  type: types[0],
  hasToken: true,
  isRaw: false,
}

/** A visitor who is not signed in, one who is, one whose sign-in waits for a code, and one who is about to enrol. */
async function openVisitors(app: App): Promise<Readonly<Record<Visitor, Agent>>> {
  const enter = async (name: 'ada' | 'bob') => {
    const agent = app.agent()
    app.idp.choose(name)
    await signIn(app, agent)
    return agent
  }
  const ada = await enter('ada')
  await enrol(app, ada)
  const [halfway, held] = [await enter('bob'), await enter('ada')]
  return { nobody: app.agent(), ada, halfway, held }
}

/** Sends a request from a copy of the visitor's cookies, so that each request starts from the same state. */
async function send(app: App, agent: Agent, given: Input): Promise<Response> {
  const { place, fields, query, type, hasToken, isRaw } = given
  const cookies = new Map(Object.entries(agent.cookies()))
  const csrfToken = (cookies.get('__Host-authjs.csrf-token') ?? '').split(/%7C|\|/)[0] ?? ''
  const url = new URL(place.path, 'https://app.test')
  for (const [name, text] of query) url.searchParams.append(name, text.toWellFormed())
  for (const [name, text] of given.cookies) cookies.set(name, cookies.get(text) ?? encodeCookie(text))
  const pairs: [string, string][] = [
    ...(hasToken ? [['csrfToken', csrfToken] as [string, string]] : []),
    ...fields,
  ]
  const body = isRaw
    ? pairs.map(([name, text]) => `${name}=${text}`).join('&')
    : type === 'application/json'
      ? JSON.stringify(Object.fromEntries(pairs))
      : new URLSearchParams(pairs).toString()
  const cookie = [...cookies].map(([name, text]) => `${name}=${text}`).join('; ')
  const headers = { ...(cookie && { cookie }), ...(type && { 'content-type': type }) }
  const { method } = place
  return app.handle(new Request(url, { method, headers, ...(method === 'POST' && { body }) }))
}

function encodeCookie(text: string): string {
  return text.replaceAll(/[^!-:<-~]/g, (character) => encodeURIComponent(character.toWellFormed()))
}

describe.each(['database', 'jwt-stored'] as const)('a request with odd input (%s)', (strategy) => {
  let app: App
  let visitors: Readonly<Record<Visitor, Agent>>
  beforeAll(async () => {
    app = openEverything(strategy)
    visitors = await openVisitors(app)
  })

  it('LM-17 never ends in a server error, on any route', { timeout: 120_000 }, async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        app.errors.length = 0
        const { status, headers } = await send(app, visitors[given.visitor], given)
        const isFault = status >= 500 || headers.get('location')?.includes('error=Configuration') === true
        const reason = app.errors.map((error) => `${error.message} ${String(error.cause)}`).join()
        expect([isFault, isFault ? reason : '']).toEqual([false, ''])
        seen.add(`${given.place.method} ${given.place.path}`)
      }),
      { numRuns: 2500, examples: [[oddCode]] },
    )
    expect(seen.size).toBe(new Set(places.map(({ method, path }) => `${method} ${path}`)).size)
  })
})
