import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { World } from '../../world/world.ts'
import { member, type Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, subjectOf } from '../support/consent.ts'
import { checkRefused, isSignedIn, takeSnapshot } from '../support/snapshot.ts'

const canonical = 'https://app.example'
const declared: Setup = { env: { AUTH_URL: `${canonical}/auth` } }
const forwarded = ['host', 'x-forwarded-host', 'x-original-host', 'x-host', 'x-forwarded-server'] as const

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

const routes = ['alpha', 'mail', 'signout', 'pages'] as const

export const hostProperties: readonly Property[] = [
  property({
    proves: ['HH-06'],
    name: 'ignores client headers that claim a session, a user or a check',
    story: 'A client sends a header that a proxy or framework reserves for internal use.',
    advice: 'Accept only cookies and the body as proof.',
    runs: 50,
    input: fc.record({
      names: fc.subarray(Object.keys(internal), { minLength: 1, maxLength: 6 }),
      action: fc.constantFrom('session', 'signout', 'a sign-in'),
      isUser: fc.boolean(),
      isPost: fc.boolean(),
    }),
    async run(world, { names, action, isUser, isPost }) {
      const headers = Object.fromEntries(names.map((name) => [name, internal[name] ?? '']))
      const browser = world.browser('ada')
      if (isUser) await browser.signIn('alpha', world.people.ada)
      const before = await takeSnapshot(world, browser)
      const path = { session: 'session', signout: 'signout', 'a sign-in': `signin/${world.idOf('alpha')}` }[
        action
      ]
      const sending = action !== 'session' && isPost ? { headers, form: { csrfToken: 'x' } } : { headers }
      const reply = await browser.send(`${world.basePath}/${path}`, sending)
      if (action === 'session') {
        const address = member(reply.json, 'user', 'email')
        const right = isUser ? world.people.ada.address.alpha : undefined
        world.check('HH-06', address === right, `${names.join(', ')} opened a session of ${String(address)}`)
      }
      const isAway = reply.location !== undefined && reply.location.origin !== world.origin
      world.check('HH-06', !isAway, `${names.join(', ')} replaced a CSRF token`)
      const method = 'form' in sending ? 'POST' : 'GET'
      await checkRefused(world, 'HH-06', browser, before, `${method} for ${action} with ${names.join(', ')}`)
      world.reach(action)
    },
  }),

  property({
    proves: ['HH-01', 'HH-02'],
    name: 'uses the declared origin everywhere, whatever host the request names',
    story:
      'An attacker requests a mail with their own Host header, and its link delivers the token to the attacker.',
    advice: 'Build redirect_uri, links, cookies and redirect targets from the configured URL.',
    setups: { declared, 'and jwt': { ...declared, strategy: 'jwt', providers: ['alpha', 'form'] } },
    runs: 50,
    parts: routes.map((way) => ({ way })),
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
      way: fc.constantFrom(...routes),
    }),
    async run(world, { to, headers: hosts, proto, way }) {
      const { ada } = world.people
      const headers = { ...hosts, ...(proto && { 'x-forwarded-proto': proto }) }
      const browser = world.browser('ada')
      // Cookies of a browser on the real site reach the application under another host.
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
        checkCanonical(world, reply, path)
        return reply
      }
      const csrfToken = String(member((await send('csrf')).json, 'csrfToken'))
      if (way === 'mail' && world.idOf('mail')) {
        await send(`signin/${world.idOf('mail')}`, { csrfToken, email: ada.address.mail })
        const mail = await world.mailbox.waitFor(ada.address.mail, 0)
        world.assume(mail !== undefined, 'no mail was sent')
        world.check('HH-02', mail?.link.origin === canonical, `a mail links to ${mail?.link.origin}`)
      } else if (way === 'alpha') {
        const { location } = await send(`signin/${world.idOf('alpha')}`, { csrfToken })
        const redirectUri = location?.searchParams.get('redirect_uri') ?? ''
        world.check(
          'HH-02',
          redirectUri.startsWith(`${canonical}/`),
          `redirect_uri is ${redirectUri || location?.href}`,
        )
        if (!location) return
        const { parameters } = await consentTo(world, 'alpha', location, subjectOf(ada, 'alpha'))
        world.prove(browser, ada, 'alpha')
        await send(`callback/${world.idOf('alpha')}?${parameters}`)
        world.assume(await isSignedIn(browser), 'a sign-in under another host fails')
      } else if (way === 'signout') {
        await send('signout', { csrfToken, callbackUrl: `${to}/there` })
      } else {
        for (const page of ['signin', 'providers', 'error', 'signout']) await send(page)
        const { text } = await world.send(new Request(`${to}${world.basePath}/nowhere`, { headers }))
        world.check(
          'HH-01',
          to === canonical || !text.includes(to),
          'an unknown path shows the request’s host',
        )
      }
      world.reach(way)
    },
  }),

  property({
    proves: ['HH-01'],
    name: 'ignores the request’s host unless the application trusts it',
    story: 'A client names its own host, and receives a link or redirect that leads there.',
    advice: 'Without a declared URL, use the request’s host only if the developer trusts it.',
    setups: {
      untrusted: { config: { trustHost: false } },
      'with custom pages': { config: { trustHost: false, pages: { error: '/oops', signIn: '/in' } } },
    },
    runs: 50,
    input: fc.record({
      to: fc.constantFrom('https://evil.example', canonical),
      names: fc.subarray([...forwarded], { minLength: 1 }),
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
    async run(world, { to, names, path }) {
      const headers = Object.fromEntries(names.map((name) => [name, 'evil.example']))
      const {
        text,
        location,
        headers: said,
      } = await world.send(new Request(`${to}${world.basePath}/${path}`, { headers }))
      const target = said.get('location') ?? ''
      const isNamed = [target, text].some((part) => part.includes('evil.example') || part.includes(to))
      world.check('HH-01', !isNamed, `${path} uses the host of the request: ${target || 'in its page'}`)
      const isKept = location !== undefined && !said.get('cache-control')?.includes('no-store')
      world.check('HH-01', !isKept, `the redirect of ${path} may be cached`)
      world.reach(to === canonical ? 'by a header' : 'by the URL')
    },
  }),
]

/** Checks that a response names only the canonical origin, and that its cookies are Secure. */
function checkCanonical(world: World, { headers, cookies, text, location }: Reply, path: string): void {
  const shown = `${headers.get('location') ?? ''} ${text}`
  const isOther = shown.includes('evil.example') || shown.includes('localhost:3000')
  world.check('HH-02', !isOther, `${path} uses the request’s host: ${location?.href ?? 'in its page'}`)
  const bare = cookies.find(({ secure, value }) => value !== '' && !secure)
  world.check('HH-02', bare === undefined, `${path} sets ${bare?.key} without Secure`)
  const foreign = cookies.find(({ domain }) => domain !== null && domain !== 'app.example')
  world.check('HH-02', foreign === undefined, `${path} sets ${foreign?.key} for ${foreign?.domain}`)
}
