import fc from 'fast-check'
import { anyText } from '../arbitraries/any-text.ts'
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
  update,
} from './support/sessions.ts'
import { tour, tours } from './support/tour.ts'

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
/** Logos as somebody may name them: whatever is in their URL, only its origin is for the policy. */
const logos = Object.fromEntries(
  Object.entries({
    'a logo': 'https://cdn.example/logo.png',
    'a logo with a query': 'https://cdn.example/a;b,c/logo.png?x=1; script-src *',
    'a logo in itself': 'data:image/png;base64,iVBORw0KGgo=',
    'a logo of our own': '/logo.png',
    'a logo of a phone': 'content://media.example/logo.png',
  }).map(([name, logo]) => [name, { config: { theme: { logo } } }]),
)

const logoSource = /^https:\/\/cdn\.example(?:\/[^?;, ]*)?$/

/** What is wrong with a policy: what is no source, a directive twice, or scripts from anywhere. */
function findPolicyFault(policy: string): string | undefined {
  const names: string[] = []
  for (const directive of policy.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (names.includes(name)) return `${name} twice`
    names.push(name)
    const strange = sources.find((source) => !policySource.test(source))
    if (strange !== undefined) return `${strange}, which is no source,`
    const lax = sources.find((source) => /^(?:\*|https?:|data:|blob:|'unsafe-(?:inline|eval)')$/.test(source))
    if (lax !== undefined && /^(?:default|script|object)-src/.test(name)) return `${name} ${lax}`
  }
  return undefined
}
const policySource =
  /^(?:\*|'(?:none|self|unsafe-inline|unsafe-eval|strict-dynamic|report-sample|unsafe-hashes)'|'nonce-[\w+/=-]+'|'sha(?:256|384|512)-[\w+/=-]+'|[a-z][a-z0-9+.-]*:|(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?[a-z0-9.[\]-]+(?::(?:\d+|\*))?(?:\/[^;,\s?#]*)?)$/i

const ways = fc.record({ way: tours, door: fc.constantFrom('alpha', 'plain') })

/** The lines that set cookies, of everything that was answered, without what came for others. */
const linesOf = (world: World) =>
  world.replies.flatMap(({ request, reply }) =>
    reply.headers
      .getSetCookie()
      .map((line) => ({ line, where: `${request.method} ${new URL(request.url).pathname}` })),
  )

/** A line as its parts: name, value, and attributes by their names in lower case. */
function readLine(line: string) {
  const [pair = '', ...rest] = line.split(';')
  const [name = '', ...value] = pair.split('=')
  const attributes = rest.map((part) => {
    const [key = '', ...text] = part.trim().split('=')
    return [key.toLowerCase(), text.join('=')] as const
  })
  return { name, value: value.join('='), attributes: new Map(attributes), count: attributes.length }
}

const attributeNames = new Set([
  'max-age',
  'domain',
  'path',
  'expires',
  'httponly',
  'secure',
  'partitioned',
  'priority',
  'samesite',
])

/** What breaks a header out of its line, and a cookie out of its value. */
const injections = fc.constantFrom(
  '\r\nSet-Cookie: evil=1',
  '\nevil: 1',
  '\r evil',
  '; Domain=evil.example',
  '; Secure; Path=/evil',
  ', evil=1; Path=/',
  '%0d%0aSet-Cookie:%20evil=1',
  '%0D%0Aevil',
  '\u560a\u560d',
  '\u010d\u010a evil=1',
  '"; evil=1',
  '\u0000',
  '\u2028evil',
  ';',
  ',',
)
const around = fc.constantFrom(
  '/',
  '/here',
  'https://app.example/x',
  'https://app.example/?a=',
  '',
  'https://app.example',
)

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
    },
  }),
  property({
    proves: ['CK-10'],
    name: 'nothing that is sent breaks out of a header',
    story: 'A link plants a cookie or a header of the attacker in the answer to whoever follows it.',
    advice: 'Encode the values of cookies, and write URLs with a URL parser.',
    setups: bothStrategies,
    runs: 150,
    input: fc.record({
      text: fc.oneof(
        fc.tuple(around, injections, around).map((parts) => parts.join('')),
        anyText(30),
      ),
      place: fc.constantFrom(
        'query',
        'form',
        'cookie',
        'error',
        'provider',
        'address',
        'state',
        'session',
        'error of the provider',
      ),
    }),
    async run(world, { text, place }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const at = (path: string) => `${world.basePath}/${path}`
      const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`
      const csrfToken = await browser.csrfToken()
      if (place === 'query') {
        await browser.send(at(`signin${query({ callbackUrl: text, error: text })}`))
        await browser.send(at(`session${query({ callbackUrl: text })}`))
      } else if (place === 'form') await browser.start('plain', { callbackUrl: text })
      else if (place === 'cookie') {
        const safe = text.replaceAll(/[^\x20-\x3a\x3c-\x7e]/g, (each) =>
          `${new URLSearchParams({ '': each })}`.slice(1),
        )
        const cookies = Object.fromEntries(Object.keys(browser.cookies()).map((name) => [name, safe]))
        await browser.send(at('csrf'), {
          headers: { cookie: headerOf({ ...browser.cookies(), ...cookies }) },
        })
        await browser.send(at('session'), {
          headers: { cookie: headerOf({ ...browser.cookies(), ...cookies }) },
        })
      } else if (place === 'error') await browser.send(at(`error${query({ error: text })}`))
      else if (place === 'provider') {
        const id = encodeURIComponent(`${new URLSearchParams({ '': text })}`.slice(1))
        await browser.send(at(`signin/${id}`), { form: { csrfToken } })
        await browser.send(at(`callback/${id}`))
      } else if (place === 'address')
        await browser.send(at('signin/mail'), { form: { csrfToken, email: `ada${text}@mail.example` } })
      else if (place === 'session') await update(world, browser, { user: text, note: text })
      else {
        const arrival = await browser.visit('alpha', ada)
        if (place === 'state') arrival.parameters.set('state', text)
        else {
          arrival.parameters.delete('code')
          arrival.parameters.set('error', text)
          arrival.parameters.set('error_description', text)
        }
        await browser.arrive(arrival)
      }
      await browser.start('alpha', { callbackUrl: text })
      await browser.signOut({ callbackUrl: text })
      for (const { request, reply } of world.replies) {
        const where = `${request.method} ${new URL(request.url).pathname}`
        world.hold('CK-10', !reply.failure, `${where} fails: ${reply.failure ?? ''}`)
        const to = reply.headers.get('location') ?? ''
        world.hold('CK-10', !/[\r\n\0]/.test(to), `a Location has more than one line, at ${where}`)
        world.hold('CK-10', !reply.headers.has('evil'), `a header was planted, at ${where}`)
        for (const line of reply.headers.getSetCookie()) {
          const { name, value, attributes, count } = readLine(line)
          const says = `${JSON.stringify(line.slice(0, 200))}, at ${where}`
          world.hold('CK-10', !name.includes('evil'), `a cookie was planted: ${says}`)
          world.hold(
            'CK-10',
            /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value),
            `a value breaks out: ${says}`,
          )
          world.hold('CK-10', attributes.size === count, `an attribute comes twice: ${says}`)
          for (const [key, said] of attributes) {
            world.hold('CK-10', attributeNames.has(key), `an attribute was planted: ${says}`)
            world.hold(
              'CK-10',
              !said.includes('evil') && (key === 'expires' || !said.includes(',')),
              `an attribute was planted: ${says}`,
            )
          }
        }
      }
    },
  }),
  property({
    proves: ['CK-12'],
    name: 'no cache keeps what belongs to one user',
    story: 'A shared cache hands out the session, the CSRF token or the cookies of whoever came first.',
    advice:
      'Send `Cache-Control: private, no-store` with every response that sets a cookie or shows a token.',
    setups: bothStrategies,
    runs: 40,
    input: ways,
    async run(world, { way, door }) {
      const browser = world.browser('ada')
      await tour(world, browser, way, door)
      for (const { request, reply } of world.replies) {
        const { pathname } = new URL(request.url)
        const reasons = [
          reply.headers.has('set-cookie') && 'sets cookies',
          pathname.endsWith('/session') && reply.status === 200 && 'shows the session',
          pathname.endsWith('/csrf') && reply.status === 200 && 'shows the CSRF token',
          (reply.headers.get('content-type') ?? '').startsWith('text/html') &&
            /name="?csrfToken/.test(reply.text) &&
            'is a page with a CSRF token',
        ].filter((reason) => reason !== false)
        const kept = reply.headers.get('cache-control') ?? 'no Cache-Control'
        if (reasons.length > 0)
          world.hold(
            'CK-12',
            /\bno-store\b/.test(kept),
            `${request.method} ${pathname} ${reasons.join(', ')}, with ${kept}`,
          )
      }
      world.demand(isSignedIn(await freshSession(world)), 'nobody can sign in')
    },
  }),
  property({
    proves: ['CK-13', 'CK-12'],
    name: 'the pages of the library cannot be framed, sniffed, or followed',
    story: 'A page of another site shows the sign-out button as something else, and has it clicked.',
    advice:
      'Send Content-Security-Policy with frame-ancestors, nosniff and a Referrer-Policy with every page.',
    setups: { usual: {}, ...logos },
    runs: 40,
    input: fc.record({
      page: fc.constantFrom(
        'signin',
        'signout',
        'error',
        'verify-request',
        'callback/alpha',
        'nowhere',
        'signin/nobody',
      ),
      error: fc.option(
        fc.constantFrom('AccessDenied', 'Verification', 'Configuration', 'OAuthAccountNotLinked', 'x'),
      ),
      isIn: fc.boolean(),
    }),
    async run(world, { page, error, isIn }) {
      const browser = world.browser('ada')
      if (isIn) await browser.signIn('alpha', world.people.ada)
      const reply = await browser.send(`${world.basePath}/${page}${error === null ? '' : `?error=${error}`}`)
      const type = reply.headers.get('content-type') ?? ''
      world.demand(
        type.startsWith('text/html') || !['signin', 'signout', 'error'].includes(page),
        'there is no such page',
      )
      if (!type.startsWith('text/html')) return
      const policy = reply.headers.get('content-security-policy') ?? ''
      const sees = (name: string) => reply.headers.get(name)?.toLowerCase() ?? ''
      world.hold(
        'CK-13',
        /frame-ancestors/.test(policy) || sees('x-frame-options') !== '',
        `${page} can be framed`,
      )
      world.hold('CK-13', sees('x-content-type-options') === 'nosniff', `${page} can be sniffed`)
      const says = sees('referrer-policy')
      world.hold('CK-13', says !== '' && !says.includes('unsafe-url'), `${page} tells others its address`)
      world.hold('CK-13', policy !== '', `${page} has no Content-Security-Policy`)
      const fault = findPolicyFault(policy)
      world.hold('CK-13', fault === undefined, `${page} has a Content-Security-Policy with ${fault}`)
      const frames = policy.includes('frame-ancestors')
        ? (/frame-ancestors ([^;]*)/.exec(policy)?.[1] ?? '')
        : "'none'"
      world.hold('CK-13', /^'(?:none|self)'$/.test(frames.trim()), `${page} can be framed by ${frames}`)
      const images = (/img-src ([^;]*)/.exec(policy)?.[1] ?? '').split(' ')
      const strange = images.find(
        (source) => /^[^'*][^:]*(?:$|:\/\/)/.test(source) && !logoSource.test(source),
      )
      world.hold('CK-13', strange === undefined, `${page} lets images come from ${strange}`)
      const kept = sees('cache-control')
      const hasToken = /name="?csrfToken/.test(reply.text)
      world.hold(
        'CK-12',
        !hasToken || /no-store/.test(kept),
        `${page} has a CSRF token, and ${kept || 'no Cache-Control'}`,
      )
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

/** Somebody else's session, come by honestly. */
async function freshSession(world: World) {
  const other = world.browser('eve')
  await other.signIn('plain', world.people.eve)
  return other.readSession()
}

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
