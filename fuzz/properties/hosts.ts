import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { World } from '../world/world.ts'
import { member, type Reply } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { consentTo, subjectOf } from './support/consent.ts'
import { refuses } from './support/sessions.ts'
import { holdRefused, isSignedIn, takeStock } from './support/stock.ts'

const canonical = 'https://app.example'
const declared: Setup = { env: { AUTH_URL: `${canonical}/auth` } }
const forwarded = ['host', 'x-forwarded-host', 'x-original-host', 'x-host', 'x-forwarded-server'] as const

/** Paths that are no route, each from one that is. */
const spoiltPaths: Readonly<Record<string, (base: string, action: string) => string>> = {
  'with a doubled slash': (base, action) => `${base}//${action}`,
  'after a doubled slash': (base, action) => `/${base}/${action}`,
  'with two slashes at its end': (base, action) => `${base}/${action}//`,
  'with its slash encoded': (base, action) => `${base}%2f${action}`,
  'without its slash': (base, action) => `${base}${action}`,
  'in capitals': (base, action) => `${base}/${action.toUpperCase()}`,
  'with its base in capitals': (base, action) => `${base.toUpperCase()}/${action}`,
  'with a capital': (base, action) => `${base}/${action.charAt(0).toUpperCase()}${action.slice(1)}`,
  'with a letter encoded': (base, action) =>
    `${base}/%${action.charCodeAt(0).toString(16)}${action.slice(1)}`,
  'with one more segment': (base, action) => `${base}/${action}/x/y`,
  'with its base twice': (base, action) => `${base}${base}/${action}`,
  'below another path': (base, action) => `/x${base}/${action}`,
  'with a semicolon': (base, action) => `${base}/${action};x=1`,
  'with a space': (base, action) => `${base}/${action}%20`,
  'with a NUL': (base, action) => `${base}/${action}%00`,
  'with a backslash encoded': (base, action) => `${base}%5c${action}`,
  'with a suffix': (base, action) => `${base}/${action}x`,
}

const strangeIds = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'valueOf',
  '%5F%5Fproto%5F%5F',
  'Alpha',
  'ALPHA',
  'alpha%20',
  '%61lpha',
  'alpha%00',
  '0',
  'length',
  'null',
  'nobody',
]

const internal: Readonly<Record<string, string>> = {
  'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
  'x-middleware-prefetch': '1',
  'x-session': '{"user":{"name":"eve","email":"eve@alpha.example"}}',
  'x-auth-session': '{"user":{"name":"eve","email":"eve@alpha.example"}}',
  'x-authjs-session': '{"user":{"email":"eve@alpha.example"}}',
  x_session_user: 'eve@alpha.example',
  'x-user': 'eve@alpha.example',
  'x-user-id': '1',
  x_forwarded_user: 'eve@alpha.example',
  'x-forwarded-user': 'eve@alpha.example',
  'x-forwarded-email': 'eve@alpha.example',
  'remote-user': 'eve',
  'x-authenticated-user': 'eve',
  'x-csrf-token': 'x',
  'x-skip-csrf-check': '1',
  authorization: 'Bearer eve',
  'x-original-url': '/auth/session',
  'x-rewrite-url': '/auth/session',
  'x-http-method-override': 'POST',
  'x-forwarded-for': '127.0.0.1',
}

