import fc from 'fast-check'
import { isCleared } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { sessionCookie } from '../monitors/monitor.ts'
import { bothStrategies, property, type Property } from './property.ts'
import {
  headerOf,
  heldBy,
  isSignedIn,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
} from './support/sessions.ts'
import { linesOf, readLine } from './support/set-cookie-lines.ts'
import { freshSession, tour, tours } from './support/tour.ts'

const checkCookie = /(?:^|[-.])(?:state|nonce|pkce\.code_verifier|challenge)$/
const csrfCookie = /csrf-token$/

const formPost = {
  providers: ['alpha', 'plain'],
  provider: {
    alpha: {
      authorization: { params: { scope: 'openid', response_mode: 'form_post' } },
      checks: ['pkce', 'state', 'nonce'],
    },
  },
} as const
const big = {
  callbacks: {
    jwt: ({ token, user }: { token: object; user?: object }) =>
      user ? { ...token, ballast: 'x'.repeat(9000) } : token,
  },
}
const ways = fc.record({ way: tours, door: fc.constantFrom('alpha', 'plain') })

export const cookieProperties: readonly Property[] = [
  property({
    proves: ['CK-01', 'CK-02', 'CK-08'],
    name: 'cookies keep to themselves: HttpOnly, Secure, SameSite, and each but once in a response',
    story: 'A script, a request without encryption, or a page of another site gets at a session.',
    advice: 'Write every cookie with one function that knows these attributes.',
    setups: { ...bothStrategies, 'in many cookies': { strategy: 'jwt', config: big }, form_post: formPost },
    runs: 40,
    input: ways,
    async run(world, { way, door }) {
      const browser = world.browser('ada')
      await tour(world, browser, way, door)
      const isEncrypted = world.origin.startsWith('https:')
      for (const { line, where } of linesOf(world)) {
        const { name, value, attributes } = readLine(line)
        const kind = name.replace(/\.\d+$/, '')
        const isPrefixed = (csrfCookie.test(kind) ? /^__Host-/ : /^__(?:Secure|Host)-/).test(name)
        if (isEncrypted && (sessionCookie.test(kind) || csrfCookie.test(kind)))
          world.hold(
            'CK-02',
            isPrefixed,
            `${name} has no prefix that keeps sibling sites from setting it, at ${where}`,
          )
        if (!sessionCookie.test(kind) && !checkCookie.test(kind)) continue
        if (value === '') continue
        const sameSite = attributes.get('samesite')?.toLowerCase()
        world.hold('CK-01', attributes.has('httponly'), `${name} is not HttpOnly, at ${where}`)
        world.hold('CK-01', !isEncrypted || attributes.has('secure'), `${name} is not Secure, at ${where}`)
        const isLax = sameSite === 'lax' || sameSite === 'strict'
        const mayBeNone =
          checkCookie.test(kind) &&
          attributes.has('secure') &&
          where.includes('/signin/alpha') &&
          isFormPost(world)
        world.hold(
          'CK-01',
          isLax || (sameSite === 'none' && mayBeNone),
          `${name} has SameSite ${sameSite ?? 'nothing'}, at ${where}`,
        )
      }
      for (const { request, reply } of world.replies) {
        const names = reply.headers.getSetCookie().map((line) => readLine(line).name)
        const twice = names.filter((name, at) => names.indexOf(name) !== at)
        const where = `${request.method} ${new URL(request.url).pathname}`
        world.hold(
          'CK-08',
          twice.length === 0,
          `${twice.join(', ')} is set twice in one response, at ${where}`,
        )
      }
      world.demand(linesOf(world).length > 2, 'hardly any cookie was set')
      world.demand(isSignedIn(await freshSession(world)), 'nobody can sign in')
    },
  }),
  property({
    proves: ['CK-02'],
    name: 'the prefix of a cookie promises what the cookie keeps',
    story:
      'A browser drops a cookie whose prefix does not fit, or a sibling domain sets the one that counts.',
    advice: '__Host- where there is no Domain and the path is /, else __Secure-.',
    needs: ['setup'],
    setups: Object.fromEntries([
      ['without encryption', { config: { useSecureCookies: false } }],
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
        const isEncrypted = linesOf(world).some(({ line }) => readLine(line).attributes.has('secure'))
        for (const { line } of linesOf(world)) {
          const { name, attributes } = readLine(line)
          if (isEncrypted && (sessionCookie.test(name) || csrfCookie.test(name)))
            world.hold('CK-02', /^__(?:Secure|Host)-/.test(name), `${name} has neither __Host- nor __Secure-`)
          if (name.startsWith('__Host-'))
            world.hold(
              'CK-02',
              !attributes.has('domain') && attributes.get('path') === '/' && attributes.has('secure'),
              `browsers drop ${name}, since it does not keep what its prefix promises`,
            )
          if (name.startsWith('__'))
            world.hold('CK-02', attributes.has('secure'), `browsers drop ${name}, which is not Secure`)
        }
      }
      await browser.csrfToken()
      check()
      await browser.arrive(await browser.visit('alpha', world.people.ada))
      const session = await browser.readSession()
      check()
      world.hold('CK-02', isSignedIn(session), 'with its cookies nobody can sign in')
    },
  }),
  property({
    proves: ['CK-09'],
    name: 'what was set can be taken away: after a sign-out the jar is empty',
    story: 'A cookie that cannot be cleared keeps somebody signed in, or locks them out.',
    advice: 'Clear a cookie with the Path, Domain and attributes that it was set with.',
    needs: ['setup'],
    setups: {
      ...bothStrategies,
      'in many cookies': { strategy: 'jwt', config: big },
      'with a path': ownOptions({ path: '/auth' }),
      'with a domain': ownOptions({ path: '/', domain: 'app.example' }),
      'with both': ownOptions({ path: '/auth', domain: 'app.example' }),
      'in many, with a path': ownOptions({ path: '/auth' }, { strategy: 'jwt', config: big }),
      form_post: formPost,
    },
    runs: 12,
    input: ways,
    async run(world, { way, door }) {
      const browser = world.browser('ada')
      await tour(
        world,
        browser,
        [...way.filter((step) => !step.startsWith('bring')), 'sign out', 'come in'],
        door,
      )
      const inJar = () => (browser.save() as { cookies: Kept[] }).cookies.filter(lasts).map(({ key }) => key)
      world.demand(
        inJar().some((name) => sessionCookie.test(name)),
        'the browser has no session to end',
      )
      await browser.signOut()
      const left = inJar().filter((name) => sessionCookie.test(name) || checkCookie.test(name))
      world.hold('CK-09', left.length === 0, `after the sign-out the browser still has ${left.join(', ')}`)
      // A jar that takes host-only cookies for those of the same Domain is kinder than browsers (RFC 6265bis 5.6).
      const places = new Map<string, string>()
      for (const { reply } of world.replies) {
        for (const cookie of reply.cookies) {
          const place = `Domain ${cookie.domain ?? 'none'}, Path ${cookie.path ?? 'none'}`
          const setAt = places.get(cookie.key)
          if (!isCleared(cookie, world.clock.now())) places.set(cookie.key, place)
          else
            world.hold(
              'CK-09',
              setAt === undefined || setAt === place,
              `${cookie.key} was set with ${setAt ?? ''}, and is cleared with ${place}`,
            )
        }
      }
    },
  }),
  property({
    proves: ['CK-14'],
    name: 'checks that were used are taken away, also when the sign-in fails after them',
    story: 'A check that was used waits for the next answer, which an attacker chooses.',
    advice: 'Clear check cookies on every way out of a callback.',
    runs: 40,
    setups: bothStrategies,
    input: fc.record({
      door: fc.constantFrom('alpha', 'plain'),
      fault: fc.constantFrom(
        'token:500',
        'token:html',
        'error-with-200',
        'access-token-missing',
        'token-type-mac',
        'token:empty',
      ),
    }),
    async run(world, { door, fault }) {
      const browser = world.browser('ada')
      world.idps[door].misbehave(fault)
      const arrival = await browser.visit(door, world.people.ada)
      const used = Object.keys(browser.cookies()).filter(
        (name) => checkCookie.test(name) && !name.endsWith('nonce'),
      )
      world.demand(used.length > 0, 'the sign-in has no check cookies')
      world.demand(refuses(await browser.arrive(arrival)), 'the sign-in did not fail')
      const left = used.filter((name) => name in browser.cookies())
      world.hold(
        'CK-14',
        left.length === 0,
        `after a sign-in that failed the browser still has ${left.join(', ')}`,
      )
      world.idps[door].misbehave()
      await browser.signIn(door, world.people.ada)
    },
  }),
  property({
    proves: ['CK-15'],
    name: 'no header makes cookies less secure',
    story: 'A header that says http makes the application send its cookies without protection.',
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
        world.hold('CK-15', attributes.has('secure'), `${name} is not Secure, at ${where}`)
        world.hold('CK-15', name.startsWith('__'), `${name} has no prefix, at ${where}`)
      }
      world.demand(started.cookies.length > 0, 'no sign-in can be started')
    },
  }),
  property({
    proves: ['CK-16'],
    name: 'in the answer to a sign-out each session cookie ends up deleted',
    story: 'A session that is renewed and ended by one request lives on in the browser.',
    advice: 'Let the last word about a cookie be its deletion.',
    setups: { ...bothStrategies, 'in many cookies': { strategy: 'jwt', config: big } },
    runs: 40,
    input: fc.record({
      reads: fc.nat({ max: 2 }),
      stale: fc.boolean(),
      twice: fc.boolean(),
      wait: fc.constantFrom(0, 90_000, 2_000_000),
    }),
    async run(world, { reads, stale, twice, wait }) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const name = sessionName(world, browser)
      if (world.features.has('clock')) world.pass(wait)
      for (let n = 0; n < reads; n++) await browser.readSession()
      world.demand(heldBy(browser) !== '', 'there is no session to end')
      if (stale) plant(browser, { [`${name}.7`]: 'stale', [`${name}.8`]: 'pieces' })
      const held = Object.keys(sessionOf(browser.cookies()))
      for (let n = 0; n <= Number(twice); n++) {
        const reply = await browser.signOut()
        const last = new Map(reply.cookies.map((cookie) => [cookie.key, cookie]))
        for (const cookie of last.values())
          if (sessionCookie.test(cookie.key))
            world.hold('CK-16', isCleared(cookie, Date.now()), `the answer to a sign-out sets ${cookie.key}`)
        if (n > 0) continue
        const kept = held.filter((each) => !last.has(each))
        world.hold('CK-16', kept.length === 0, `the answer to a sign-out does not clear ${kept.join(', ')}`)
      }
      world.demand(!isSignedIn(await readWith(world, browser.cookies())), 'the browser is signed in still')
    },
  }),
]

function isFormPost(world: World): boolean {
  return world.idps.alpha
    .requestsTo('authorize')
    .some(({ parameters }) => parameters.get('response_mode') === 'form_post')
}

/** An application whose session and check cookies have options of their own. */
function ownOptions(options: object, setup: object = {}) {
  const all = { secure: true, httpOnly: true, sameSite: 'lax', ...options }
  const names = ['sessionToken', 'state', 'nonce', 'pkceCodeVerifier'] as const
  const cookies = Object.fromEntries(names.map((name) => [name, { options: all }]))
  const { config = {} } = setup as { config?: object }
  return { ...setup, config: { ...config, cookies } }
}

interface Kept {
  readonly key: string
  readonly maxAge?: number
  readonly expires?: string
}

/** Is the cookie of a jar still there? */
function lasts({ maxAge, expires }: Kept): boolean {
  if (maxAge !== undefined) return maxAge > 0
  return expires === undefined || expires === 'Infinity' || Date.parse(expires) > Date.now()
}
