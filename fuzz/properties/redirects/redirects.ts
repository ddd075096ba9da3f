import fc from 'fast-check'
import { webUrl } from '../../arbitraries/web-url.ts'
import { nastyUrl } from '../../arbitraries/nasty-urls.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  redirectingActions,
  runAction,
  sources,
  targetsOf,
  toWellFormed,
  type RedirectRequest,
} from '../support/redirecting-requests.ts'

const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'form'] } } as const
const all = { database: {}, ...withPasswords }

const requestTo = (target: fc.Arbitrary<string>): fc.Arbitrary<RedirectRequest> =>
  fc.record({
    action: fc.constantFrom(...redirectingActions),
    source: fc.constantFrom(...sources),
    target,
    byScript: fc.boolean(),
  })

/** Moves a target written for `app.test` to a host. */
function aim(text: string, host: string): string {
  const [, suffix = host] = /^[^.]*\.(.*)$/.exec(host) ?? []
  return text
    .replaceAll('app.test', host)
    .replaceAll('app\uff0etest', host.replace('.', '\uff0e'))
    .replaceAll('app%2etest', host.replace('.', '%2e'))
    .replaceAll('app.te\tst', `${host.slice(0, -2)}\t${host.slice(-2)}`)
    .replaceAll('APP.test', host.toUpperCase())
    .replaceAll('evilapp.test', `evil${host}`)
    .replaceAll('.test', `.${suffix}`)
}

/** Targets that resemble the application's own origin, each with one difference. */
const lookalikes: Readonly<Record<string, (origin: URL) => string>> = {
  'another port': ({ hostname }) => `https://${hostname}:444/`,
  'the port of http': ({ hostname }) => `https://${hostname}:80/`,
  'another scheme': ({ host }) => `http://${host}/`,
  'another scheme with its port': ({ hostname }) => `http://${hostname}:443/`,
  'a longer host': ({ host }) => `https://${host}.evil.example/`,
  'a longer host after a port': ({ hostname }) => `https://${hostname}:443.evil.example/`,
  'a host with a prefix': ({ host }) => `https://evil${host}/`,
  'a subdomain': ({ host }) => `https://sub.${host}/`,
  'the parent domain': ({ host }) => `https://${host.split('.').slice(1).join('.')}/`,
  'a trailing dot': ({ host }) => `https://${host}./`,
  'its host as user name': ({ host }) => `https://${host}@evil.example/`,
  'its host and port as user information': ({ host }) => `https://${host}:443@evil.example/`,
  'itself in the query': ({ origin }) => `https://evil.example/?${origin}`,
  'itself in the fragment': ({ origin }) => `https://evil.example/#${origin}`,
  'itself in the path': ({ origin }) => `https://evil.example/${origin}/`,
  'a websocket': ({ host }) => `wss://${host}/`,
  'a backslash before another host': ({ host }) => `https://evil.example\\@${host}/`,
  'its origin with a suffix': ({ origin }) => `${origin}evil.example/`,
  'its origin with a hyphen and a suffix': ({ origin }) => `${origin}-evil.example/`,
  'a tab inside': ({ host }) => `https://${host}\t.evil.example/`,
}

const schemes = fc
  .tuple(
    fc.constantFrom(
      'javascript',
      'JavaScript',
      'data',
      'vbscript',
      'blob',
      'file',
      'about',
      'myapp',
      'intent',
      'java\nscript',
      '\u0001javascript',
      ' javascript',
      'ftp',
      'ws',
      'view-source',
      'mailto',
    ),
    fc.constantFrom(':', ':/', '://', ':\u0000//', '&colon;'),
    fc.constantFrom(
      'alert(1)',
      'text/html,<script>alert(1)</script>',
      'app.test/',
      'https://app.test/x',
      '%0aalert(1)',
    ),
  )
  .map((parts) => parts.join(''))

/** Checks that no redirect leaves the application. */
async function checkInside(
  world: World,
  id: 'RD-01' | 'RD-02' | 'RD-09' | 'RD-10',
  request: RedirectRequest,
): Promise<void> {
  const browser = world.browser('ada')
  if (request.action === 'signout') await browser.signIn('alpha', world.people.ada)
  for (const reply of await runAction(world, browser, request)) {
    for (const url of targetsOf(reply, world.origin)) {
      if (url && isProvider(world, url)) continue
      const raw = reply.headers.get('location') ?? url?.href
      const shown = `${JSON.stringify(request.target)} by ${request.source} at ${request.action} redirected to ${JSON.stringify(raw)}`
      world.check(id, url !== undefined && url.origin === world.origin, shown)
    }
  }
  world.reach(request.action)
}

/** Returns whether a URL is the start of a sign-in. */
function isProvider(world: World, url: URL): boolean {
  return Object.values(world.idps).some(({ issuer }) => url.href.startsWith(`${issuer}/authorize?`))
}

