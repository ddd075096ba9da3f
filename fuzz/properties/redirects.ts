import fc from 'fast-check'
import { webUrl } from '../arbitraries/web-url.ts'
import { nastyUrl } from '../arbitraries/nasty-urls.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { errands, runErrand, sources, targetsOf, toWellFormed, type Wish } from './support/errands.ts'

const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'form'] } } as const
const all = { database: {}, ...withPasswords }

const wish = (target: fc.Arbitrary<string>): fc.Arbitrary<Wish> =>
  fc.record({
    errand: fc.constantFrom(...errands),
    source: fc.constantFrom(...sources),
    target,
    byScript: fc.boolean(),
  })

/** Aims a text that was written against `app.test` at a host. */
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

/** Targets that resemble the application's own origin, each by one thing. */
const lookalikes: Readonly<Record<string, (origin: URL) => string>> = {
  'another port': ({ hostname }) => `https://${hostname}:444/`,
  'the port of http': ({ hostname }) => `https://${hostname}:80/`,
  'another scheme': ({ host }) => `http://${host}/`,
  'another scheme with its port': ({ hostname }) => `http://${hostname}:443/`,
  'a longer host': ({ host }) => `https://${host}.evil.example/`,
  'a longer host after a port': ({ hostname }) => `https://${hostname}:443.evil.example/`,
  'a host before': ({ host }) => `https://evil${host}/`,
  'a host below': ({ host }) => `https://sub.${host}/`,
  'a host above': ({ host }) => `https://${host.split('.').slice(1).join('.')}/`,
  'a dot at its end': ({ host }) => `https://${host}./`,
  'a name before it': ({ host }) => `https://${host}@evil.example/`,
  'a name and a password before it': ({ host }) => `https://${host}:443@evil.example/`,
  'itself in the query': ({ origin }) => `https://evil.example/?${origin}`,
  'itself in the fragment': ({ origin }) => `https://evil.example/#${origin}`,
  'itself in the path': ({ origin }) => `https://evil.example/${origin}/`,
  'a websocket': ({ host }) => `wss://${host}/`,
  'a backslash before another host': ({ host }) => `https://evil.example\\@${host}/`,
  'an origin and more': ({ origin }) => `${origin}evil.example/`,
  'an origin and a hyphen': ({ origin }) => `${origin}-evil.example/`,
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

/** Holds that nothing leads out of the application. */
async function holdInside(
  world: World,
  id: 'RD-01' | 'RD-02' | 'RD-09' | 'RD-10',
  asked: Wish,
): Promise<void> {
  const browser = world.browser('ada')
  if (asked.errand === 'signout') await browser.signIn('alpha', world.people.ada)
  for (const reply of await runErrand(world, browser, asked)) {
    for (const url of targetsOf(reply, world.origin)) {
      if (url && isProvider(world, url)) continue
      const raw = reply.headers.get('location') ?? url?.href
      const shown = `${JSON.stringify(asked.target)} by ${asked.source} at ${asked.errand} led to ${JSON.stringify(raw)}`
      world.hold(id, url !== undefined && url.origin === world.origin, shown)
    }
  }
  world.reach(asked.errand)
}

/** Is it where a sign-in goes? */
function isProvider(world: World, url: URL): boolean {
  return Object.values(world.idps).some(({ issuer }) => url.href.startsWith(`${issuer}/authorize?`))
}

export const redirectProperties: readonly Property[] = [
  property({
    proves: ['RD-01', 'RD-02'],
    name: 'no target that a browser asks for leads it out of the application',
    story: 'A link to the real sign-in page ends, after an honest sign-in, on a page of an attacker’s.',
    advice: 'Judge a target by the parser of browsers, and send on what was parsed, not what was written.',
    setups: all,
    runs: 100,
    input: wish(nastyUrl),
    run: (world, asked) =>
      holdInside(world, 'RD-02', { ...asked, target: aim(asked.target, new URL(world.origin).host) }),
  }),

  property({
    proves: ['RD-01'],
    name: 'another origin is never where a sign-in or a sign-out ends',
    story: 'A link to the real sign-in page ends, after an honest sign-in, on a page of an attacker’s.',
    advice: 'Compare the origin of the target with the application’s own.',
    setups: all,
    runs: 60,
    input: wish(
      fc.oneof(
        webUrl,
        webUrl.map((url) => url.replace(/^\w+:/, '')),
      ),
    ),
    run: (world, asked) => holdInside(world, 'RD-01', asked),
  }),

  property({
    proves: ['RD-10'],
    name: 'what merely resembles the application’s origin is another one',
    story: 'An attacker registers a host that begins, or ends, like the application’s, or owns a port of it.',
    advice: 'Compare whole origins, never prefixes or suffixes of a text.',
    setups: all,
    runs: 60,
    input: fc.record({ asked: wish(fc.constant('')), like: fc.constantFrom(...Object.keys(lookalikes)) }),
    run: (world, { asked, like }) =>
      holdInside(world, 'RD-10', { ...asked, target: lookalikes[like]?.(new URL(world.origin)) ?? '' }),
  }),

  property({
    proves: ['RD-02', 'CK-10'],
    name: 'a target within the application is followed to the letter',
    story:
      'Whoever follows a link signs in, and ends somewhere else; or a target changes between two readings.',
    advice: 'Judge, keep and send on one and the same URL; encode it for a cookie, and decode it once.',
    setups: all,
    runs: 60,
    input: fc.record({
      errand: fc.constantFrom('alpha', 'form', 'signout'),
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
    async run(world, { errand, source, target }) {
      if (world.idOf('form') === undefined && errand === 'form') return
      const browser = world.browser('ada')
      if (errand === 'signout') await browser.signIn('alpha', world.people.ada)
      const isAtHome = world.origin === 'https://app.example'
      const own = isAtHome ? target : target.replace(/^https:\/\/app\.example(?::443)?/i, world.origin)
      const { href } = new URL(own, world.origin)
      const last = (await runErrand(world, browser, { errand, source, target: own })).at(-1)
      const to = last?.location?.href
      world.hold('RD-02', to === href, `${own} by ${source} at ${errand} led to ${to ?? last?.status}`)
      world.reach(errand)
    },
  }),

  property({
    proves: ['RD-09'],
    name: 'a sign-out leads out of the application no more than a sign-in',
    story: 'A sign-out link, or the page that led to it, has the browser end on a page of an attacker’s.',
    advice: 'Judge the target of a sign-out like any other, with and without a session.',
    needs: ['clock'],
    setups: all,
    runs: 60,
    input: fc.record({
      asked: wish(fc.oneof(nastyUrl, webUrl)),
      session: fc.constantFrom('none', 'live', 'expired', 'broken'),
    }),
    async run(world, { asked, session }) {
      const target = aim(asked.target, new URL(world.origin).host)
      const browser = world.browser('ada')
      if (session !== 'none') await browser.signIn('alpha', world.people.ada)
      if (session === 'expired') world.pass(31 * 24 * 3600)
      const held = Object.keys(browser.cookies()).find((name) => name.includes('session-token'))
      if (session === 'broken') browser.setCookie(`${held}=broken; Path=/; Secure; HttpOnly`)
      for (const reply of await runErrand(world, browser, { ...asked, target, errand: 'signout' }))
        for (const url of targetsOf(reply, world.origin))
          world.hold(
            'RD-09',
            url !== undefined && url.origin === world.origin,
            `a sign-out led to ${url?.href}`,
          )
      world.reach(session)
    },
  }),

  property({
    proves: ['RD-03'],
    name: 'no redirect has another scheme than http or https',
    story:
      'A javascript: or data: target runs in the page that follows it, or an app’s own scheme is given a code.',
    advice: 'Refuse every other scheme last of all, after the redirect callback too.',
    setups: {
      usual: {},
      'a redirect callback that takes anything': {
        config: { callbacks: { redirect: ({ url }: { url: string }) => url } },
      },
    },
    runs: 60,
    input: wish(schemes),
    async run(world, asked) {
      const target = toWellFormed(aim(asked.target, new URL(world.origin).host))
      const browser = world.browser('ada')
      if (asked.errand === 'signout') await browser.signIn('alpha', world.people.ada)
      for (const reply of await runErrand(world, browser, { ...asked, target })) {
        for (const url of targetsOf(reply, world.origin)) {
          const scheme = url?.protocol ?? 'none'
          const shown = `${JSON.stringify(target)} by ${asked.source} at ${asked.errand} led to a target with the scheme ${scheme}`
          world.hold('RD-03', scheme === 'https:' || scheme === 'http:', shown)
        }
      }
      world.reach(asked.errand)
    },
  }),
]
