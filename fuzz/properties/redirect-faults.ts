import fc from 'fast-check'
import { webUrl } from '../arbitraries/web-url.ts'
import { nastyUrl } from '../arbitraries/nasty-urls.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentTo, remotes, startAt, subjectOf } from './support/consent.ts'
import { errands, plantTarget, runErrand, sources, toWellFormed } from './support/errands.ts'
import { readForms } from './support/forms.ts'

const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'form'] } } as const
const all = { database: {}, ...withPasswords }

/** Targets that hardly any parser takes. */
const malformed = fc.oneof(
  nastyUrl,
  fc.constantFrom(
    '',
    ' ',
    'http://',
    'https://[',
    'http://%',
    '%',
    '%00',
    '\u0000',
    '//',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
  ),
  fc.constantFrom(2000, 2100, 5000, 60_000).map((length) => `/${'a'.repeat(length)}`),
  // What a server takes, and a browser does not keep in a cookie, where each of its characters takes three.
  fc
    .tuple(
      fc.constantFrom('?', '#', ''),
      fc.constantFrom('&', '=', '%'),
      fc.integer({ min: 1200, max: 2000 }),
    )
    .map(([before, text, length]) => `/${before}${text.repeat(length)}`),
  fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('😀', '%F0%9F%98%80', 'ü', '%0d%0aevil: 1'))
    .map(([length, text]) => `/${'a'.repeat(length)}${text.repeat(12)}`),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `/${text}`),
)