export const redirectProperties: readonly Property[] = [
  property({
    proves: ['RD-02'],
    name: 'never redirects to a target outside the application',
    story: 'A link to the real sign-in page ends, after a genuine sign-in, on an attacker’s page.',
    advice:
      'Validate a target with a WHATWG URL parser, and redirect to the parsed URL, not to the raw string.',
    setups: all,
    runs: 400,
    input: requestTo(nastyUrl),
    run: (world, request) =>
      checkInside(world, 'RD-02', { ...request, target: aim(request.target, new URL(world.origin).host) }),
  }),

  property({
    proves: ['RD-01'],
    name: 'ends no sign-in or sign-out on another origin',
    story: 'A link to the real sign-in page ends, after a genuine sign-in, on an attacker’s page.',
    advice: 'Compare the target’s origin with the application’s own.',
    setups: all,
    runs: 60,
    input: requestTo(
      fc.oneof(
        webUrl,
        webUrl.map((url) => url.replace(/^\w+:/, '')),
      ),
    ),
    run: (world, request) => checkInside(world, 'RD-01', request),
  }),

  property({
    proves: ['RD-10'],
    name: 'treats an origin that only resembles the application’s as another one',
    story:
      'An attacker registers a host with the application’s host as prefix or suffix, or controls another of its ports.',
    advice: 'Compare whole origins, never prefixes or suffixes.',
    setups: all,
    runs: 120,
    input: fc.record({
      request: requestTo(fc.constant('')),
      like: fc.constantFrom(...Object.keys(lookalikes)),
    }),
    run: (world, { request, like }) =>
      checkInside(world, 'RD-10', { ...request, target: lookalikes[like]?.(new URL(world.origin)) ?? '' }),
  }),

  property({
    proves: ['RD-02'],
    name: 'preserves a redirect target within the application exactly',
    story:
      'A user follows a link, signs in, and ends up on another page, or two parsers read the target differently.',
    advice: 'Validate, store and send the same URL. Encode it once for the cookie, and decode it once.',
    setups: all,
    runs: 60,
    input: fc.record({
      action: fc.constantFrom('alpha', 'form', 'signout'),
      source: fc.constantFrom('body', 'body of JSON'),
      target: fc
        .tuple(
          fc.constantFrom('', 'https://app.example', 'https://APP.example', 'https://app.example:443'),
          fc.constantFrom(
            '/',
            '/here',
            '/a/b',
            '/a%2Fb',
            '/a%252Fb',
            '/a%3Bb',
            '/a%2Cb',
            '/100%25',
            '/a;b,c',
            '/~a',
          ),
          fc.constantFrom('', '?b=c', '?b=%26&c=%2525', '?b=/%5Cevil.example', '?b=1;Path=/'),
          fc.constantFrom('', '#e', '#%23'),
        )
        .map((parts) => parts.join('')),
    }),
    async run(world, { action, source, target }) {
      if (world.idOf('form') === undefined && action === 'form') return
      const browser = world.browser('ada')
      if (action === 'signout') await browser.signIn('alpha', world.people.ada)
      const isAtHome = world.origin === 'https://app.example'
      const own = isAtHome ? target : target.replace(/^https:\/\/app\.example(?::443)?/i, world.origin)
      const { href } = new URL(own, world.origin)
      const last = (await runAction(world, browser, { action, source, target: own })).at(-1)
      const to = last?.location?.href
      world.check(
        'RD-02',
        to === href,
        `${own} by ${source} at ${action} redirected to ${to ?? last?.status}`,
      )
      world.reach(action)
    },
  }),

  property({
    proves: ['RD-09'],
    name: 'ends no sign-out outside the application',
    story: 'A sign-out link, or the page that redirected to it, sends the browser to an attacker’s page.',
    advice: 'Validate the target of a sign-out like any other, with and without a session.',
    needs: ['clock'],
    setups: all,
    runs: 60,
    input: fc.record({
      request: requestTo(fc.oneof(nastyUrl, webUrl)),
      session: fc.constantFrom('none', 'live', 'expired', 'broken'),
    }),
    async run(world, { request, session }) {
      const target = aim(request.target, new URL(world.origin).host)
      const browser = world.browser('ada')
      if (session !== 'none') await browser.signIn('alpha', world.people.ada)
      if (session === 'expired') world.advance(31 * 24 * 3600)
      const held = Object.keys(browser.cookies()).find((name) => name.includes('session-token'))
      if (session === 'broken') browser.setCookie(`${held}=broken; Path=/; Secure; HttpOnly`)
      for (const reply of await runAction(world, browser, { ...request, target, action: 'signout' }))
        for (const url of targetsOf(reply, world.origin))
          world.check(
            'RD-09',
            url !== undefined && url.origin === world.origin,
            `a sign-out redirected to ${url?.href}`,
          )
      world.reach(session)
    },
  }),

  property({
    proves: ['RD-03'],
    name: 'redirects only to http and https URLs',
    story:
      'A javascript: or data: target runs in the page that follows it, or a native app’s scheme receives a code.',
    advice: 'Refuse every other scheme as the last step, after the redirect callback too.',
    setups: {
      usual: {},
      'a redirect callback that allows every target': {
        config: { callbacks: { redirect: ({ url }: { url: string }) => url } },
      },
    },
    runs: 60,
    input: requestTo(schemes),
    async run(world, request) {
      const target = toWellFormed(aim(request.target, new URL(world.origin).host))
      const browser = world.browser('ada')
      if (request.action === 'signout') await browser.signIn('alpha', world.people.ada)
      for (const reply of await runAction(world, browser, { ...request, target })) {
        for (const url of targetsOf(reply, world.origin)) {
          const scheme = url?.protocol ?? 'none'
          const shown = `${JSON.stringify(target)} by ${request.source} at ${request.action} redirected to a target with the scheme ${scheme}`
          world.check('RD-03', scheme === 'https:' || scheme === 'http:', shown)
        }
      }
      world.reach(request.action)
    },
  }),
]
