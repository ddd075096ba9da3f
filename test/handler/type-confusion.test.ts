import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csrfOf, openApp, sessionOf, type App } from '../support/app.ts'
import { mailProvider, type Mail } from '../support/mail.ts'
import { spread } from '../support/spread.ts'
import { sessionCookie, setsCookie } from '../flows/expectations.ts'

const mails: Mail[] = []
const typed: unknown[] = []
const idp = {
  name: 'Idp',
  type: 'oidc',
  issuer: 'https://idp.test',
  clientId: 'client',
  clientSecret: 'client-secret',
} as const
const formPost = {
  ...idp,
  id: 'form',
  authorization: { params: { response_mode: 'form_post' } },
  checks: ['state', 'nonce'],
}

function openEverything(): App {
  return openApp({
    strategy: 'database',
    providers: [
      { ...idp, id: 'idp' },
      formPost as never,
      mailProvider(mails),
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: {},
        authorize({ username, password }) {
          typed.push(username)
          return username === 'ada' && password === 'right' ? { id: 'ada' } : null
        },
      },
    ],
  })
}

const routes = [
  '/auth/signin/idp',
  '/auth/signin/form',
  '/auth/signin/mail',
  '/auth/signin',
  '/auth/callback/idp',
  '/auth/callback/form',
  '/auth/callback/mail',
  '/auth/callback/password',
  '/auth/session',
  '/auth/signout',
]
const fields =
  'callbackUrl json data email username password token state code iss error response id_token'.split(' ')
const nasty = fc.constantFrom<unknown>(
  null,
  [],
  {},
  0,
  -1,
  1e308,
  true,
  '',
  ' ',
  '\u0000',
  ['ada'],
  [['ada']],
  { toString: 'ada' },
  { length: 3 },
  { 0: 'a' },
  { $ne: null },
  'x'.repeat(3000),
)
const value = fc.oneof({ weight: 3, arbitrary: nasty }, { weight: 1, arbitrary: fc.jsonValue() })
const members = fc.record(Object.fromEntries(fields.map((name) => [name, value])), { requiredKeys: [] })

describe('a body with members of the wrong type', () => {
  it('LM-07 DEC-31f is rejected without a server error or a sign-in', async () => {
    const cases = spread('type confusion')
    for (const route of routes)
      await fc.assert(
        fc.asyncProperty(
          members,
          fc.oneof(fc.constant(undefined), value),
          fc.boolean(),
          async (body, token, proto) => {
            const app = openEverything()
            const agent = app.agent()
            const csrfToken = await csrfOf(agent)
            const isProven = token === undefined
            const text = JSON.stringify({ ...body, csrfToken: isProven ? csrfToken : token })
            const polluted = text.replace('{', '{"__proto__":{"polluted":1,"csrfToken":"x"},"constructor":1,')
            const answer = await app.handle(
              new Request(`https://app.test${route}`, {
                method: 'POST',
                headers: {
                  'content-type': 'application/json',
                  cookie: `__Host-authjs.csrf-token=${agent.cookies()['__Host-authjs.csrf-token']}`,
                },
                body: proto ? polluted : text,
              }),
            )
            expect(answer.status, `${route} ${text}`).toBeLessThan(500)
            expect(setsCookie(answer, sessionCookie)).toBe(false)
            expect(app.rows.users()).toEqual([])
            expect(app.ended()).not.toBe('faulted')
            expect(Reflect.get({}, 'polluted')).toBeUndefined()
            if (!isProven && route.startsWith('/auth/sign')) expect(app.idp.log).toEqual([])
            cases.count(`${answer.status}`)
            cases.count(isProven ? 'with the CSRF token' : 'without it')
            if (proto) cases.count('__proto__')
          },
        ),
        { numRuns: 30 },
      )
    for (const label of ['302', '400', 'with the CSRF token', 'without it', '__proto__'])
      cases.atLeast(label, 5)
    cases.report()
    expect(mails.filter(({ identifier }) => !/^[^@]+@[^@]+$/.test(identifier))).toEqual([])
  })

  it('LM-07 HH-05 does not sign in with credentials inside lists or objects', async () => {
    const app = openEverything()
    const agent = app.agent()
    const tries = [
      { username: ['ada'], password: ['right'] },
      { username: 'ada', password: { toString: 'right' } },
      { username: { username: 'ada' }, password: 'right' },
      { data: { username: 'ada', password: 'right' } },
    ]
    for (const body of tries) {
      const answer = await agent.send('/auth/callback/password', {
        json: { ...body, csrfToken: await csrfOf(agent) },
      })
      expect(answer.headers.get('location')).toBe(
        'https://app.test/auth/signin?error=CredentialsSignin&code=credentials',
      )
      expect(app.ended()).toBe('declined')
    }
    expect(typed.length).toBeGreaterThanOrEqual(tries.length)
    expect(await sessionOf(agent)).toBeNull()
  })

  it('LM-07 DEC-31f does not cause a server error, and neither do repeated or odd query parameters', async () => {
    const app = openEverything()
    const agent = app.agent()
    const queries = [
      'code=a&code=b',
      'code[]=a',
      'code=',
      'state=%00',
      'error[$ne]=x',
      'iss=__proto__',
      '__proto__=x',
      'code=%ff',
    ]
    for (const route of [
      'callback/idp',
      'callback/form',
      'callback/mail',
      'signin',
      'error',
      'session',
      'verify-request',
    ])
      for (const query of queries) {
        const answer = await agent.send(`/auth/${route}?${query}`)
        expect(answer.status, `${route} ${query}`).toBeLessThan(500)
        expect(setsCookie(answer, sessionCookie)).toBe(false)
        expect(app.ended()).not.toBe('faulted')
      }
  })
})

describe('headers from a client', () => {
  it('HH-06 grant nothing, whatever other systems use them for', async () => {
    const app = openApp({ strategy: 'database' })
    const headers = {
      'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
      'x-middleware-rewrite': '/auth/session',
      'x-auth-session': '{"user":{"name":"Eve"}}',
      'x-authjs-session': '{"user":{"name":"Eve"}}',
      'x-user': 'eve',
      'x-forwarded-user': 'eve',
      'x-remote-user': 'eve',
      x_forwarded_user: 'eve',
      remote_user: 'eve',
      'x-csrf-token': 'x',
      'x-authjs-raw': '1',
      'x-http-method-override': 'POST',
      'x-original-url': '/auth/session',
      authorization: 'Bearer eve',
    }
    const agent = app.agent()
    const session = await agent.send('/auth/session', { headers })
    expect(await session.json()).toBeNull()
    const plain = await agent.send('/auth/session')
    expect([...session.headers]).toEqual([...plain.headers])
    const started = await agent.send('/auth/signin/idp', { form: {}, headers })
    expect(started.headers.get('location')).toBe('https://app.test/auth/signin?error=MissingCSRF')
    const signOut = await agent.send('/auth/signout', { headers })
    expect(signOut.status).toBe(200)
    expect(signOut.headers.get('content-type')).toBe('text/html')
    expect((await agent.send('/auth/nothing', { headers })).status).toBe(404)
  })

  it('HH-06 do not change an existing session', async () => {
    const app = openApp()
    const agent = app.agent()
    const before = await agent.send('/auth/csrf')
    expect(before.status).toBe(200)
    const forged = { cookie: `${sessionCookie}=forged; session={"user":1}`, 'x-session-token': 'forged' }
    const answer = await app.handle(new Request('https://app.test/auth/session', { headers: forged }))
    expect(await answer.json()).toBeNull()
    expect(app.ended()).toBe('ended')
  })
})