/** What a form or a script may send instead of a text. */
const noText = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, ['/a', '/b'], { url: '/a' }),
  fc.constantFrom<unknown>(
    ['/a'],
    [['/a']],
    ['https://app.example/a'],
    { toString: '/a' },
    { 0: '/a', length: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Holds that a reply is none of a broken application. */
function holdUp(
  world: World,
  id: 'RD-04' | 'RD-05',
  { status, failure, location }: Reply,
  what: string,
): void {
  world.hold(id, status < 500, `${what} was answered with ${status}${failure ? ` (${failure})` : ''}`)
  const error = location?.searchParams.get('error')
  world.hold(id, error !== 'Configuration', `${what} led to the error page of a broken application`)
}

/** A redirect callback that wants targets short and legible, and makes texts of them that are no URLs. */
const shortening = {
  config: {
    callbacks: {
      redirect({ url }: { url: string }) {
        try {
          return decodeURIComponent(url).slice(0, 40)
        } catch {
          return url
        }
      },
    },
  },
}

const echo = {
  config: {
    callbacks: {
      redirect({ url, baseUrl }: { url: string; baseUrl: string }) {
        if (url.includes('throws')) throw new Error('no such page')
        return `${baseUrl}/from-callback?${new URLSearchParams({ url })}`
      },
    },
  },
}

export const redirectFaultProperties: readonly Property[] = [
  property({
    proves: ['RD-04', 'CK-03'],
    name: 'a target that is none breaks no page, and undoes no sign-in or sign-out',
    story: 'One link with a strange target shows everybody who follows it an error page of a broken server.',
    advice: 'Take a target that does not parse for none.',
    setups: { ...all, 'a redirect callback that shortens': shortening },
    runs: 120,
    input: fc.record({
      errand: fc.constantFrom(...errands),
      source: fc.constantFrom(...sources),
      target: malformed,
      byScript: fc.boolean(),
    }),
    async run(world, asked) {
      const browser = world.browser('ada')
      if (asked.errand === 'signout') await browser.signIn('alpha', world.people.ada)
      const what = `${JSON.stringify(asked.target.slice(0, 60))} by ${asked.source} at ${asked.errand}`
      const target = toWellFormed(asked.target)
      // No server takes headers of any size.
      if (asked.source === 'cookie' && target.length > 3000) return
      for (const reply of await runErrand(world, browser, { ...asked, target })) {
        holdUp(world, 'RD-04', reply, what)
        const dropped = reply.cookies.find(({ key, value }) => key.length + value.length > 4096)
        world.hold('CK-03', dropped === undefined, `${what} makes ${dropped?.key} too long for a browser`)
        const raw = reply.headers.get('location') ?? ''
        world.hold(
          'RD-04',
          /^[\x21-\x7e]*$/.test(raw),
          `${what} led to a Location that is not percent-encoded`,
        )
      }
      // A URL or a header of this length may be refused before anything is done.
      if (target.length > 3000 && !asked.source.startsWith('body')) return world.reach('too long')
      const is = await browser.whoAmI()
      if (asked.errand === 'signout') world.hold('RD-04', is === undefined, `${what} undid the sign-out`)
      if (asked.errand === 'alpha') world.hold('RD-04', is === 'ada', `${what} undid the sign-in`)
      world.reach(asked.errand)
    },
  }),

  property({
    proves: ['RD-04'],
    name: 'a target that is not even a text breaks nothing',
    story:
      'A script sends an object for a target, and the server answers with an error, after it has signed in.',
    advice: 'Check the type of every member of a body before it is used.',
    setups: all,
    runs: 60,
    input: fc.record({
      value: noText,
      way: fc.constantFrom('signin', 'form', 'signout', 'mail'),
      array: fc.boolean(),
    }),
    async run(world, { value, way, array }) {
      const { ada } = world.people
      const form = world.idOf('form')
      const mail = world.idOf('mail')
      if ((way === 'form' && !form) || (way === 'mail' && !mail)) return
      const browser = world.browser('ada')
      if (way === 'signout') await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      const path = {
        signin: `signin/${world.idOf('alpha')}`,
        form: `callback/${form}`,
        signout: 'signout',
        mail: `signin/${mail}`,
      }[way]
      const fields = { csrfToken, username: 'ada', password: ada.password, email: ada.address.mail }
      const doubled = new URLSearchParams(fields)
      for (const each of ['/a', '/b']) doubled.append(array ? 'callbackUrl[]' : 'callbackUrl', each)
      const byForm = Array.isArray(value) && value.length === 2
      if (way === 'form') world.prove(browser, ada, 'form')
      const reply = await browser.send(
        `${world.basePath}/${path}`,
        byForm ? { form: doubled } : { json: { ...fields, callbackUrl: value } },
      )
      const what = `the target ${JSON.stringify(value)} at ${way}`
      holdUp(world, 'RD-04', reply, what)
      const is = await browser.whoAmI()
      if (way === 'signout') world.hold('RD-04', is === undefined, `${what} undid the sign-out`)
      if (way === 'form') world.hold('RD-04', is === 'ada', `${what} undid the sign-in`)
      // What is no text is replaced by the base URL.
      const isReplaced = typeof value === 'string' || byForm || reply.location?.href === `${world.origin}/`
      if (way === 'form' || way === 'signout')
        world.hold('RD-04', isReplaced, `${what} was followed to ${reply.location?.href}`)
      world.reach(way)
    },
  }),

  property({
    proves: ['RD-05'],
    name: 'no cookie, whatever is in it, keeps a browser from signing in',
    story: 'A sibling host, or an older version, leaves a cookie behind after which every page is an error.',
    advice: 'Take a cookie that cannot be read for none, and clear it.',
    setups: all,
    runs: 60,
    reaches: { 'a target': 5, 'another cookie': 5 },
    input: fc.record({
      which: fc.nat(),
      isTarget: fc.boolean(),
      isBackLate: fc.boolean(),
      poison: fc.oneof(
        fc.constantFrom(
          'x',
          '%',
          '%E0%A4%A',
          'http://',
          'https://[',
          'javascript:alert(1)',
          'https://evil.example',
          '%00',
          'eyJhbGciOiJkaXIifQ....',
          '||',
          'null',
        ),
        fc.string({ unit: fc.constantFrom(...'abcXYZ019.-_~|:/?%[]{}'), minLength: 1, maxLength: 80 }),
        fc.constantFrom(1000, 3000).map((length) => 'a'.repeat(length)),
      ),
    }),
    async run(world, { which, isTarget, isBackLate, poison }) {
      const { ada } = world.people
      const scout = world.browser('ada')
      const started = await scout.start('alpha')
      await scout.signIn('alpha', ada)
      const names = [...new Set([...Object.keys(scout.cookies()), ...started.cookies.map(({ key }) => key)])]
      const targets = names.filter((name) => /callback-?url/i.test(name))
      const others = names.filter((name) => !targets.includes(name))
      const [list, situation] = isTarget ? [targets, 'a target'] : [others, 'another cookie']
      const name = list[which % list.length]
      world.demand(name !== undefined, 'no such cookie is ever set')
      const browser = world.browser('ada')
      const plant = () => browser.setCookie(`${name}=${poison}; Path=/; Secure; HttpOnly`)
      const what = `${name} with ${JSON.stringify(poison.slice(0, 40))} in it`
      plant()
      const session = await browser.readSession()
      holdUp(world, 'RD-05', session, what)
      world.hold(
        'RD-05',
        session.status === 200,
        `the session was answered with ${session.status}, for ${what}`,
      )
      plant()
      const { status, json } = await browser.send(`${world.basePath}/csrf`)
      const token = member(json, 'csrfToken')
      world.hold('RD-05', status === 200 && typeof token === 'string', `there is no CSRF token, for ${what}`)
      plant()
      holdUp(world, 'RD-05', await browser.send(`${world.basePath}/signin`), what)
      const trip = await browser.start('alpha')
      holdUp(world, 'RD-05', trip, what)
      const isAway = trip.location !== undefined && trip.location.origin !== world.origin
      world.hold('RD-05', isAway, `a sign-in led to ${trip.location?.href ?? trip.status}, for ${what}`)
      if (!trip.location) return
      world.prove(browser, ada, 'alpha')
      // One that is read, and is of another origin, is judged again each time.
      if (isTarget && isBackLate && !/^https?:\/\/\w/.test(poison)) plant()
      await browser.arrive(await consentTo(world, 'alpha', trip.location, subjectOf(ada, 'alpha')))
      world.hold('RD-05', (await browser.whoAmI()) === 'ada', `a sign-in fails, for ${what}`)
      const isKept = browser.cookies()[name ?? ''] === poison
      // One that no step of a sign-in looks at has not been in anybody's way.
      world.hold(
        'RD-05',
        !(isKept && isTarget && isBad(poison, world.origin)),
        `the bad cookie stays: ${what}`,
      )
      world.reach(situation)
    },
  }),

  property({
    proves: ['RD-06'],
    name: 'the redirect callback is asked once about a target, and its answer is followed',
    story: 'A developer’s rule about targets is asked twice, or its answer is judged once more and dropped.',
    advice: 'Ask the callback at one place, and use what it returns.',
    needs: ['hooks'],
    setups: { database: echo, passwords: { ...echo, strategy: 'jwt', providers: ['alpha', 'form'] } },
    runs: 40,
    input: fc.record({
      errand: fc.constantFrom('form', 'signout', 'signin'),
      source: fc.constantFrom('body', 'query', 'cookie'),
      target: fc.constantFrom(
        '/welcome',
        '/a?b=c',
        'https://app.example/x',
        'https://evil.example/',
        '/throws',
      ),
    }),
    async run(world, { errand, source, target }) {
      const { ada } = world.people
      const form = world.idOf('form')
      if (errand === 'form' && !form) return
      const browser = world.browser('ada')
      if (errand === 'signout') await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      if (source === 'cookie') plantTarget(world, browser, target)
      const before = world.told.callbacks.length
      const path = { form: `callback/${form}`, signout: 'signout', signin: `signin/${world.idOf('alpha')}` }[
        errand
      ]
      const query =
        source === 'query' && errand !== 'signin' ? `?${new URLSearchParams({ callbackUrl: target })}` : ''
      if (source === 'query' && query === '') return
      const reply = await browser.send(`${world.basePath}/${path}${query}`, {
        form: {
          csrfToken,
          username: 'ada',
          password: ada.password,
          ...(source === 'body' && { callbackUrl: target }),
        },
      })
      const asked = world.told.callbacks.slice(before).filter(({ name }) => name === 'redirect')
      const times = asked.filter(({ params }) => isSame(params.url, target, world.origin)).length
      world.hold(
        'RD-06',
        times === 1,
        `the callback was asked ${times} times about ${target} by ${source} at ${errand}`,
      )
      world.hold('RD-06', asked.length === 1, `the callback was asked ${asked.length} times in one request`)
      world.reach(errand)
      if (errand === 'signin') return
      const { location } = reply
      if (target === '/throws') {
        world.hold(
          'RD-06',
          location?.href === `${world.origin}/`,
          `the callback failed, and ${location?.href} is followed`,
        )
      } else {
        const isOurs =
          location?.pathname === '/from-callback' &&
          isSame(location.searchParams.get('url'), target, world.origin)
        world.hold(
          'RD-06',
          isOurs,
          `the callback’s answer for ${target} is not what is followed: ${location?.href}`,
        )
      }
    },
  }),

  property({
    proves: ['RD-07'],
    name: 'no redirect within the application carries a secret',
    story: 'A code, a token or a state stays in histories and Referer headers of the page that follows.',
    advice: 'Redirect to pages of your own without anything of the request that led there.',
    setups: {
      usual: {},
      'a profile that fails': {
        provider: {
          plain: {
            profile() {
              throw new Error('a profile without a name')
            },
          },
        },
      },
    },
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom(...remotes, 'mail'),
      fault: fc.constantFrom(
        undefined,
        'token:500',
        'token:400',
        'token:html',
        'userinfo:500',
        'sub-missing',
        'access-denied',
        'state-wrong',
        'iss-wrong',
      ),
      twice: fc.boolean(),
    }),
    async run(world, { provider, fault, twice }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const replies: Reply[] = []
      const secrets: string[] = []
      if (provider === 'mail') {
        const mail = await browser.askLink(ada.address.mail)
        secrets.push(mail.link.searchParams.get('token') ?? '')
        for (let n = twice ? 2 : 1; n > 0; n--) replies.push(await browser.followLink(mail))
      } else {
        const url = await startAt(world, browser, provider)
        if (fault) world.idps[provider].misbehave(fault)
        const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        for (const name of ['code', 'state']) secrets.push(arrival.parameters.get(name) ?? '')
        replies.push(await browser.arrive(arrival))
      }
      secrets.push(
        ...Object.entries(browser.cookies()).flatMap(([name, value]) =>
          /callback-?url/i.test(name) ? [] : [value],
        ),
      )
      if (world.features.has('store'))
        for (const { access_token, id_token } of world.rows.accounts)
          for (const token of [access_token, id_token]) if (typeof token === 'string') secrets.push(token)
      for (const { location, json } of replies) {
        const told = member(json, 'url')
        const led = `${location?.href ?? ''} ${typeof told === 'string' ? told : ''}`
        const found = secrets.find((secret) => secret.length > 8 && led.includes(secret))
        world.hold('RD-07', found === undefined, `a redirect after ${fault ?? 'no fault'} carries a secret`)
      }
      world.reach(fault ?? 'no fault')
    },
  }),

  property({
    proves: ['RD-08'],
    name: 'a redirect to a page of errors or sign-ins carries nothing of the request but what was judged',
    story: 'A link that shows an error of the application’s carries, beside it, a target of an attacker’s.',
    advice: 'Build the query of these redirects from known parameters, and encode each.',
    setups: {
      usual: {},
      'pages of its own': { config: { pages: { signIn: '/login', error: '/oops', signOut: '/bye' } } },
    },
    runs: 60,
    input: fc.record({
      path: fc.constantFrom(
        'signin',
        'error',
        'signout',
        'callback/alpha',
        'callback/mail',
        'callback/nobody',
      ),
      extra: fc.constantFrom(
        'canary',
        'provider',
        'code',
        'state',
        'token',
        'next',
        'redirect',
        'error_description',
      ),
      error: fc.constantFrom(
        undefined,
        'Verification',
        'x&canary=1&callbackUrl=https://evil.example/',
        'x#canary',
        'canary\nSet-Cookie: a=b',
        'x?canary',
      ),
      callbackUrl: fc.option(fc.oneof(nastyUrl.map(toWellFormed), webUrl), { nil: undefined }),
    }),
    async run(world, { path, extra, error, callbackUrl }) {
      const browser = world.browser('ada')
      const query = new URLSearchParams({ [extra]: 'canary-value' })
      if (error !== undefined) query.set('error', error)
      if (callbackUrl !== undefined) query.set('callbackUrl', callbackUrl)
      const { location } = await browser.send(`${world.basePath}/${path}?${query}`)
      if (!location) return world.reach('no redirect')
      world.hold(
        'RD-08',
        !location.href.includes('canary-value'),
        `${extra} of the request is in the redirect`,
      )
      const names = [...location.searchParams.keys()].filter((name) => name !== 'error')
      world.hold(
        'RD-08',
        !names.some((name) => name.includes('canary')),
        `an error brought parameters of its own: ${location.search}`,
      )
      world.hold(
        'RD-08',
        !location.hash.includes('canary'),
        `an error brought a fragment of its own: ${location.hash}`,
      )
      for (const nested of location.searchParams.getAll('callbackUrl')) {
        const url = URL.canParse(nested, world.origin) ? new URL(nested, world.origin) : undefined
        world.hold(
          'RD-08',
          url?.origin === world.origin,
          `the redirect hands on the target ${JSON.stringify(nested)}`,
        )
      }
      world.reach(path)
    },
  }),

  property({
    proves: ['RD-08'],
    name: 'the forms of a page hand on no target that leads out of the application',
    story: 'The sign-in page of the application has a form that leads to an attacker’s page afterwards.',
    advice: 'Judge a target before it is written into a page, and again when it comes back.',
    runs: 40,
    input: fc.record({ page: fc.constantFrom('signin', 'signout'), target: webUrl }),
    async run(world, { page, target }) {
      const browser = world.browser('ada')
      const { text } = await browser.send(
        `${world.basePath}/${page}?${new URLSearchParams({ callbackUrl: target })}`,
      )
      const [form] = readForms(text).filter(
        ({ method, fields }) => method === 'post' && 'csrfToken' in fields,
      )
      world.demand(form !== undefined, 'the page has no form')
      if (!form) return
      const action = new URL(form.action || `${world.origin}${world.basePath}/${page}`, world.origin)
      world.hold('RD-08', action.origin === world.origin, `a form posts to ${action.origin}`)
      const { location } = await browser.send(`${action.pathname}${action.search}`, { form: form.fields })
      const isProvider =
        location !== undefined &&
        Object.values(world.idps).some(({ issuer }) => location.href.startsWith(issuer))
      world.hold(
        'RD-08',
        !location || isProvider || location.origin === world.origin,
        `a form led to ${location?.origin}`,
      )
    },
  }),
]

/** Do two texts mean the same URL? */
function isSame(text: unknown, target: string, base: string): boolean {
  return (
    typeof text === 'string' &&
    URL.canParse(text, base) &&
    new URL(text, base).href === new URL(target, base).href
  )
}

/** Is it no target that a browser of this application would ever have been given? */
function isBad(poison: string, origin: string): boolean {
  let text = poison
  try {
    text = decodeURIComponent(poison)
  } catch {
    // Then it was never written by this application.
  }
  return !URL.canParse(text, origin) || new URL(text, origin).origin !== origin
}