export const hostProperties: readonly Property[] = [
  property({
    proves: ['HH-03'],
    name: 'a path that is not exactly a route is none',
    story: 'What guards a path is passed by another writing of it, which the application takes for the same.',
    advice: 'Match routes to the letter, with at most one slash at the end.',
    runs: 80,
    input: fc.record({
      action: fc.constantFrom('session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request'),
      spoilt: fc.constantFrom(...Object.keys(spoiltPaths)),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { action, spoilt, method }) {
      const browser = world.browser('ada')
      for (const good of [action, `${action}/`]) {
        const { status } = await browser.send(`${world.basePath}/${good}`)
        // What an error page says of itself is another matter.
        const isFine = action === 'error' ? status !== 404 : status < 400
        world.demand(isFine, `${good} is answered with ${status}`)
      }
      const path = spoiltPaths[spoilt]?.(world.basePath, action) ?? ''
      const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
      const { status } = await browser.send(`${world.origin}${path}`, { method, ...form })
      world.hold('HH-03', status === 404 || status === 400, `${method} ${path} is answered with ${status}`)
      world.reach(spoilt)
    },
  }),

  property({
    proves: ['HH-04'],
    name: 'methods that a route does not have are refused by name, and HEAD changes nothing',
    story: 'A scanner or a preview that sends HEAD uses a link up, or ends a session.',
    advice: 'Answer 405 with Allow, and let HEAD do nothing but what GET of a page does.',
    runs: 50,
    input: fc.record({
      method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'HEAD'),
      path: fc.constantFrom(
        'session',
        'csrf',
        'signin',
        'signout',
        'callback/alpha',
        'the link of a mail',
        'an answer',
      ),
    }),
    async run(world, { method, path }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const paths: Readonly<Record<string, () => Promise<string>>> = {
        async 'the link of a mail'() {
          const { link } = await browser.askLink(ada.address.mail)
          return `${link.pathname}${link.search}`
        },
        async 'an answer'() {
          const arrival = await browser.visit('alpha', ada)
          return `${world.basePath}/callback/${world.idOf('alpha')}?${arrival.parameters}`
        },
      }
      const target = (await paths[path]?.()) ?? `${world.basePath}/${path}`
      const before = await takeStock(world, browser)
      const { status, headers } = await browser.send(target, { method })
      if (method !== 'HEAD') {
        world.hold('HH-04', status === 405, `${method} ${path} is answered with ${status}`)
        world.hold(
          'HH-04',
          /\bGET\b/.test(headers.get('allow') ?? ''),
          `${method} ${path} is answered without Allow`,
        )
      }
      await holdRefused(world, 'HH-04', browser, before, `${method} ${path}`)
      if (target.includes('token=')) {
        await browser.send(target, { says: 'follows the link of the mail' })
        world.hold('HH-04', (await browser.whoAmI()) === 'ada', `${method} used the link up`)
      }
      world.reach(method)
    },
  }),

  property({
    proves: ['HH-05'],
    name: 'a provider that is not configured is not found, whatever it is called',
    story: 'A name that every object has is taken for a provider, and breaks or opens what comes after.',
    advice: 'Look providers up in a list or a Map, by the text as it came.',
    runs: 60,
    input: fc.record({
      id: fc.constantFrom(...strangeIds),
      route: fc.constantFrom('signin', 'callback'),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { id, route, method }) {
      const browser = world.browser('ada')
      const before = await takeStock(world, browser)
      const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
      const answer = async (name: string) => {
        const reply = await browser.send(`${world.basePath}/${route}/${name}`, { method, ...form })
        return { reply, told: `${reply.status} ${reply.location?.href ?? ''}` }
      }
      const { reply, told } = await answer(id)
      // Not found, in whatever way an unknown name is not found.
      const isNotFound = reply.status === 404 || (refuses(reply) && told === (await answer('nobody')).told)
      world.hold('HH-05', isNotFound, `${method} ${route}/${id} is answered with ${told}`)
      await holdRefused(world, 'HH-05', browser, before, `${method} ${route}/${id}`)
      world.reach(`like ${id}`)
    },
  }),

  property({
    proves: ['HH-05'],
    name: 'a base path is taken to the letter',
    story: 'A dot in a base path stands for any letter, and other paths reach the application.',
    advice: 'Compare texts, or escape the base path.',
    setups: { dotted: { config: { basePath: '/a.b+c' } } },
    runs: 10,
    input: fc.constantFrom('/axb+c', '/a.bbc', '/a.b', '/abbc', '/a.bc', '/a%2eb+c'),
    async run(world, other) {
      const browser = world.browser('ada')
      const { status } = await browser.send('/a.b+c/session')
      world.hold('HH-05', status === 200, `the right base path is answered with ${status}`)
      const wrong = await browser.send(`${other}/session`)
      world.hold(
        'HH-05',
        wrong.status === 404 || wrong.status === 400,
        `${other} is answered with ${wrong.status}`,
      )
    },
  }),

  property({
    proves: ['HH-06'],
    name: 'no header that a client adds stands for a session, a user or a check',
    story: 'A header that a proxy or a framework uses between its own parts is sent by anybody.',
    advice: 'Take nothing but the cookies and the body for a proof.',
    runs: 50,
    input: fc.record({
      names: fc.subarray(Object.keys(internal), { minLength: 1, maxLength: 6 }),
      action: fc.constantFrom('session', 'signout', 'a sign-in'),
      isUser: fc.boolean(),
    }),
    async run(world, { names, action, isUser }) {
      const headers = Object.fromEntries(names.map((name) => [name, internal[name] ?? '']))
      const browser = world.browser('ada')
      if (isUser) await browser.signIn('alpha', world.people.ada)
      const before = await takeStock(world, browser)
      const path = { session: 'session', signout: 'signout', 'a sign-in': `signin/${world.idOf('alpha')}` }[
        action
      ]
      const sending = action === 'session' ? { headers } : { headers, form: { csrfToken: 'x' } }
      const reply = await browser.send(`${world.basePath}/${path}`, sending)
      if (action === 'session') {
        const address = member(reply.json, 'user', 'email')
        const right = isUser ? world.people.ada.address.alpha : undefined
        world.hold('HH-06', address === right, `${names.join(', ')} made a session of ${String(address)}`)
      }
      const isAway = reply.location !== undefined && reply.location.origin !== world.origin
      world.hold('HH-06', !isAway, `${names.join(', ')} stood for a CSRF token`)
      await holdRefused(world, 'HH-06', browser, before, `${action} with ${names.join(', ')}`)
      world.reach(action)
    },
  }),

  property({
    proves: ['HH-01', 'HH-02'],
    name: 'everything that leaves the application names the declared origin, whatever a request is addressed to',
    story: 'An attacker asks for a mail with a Host of her own, and the link in it brings her the token.',
    advice: 'Make redirect_uri, links, cookies and targets from the configured URL.',
    setups: { declared, 'and jwt': { ...declared, strategy: 'jwt', providers: ['alpha', 'form'] } },
    runs: 50,
    input: fc.record({
      to: fc.constantFrom(
        'https://evil.example',
        'http://localhost:3000',
        'http://app.example',
        'https://app.example',
      ),
      headers: fc.dictionary(
        fc.constantFrom(...forwarded),
        fc.constantFrom('evil.example', 'evil.example:443', 'app.example.evil.example'),
        { maxKeys: 3 },
      ),
      proto: fc.constantFrom(undefined, 'http', 'https', 'javascript'),
      way: fc.constantFrom('alpha', 'mail', 'signout', 'pages'),
    }),
    async run(world, { to, headers: hosts, proto, way }) {
      const { ada } = world.people
      const headers = { ...hosts, ...(proto && { 'x-forwarded-proto': proto }) }
      const browser = world.browser('ada')
      // What a browser of the real site holds reaches the application under another address.
      const send = async (path: string, form?: Readonly<Record<string, string>>) => {
        const cookie = Object.entries(browser.cookies())
          .map((pair) => pair.join('='))
          .join('; ')
        const body = form ? new URLSearchParams(form) : null
        const reply = await world.send(
          new Request(`${to}${world.basePath}/${path}`, {
            method: form ? 'POST' : 'GET',
            headers: { cookie, ...headers },
            body,
            redirect: 'manual',
          }),
        )
        for (const line of reply.headers.getSetCookie()) browser.setCookie(line)
        holdCanonical(world, reply, path)
        return reply
      }
      const csrfToken = String(member((await send('csrf')).json, 'csrfToken'))
      if (way === 'mail' && world.idOf('mail')) {
        await send(`signin/${world.idOf('mail')}`, { csrfToken, email: ada.address.mail })
        const mail = await world.mailbox.waitFor(ada.address.mail, 0)
        world.demand(mail !== undefined, 'no mail came')
        world.hold('HH-02', mail?.link.origin === canonical, `a mail leads to ${mail?.link.origin}`)
      } else if (way === 'alpha') {
        const { location } = await send(`signin/${world.idOf('alpha')}`, { csrfToken })
        const redirectUri = location?.searchParams.get('redirect_uri') ?? ''
        world.hold(
          'HH-02',
          redirectUri.startsWith(`${canonical}/`),
          `redirect_uri is ${redirectUri || location?.href}`,
        )
        if (!location) return
        const { parameters } = await consentTo(world, 'alpha', location, subjectOf(ada, 'alpha'))
        world.prove(browser, ada, 'alpha')
        await send(`callback/${world.idOf('alpha')}?${parameters}`)
        world.demand(await isSignedIn(browser), 'a sign-in behind another address fails')
      } else if (way === 'signout') {
        await send('signout', { csrfToken, callbackUrl: `${to}/there` })
      } else {
        for (const page of ['signin', 'providers', 'error', 'signout']) await send(page)
      }
      world.reach(way)
    },
  }),

  property({
    proves: ['HH-01'],
    name: 'no host that a request names is used where nobody trusts it',
    story: 'A client names a host of her own, and is sent a link, or a redirect, that leads there.',
    advice: 'Without a declared URL, use the host of a request only when the developer trusts it.',
    setups: { untrusted: { config: { trustHost: false } } },
    runs: 30,
    input: fc.record({
      to: fc.constantFrom('https://evil.example', canonical),
      header: fc.constantFrom(...forwarded),
      path: fc.constantFrom(
        'providers',
        'csrf',
        'session',
        'signin',
        'signout',
        'error',
        'nowhere',
        'callback/alpha?code=x',
      ),
    }),
    async run(world, { to, header, path }) {
      const headers = { [header]: 'evil.example' }
      const { text, location } = await world.send(new Request(`${to}${world.basePath}/${path}`, { headers }))
      const isUsed = `${location?.href ?? ''} ${text}`.includes('evil.example') && location?.origin !== to
      world.hold(
        'HH-01',
        !isUsed && !text.includes('evil.example'),
        `${path} names the host that the request named`,
      )
      world.reach(to === canonical ? header : 'the address itself')
    },
  }),
]

/** Holds that a reply names no origin but the canonical one, and that its cookies are those of https. */
function holdCanonical(world: World, { headers, cookies, text, location }: Reply, path: string): void {
  const shown = `${headers.get('location') ?? ''} ${text}`
  const isOther = shown.includes('evil.example') || shown.includes('localhost:3000')
  world.hold(
    'HH-02',
    !isOther,
    `${path} names the address of the request: ${location?.href ?? 'in its page'}`,
  )
  const bare = cookies.find(({ secure, value }) => value !== '' && !secure)
  world.hold('HH-02', bare === undefined, `${path} sets ${bare?.key} without Secure`)
  const foreign = cookies.find(({ domain }) => domain !== null && domain !== 'app.example')
  world.hold('HH-02', foreign === undefined, `${path} sets ${foreign?.key} for ${foreign?.domain}`)
}
