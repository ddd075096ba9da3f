import fc from 'fast-check'
import type { World } from '../../world/world.ts'
import { sessionCookie } from '../../monitors/monitor.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { headerOf, isSignedIn } from '../support/sessions.ts'
import { linesOf, readLine } from '../support/set-cookie-lines.ts'
import { freshSession, tour } from '../support/tour.ts'
import { checkCookie, formPost, big, ways } from '../support/own-cookies.ts'

const csrfCookie = /csrf-token$/

export const cookieProperties: readonly Property[] = [
  property({
    proves: ['CK-01', 'CK-02', 'CK-08'],
    name: 'sets every cookie with HttpOnly, Secure and SameSite, and once per response',
    story: 'A script, an unencrypted request, or a page of another site gets a session cookie.',
    advice: 'Write all cookies with one function that sets these attributes.',
    setups: { ...bothStrategies, 'in many cookies': { strategy: 'jwt', config: big }, form_post: formPost },
    runs: 40,
    input: ways,
    async run(world, { way, method }) {
      const browser = world.browser('ada')
      await tour(world, browser, way, method)
      const isEncrypted = world.origin.startsWith('https:')
      for (const { line, where } of linesOf(world)) {
        const { name, value, attributes } = readLine(line)
        const kind = name.replace(/\.\d+$/, '')
        const isPrefixed = (csrfCookie.test(kind) ? /^__Host-/ : /^__(?:Secure|Host)-/).test(name)
        if (isEncrypted && (sessionCookie.test(kind) || csrfCookie.test(kind)))
          world.check(
            'CK-02',
            isPrefixed,
            `${name} has no prefix that keeps sibling sites from setting it, at ${where}`,
          )
        if (!sessionCookie.test(kind) && !checkCookie.test(kind)) continue
        if (value === '') continue
        const sameSite = attributes.get('samesite')?.toLowerCase()
        world.check('CK-01', attributes.has('httponly'), `${name} is not HttpOnly, at ${where}`)
        world.check('CK-01', !isEncrypted || attributes.has('secure'), `${name} is not Secure, at ${where}`)
        const isLax = sameSite === 'lax' || sameSite === 'strict'
        const mayBeNone =
          checkCookie.test(kind) &&
          attributes.has('secure') &&
          where.includes('/signin/alpha') &&
          isFormPost(world)
        world.check(
          'CK-01',
          isLax || (sameSite === 'none' && mayBeNone),
          `${name} has ${sameSite === undefined ? 'no SameSite attribute' : `SameSite=${sameSite}`}, at ${where}`,
        )
      }
      for (const { request, reply } of world.replies) {
        const names = reply.headers.getSetCookie().map((line) => readLine(line).name)
        const twice = names.filter((name, at) => names.indexOf(name) !== at)
        const where = `${request.method} ${new URL(request.url).pathname}`
        world.check(
          'CK-08',
          twice.length === 0,
          `${twice.join(', ')} is set twice in one response, at ${where}`,
        )
      }
      world.assume(linesOf(world).length > 2, 'too few cookies were set')
      world.assume(isSignedIn(await freshSession(world)), 'nobody can sign in')
    },
  }),

  property({
    proves: ['CK-02', 'CK-01'],
    name: 'sets only attributes that match the cookie’s prefix',
    story: 'A browser drops a cookie with a wrong prefix, or a sibling domain overrides the cookie.',
    advice: 'Use __Host- for cookies without a Domain and with path /, otherwise __Secure-.',
    needs: ['setup'],
    setups: Object.fromEntries([
      ['without encryption', { config: { useSecureCookies: false } }],
      ['form_post without encryption', { ...formPost, config: { useSecureCookies: false } }],
      ...(['csrfToken', 'sessionToken'] as const).flatMap((cookie) => [
        [
          `${cookie} with a domain`,
          {
            config: {
              cookies: {
                [cookie]: {
                  options: {
                    domain: 'app.example',
                    path: '/',
                    secure: true,
                    httpOnly: true,
                    sameSite: 'lax',
                  },
                },
              },
            },
          },
        ],
        [
          `${cookie} with a path`,
          {
            config: {
              cookies: {
                [cookie]: { options: { path: '/auth', secure: true, httpOnly: true, sameSite: 'lax' } },
              },
            },
          },
        ],
      ]),
    ]),
    runs: 6,
    async run(world) {
      const browser = world.browser('ada')
      const check = () => {
        const lines = linesOf(world).map(({ line }) => readLine(line))
        // Without encryption, the cookies that form_post needs are Secure nevertheless.
        const isEncrypted = lines.some(
          ({ name, attributes }) => csrfCookie.test(name) && attributes.has('secure'),
        )
        for (const { name, attributes } of lines) {
          const isNone = attributes.get('samesite')?.toLowerCase() === 'none'
          world.check(
            'CK-01',
            !isNone || attributes.has('secure'),
            `browsers drop ${name}: SameSite=None, not Secure`,
          )
          if (isEncrypted && (sessionCookie.test(name) || csrfCookie.test(name)))
            world.check(
              'CK-02',
              /^__(?:Secure|Host)-/.test(name),
              `${name} has neither __Host- nor __Secure-`,
            )
          if (name.startsWith('__Host-'))
            world.check(
              'CK-02',
              !attributes.has('domain') && attributes.get('path') === '/' && attributes.has('secure'),
              `browsers drop ${name}, because its attributes do not match its prefix`,
            )
          if (name.startsWith('__'))
            world.check('CK-02', attributes.has('secure'), `browsers drop ${name}, which is not Secure`)
        }
      }
      await browser.csrfToken()
      check()
      await browser.arrive(await browser.visit('alpha', world.people.ada))
      const session = await browser.readSession()
      check()
      world.check('CK-02', isSignedIn(session), 'with its cookies nobody can sign in')
    },
  }),

  property({
    proves: ['CK-15'],
    name: 'sets Secure cookies whatever the request headers say',
    story: 'A header that says http makes the application send cookies without Secure.',
    advice: 'Take the scheme from the configured URL.',
    needs: ['setup'],
    setups: { database: { env: { AUTH_URL: 'https://app.example' } } },
    runs: 40,
    input: fc.record({
      headers: fc.constantFrom<Record<string, string>>(
        { 'x-forwarded-proto': 'http' },
        { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'app.example' },
        { 'x-forwarded-proto': 'http,https' },
        { 'x-forwarded-scheme': 'http' },
        { forwarded: 'proto=http;host=app.example' },
        { 'x-forwarded-ssl': 'off' },
        { 'x-url-scheme': 'http', 'front-end-https': 'off' },
        {},
      ),
      scheme: fc.constantFrom('https:', 'http:'),
    }),
    async run(world, { headers, scheme }) {
      const send = (path: string, init: RequestInit = {}) => {
        const url = new URL(world.url(path))
        url.protocol = scheme
        return world.send(new Request(url, { ...init, headers: { ...headers, ...init.headers } }))
      }
      const first = await send('csrf')
      const cookie = headerOf(first.cookies.map(({ key, value }) => [key, value] as const))
      const csrfToken = String(Object(first.json).csrfToken)
      const form = { method: 'POST', body: new URLSearchParams({ csrfToken }), headers: { cookie } }
      const started = await send(`signin/${world.idOf('alpha') ?? ''}`, form)
      await send('session', { headers: { cookie } })
      await send('signout', form)
      for (const { line, where } of linesOf(world)) {
        const { name, attributes } = readLine(line)
        world.check('CK-15', attributes.has('secure'), `${name} is not Secure, at ${where}`)
        world.check('CK-15', name.startsWith('__'), `${name} has no prefix, at ${where}`)
      }
      world.assume(started.cookies.length > 0, 'no sign-in can be started')
    },
  }),
]

function isFormPost(world: World): boolean {
  return world.idps.alpha
    .requestsTo('authorize')
    .some(({ parameters }) => parameters.get('response_mode') === 'form_post')
}
