import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { open } from '../support/configured.ts'
import { member } from '../../world/reply.ts'
import { isUnrouted } from '../support/unrouted.ts'
import { tooLarge } from '../support/limits.ts'
import { isSignedIn } from '../support/sessions.ts'
import { freshSession, tour, tours } from '../support/tour.ts'

/** Logo URLs; only their origin belongs in the policy. */
const logos = Object.fromEntries(
  Object.entries({
    'a logo': 'https://cdn.example/logo.png',
    'a logo with a query': 'https://cdn.example/a;b,c/logo.png?x=1; script-src *',
    'a logo as a data URL': 'data:image/png;base64,iVBORw0KGgo=',
    'a logo of the application': '/logo.png',
    'a logo with a content URL': 'content://media.example/logo.png',
  }).map(([name, logo]) => [name, { config: { theme: { logo } } }]),
)

const logoSource = /^https:\/\/cdn\.example(?:\/[^?;, ]*)?$/

/** Finds faults of a policy: invalid sources, duplicate directives, or scripts from anywhere. */
function findPolicyFault(policy: string): string | undefined {
  const names: string[] = []
  for (const directive of policy.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (names.includes(name)) return `${name} twice`
    names.push(name)
    const strange = sources.find((source) => !policySource.test(source))
    if (strange !== undefined) return `${strange}, which is not a source,`
    const lax = sources.find((source) => /^(?:\*|https?:|data:|blob:|'unsafe-(?:inline|eval)')$/.test(source))
    if (lax !== undefined && /^(?:default|script|object)-src/.test(name)) return `${name} ${lax}`
  }
  return undefined
}
const policySource =
  /^(?:\*|'(?:none|self|unsafe-inline|unsafe-eval|strict-dynamic|report-sample|unsafe-hashes)'|'nonce-[\w+/=-]+'|'sha(?:256|384|512)-[\w+/=-]+'|[a-z][a-z0-9+.-]*:|(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*\.)?[a-z0-9.[\]-]+(?::(?:\d+|\*))?(?:\/[^;,\s?#]*)?)$/i

export const responseHeaderProperties: readonly Property[] = [
  property({
    proves: ['CK-12'],
    name: 'tells caches not to store responses that belong to one user',
    story: 'A shared cache serves the session, CSRF token or cookies of the first visitor.',
    advice:
      'Send `Cache-Control: private, no-store` with every response that sets a cookie or shows a token.',
    setups: bothStrategies,
    runs: 40,
    input: fc.record({ way: tours, signInMethod: fc.constantFrom('alpha', 'plain') }),
    async run(world, { way, signInMethod }) {
      const browser = world.browser('ada')
      await tour(world, browser, way, signInMethod)
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
          world.check(
            'CK-12',
            /\bno-store\b/.test(kept),
            `${request.method} ${pathname} ${reasons.join(', ')}, with ${kept}`,
            { observed: request.method === 'GET' ? 'a secret' : 'a missing protection' },
          )
      }
      world.assume(isSignedIn(await freshSession(world)), 'nobody can sign in')
    },
  }),
  property({
    proves: ['DEC-32d'],
    name: 'tells caches not to store redirects and errors',
    story:
      'A request with an unusual header gets an error, which a shared cache then serves to every visitor.',
    advice: 'Send `Cache-Control: no-store` with every redirect and every error.',
    setups: {
      usual: {},
      'own pages': { config: { pages: { signIn: '/in', error: '/wrong', verifyRequest: '/mail' } } },
    },
    runs: 40,
    input: fc.record({
      route: fc.constantFrom('providers', 'signin', 'error?error=x', 'verify-request', 'signout', 'nowhere'),
      provocation: fc.constantFrom<readonly [method: string, headers: Readonly<Record<string, string>>]>(
        ['GET', {}],
        ['PUT', {}],
        ['GET', { 'x-auth-return-redirect': '1' }],
        ['GET', { cookie: 'a=1;'.repeat(501) }],
        ['GET', { cookie: 'a'.repeat(65_537) }],
        ['GET', { host: 'app.example/x?' }],
      ),
    }),
    async run(world, { route, provocation: [method, headers] }) {
      if (method === 'PUT' && !world.capabilities.has('every-method')) return
      const reply = await world.browser('eve').send(`${world.basePath}/${route}`, { method, headers })
      // Behind a URL, the HTTP server or a proxy may refuse such headers before the target sees them.
      const isLarge = (headers['cookie']?.length ?? 0) > 4096
      if (isLarge && tooLarge.includes(reply.status) && !world.features.has('setup')) return
      // A script gets the URL of a redirect as JSON.
      const redirects = reply.status >= 300 || typeof member(reply.json, 'url') === 'string'
      const kept = reply.headers.get('cache-control') ?? 'no Cache-Control'
      if (redirects)
        world.check(
          'DEC-32d',
          /\bno-store\b/.test(kept),
          `${method} ${world.basePath}/${route} returns ${reply.status} with ${kept}`,
          { observed: 'a missing protection' },
        )
    },
  }),
  property({
    proves: ['DEC-32d'],
    name: 'tells caches not to store the list of providers with the host of a request',
    story: 'A shared cache serves every visitor a list whose URLs lead to the host of an attacker.',
    advice: 'Send `Cache-Control: no-store` with every response that repeats the host of the request.',
    needs: ['setup'],
    runs: 10,
    async run(world) {
      for (const route of ['providers', 'signin', 'signout', 'error']) {
        const reply = await world.send(new Request(`https://evil.example${world.basePath}/${route}`))
        const kept = reply.headers.get('cache-control') ?? 'no Cache-Control'
        const isSafe = !reply.text.includes('evil.example') || /\bno-store\b/.test(kept)
        world.check('DEC-32d', isSafe, `${route} repeats the host of the request with ${kept}`)
      }
    },
  }),
  property({
    proves: ['DEC-32d'],
    name: 'tells caches not to store what a misconfigured application returns',
    story: 'An operator repairs the configuration, and a shared cache continues to serve the error.',
    advice: 'Send `Cache-Control: no-store` with the response to an invalid configuration, too.',
    needs: ['setup'],
    runs: 20,
    ...eachOf(['providers', 'csrf', 'session', 'signin', 'error', 'callback/alpha', 'nowhere']),
    async run(base, route) {
      const world = await open(base, { config: { session: { strategy: 'nothing' } } })
      base.assume(!(world instanceof Error), 'the configuration is refused before the first request')
      if (world instanceof Error) return
      const reply = await world.send(new Request(world.url(route)))
      const kept = reply.headers.get('cache-control') ?? 'no Cache-Control'
      const isSafe = reply.status < 300 || /\bno-store\b/.test(kept)
      world.check('DEC-32d', isSafe, `${route} returns ${reply.status} with ${kept}`)
    },
  }),
  property({
    proves: ['CK-13', 'CK-12'],
    name: 'protects its pages from framing, sniffing and referrer leaks',
    story: 'A page of another site hides the sign-out button under its own content, and the user clicks it.',
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
      world.assume(
        type.startsWith('text/html') || !['signin', 'signout', 'error'].includes(page),
        'there is no such page',
      )
      if (!type.startsWith('text/html')) return
      // The application may show one page for all paths that it does not know.
      if (page === 'nowhere' && (await isUnrouted(browser, reply, `${world.basePath}/${page}`, {}))) return
      const policy = reply.headers.get('content-security-policy') ?? ''
      const sees = (name: string) => reply.headers.get(name)?.toLowerCase() ?? ''
      world.check(
        'CK-13',
        /frame-ancestors/.test(policy) || sees('x-frame-options') !== '',
        `any site can show the page ${world.basePath}/${page} in a frame`,
      )
      world.check(
        'CK-13',
        sees('x-content-type-options') === 'nosniff',
        `the page ${world.basePath}/${page} has no X-Content-Type-Options: nosniff`,
      )
      const says = sees('referrer-policy')
      world.check(
        'CK-13',
        says !== '' && !says.includes('unsafe-url'),
        `the Referrer-Policy of the page ${world.basePath}/${page} lets browsers send its URL to other sites`,
      )
      world.check('CK-13', policy !== '', `${page} has no Content-Security-Policy`)
      const fault = findPolicyFault(policy)
      world.check('CK-13', fault === undefined, `${page} has a Content-Security-Policy with ${fault}`)
      const frames = policy.includes('frame-ancestors')
        ? (/frame-ancestors ([^;]*)/.exec(policy)?.[1] ?? '')
        : "'none'"
      world.check(
        'CK-13',
        /^'(?:none|self)'$/.test(frames.trim()),
        `the page ${page} lets ${frames} show it in a frame`,
      )
      const images = (/img-src ([^;]*)/.exec(policy)?.[1] ?? '').split(' ')
      const strange = images.find(
        (source) => /^[^'*][^:]*(?:$|:\/\/)/.test(source) && !logoSource.test(source),
      )
      world.check('CK-13', strange === undefined, `${page} allows images from ${strange}`)
      const kept = sees('cache-control')
      const hasToken = /name="?csrfToken/.test(reply.text)
      world.check(
        'CK-12',
        !hasToken || /no-store/.test(kept),
        `${page} has a CSRF token, and ${kept || 'no Cache-Control'}`,
      )
    },
  }),
]
