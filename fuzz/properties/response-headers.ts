import fc from 'fast-check'
import { bothStrategies, property, type Property } from './property.ts'
import { isSignedIn } from './support/sessions.ts'
import { freshSession, tour, tours } from './support/tour.ts'

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

export const responseHeaderProperties: readonly Property[] = [
  property({
    proves: ['CK-12'],
    name: 'no cache keeps what belongs to one user',
    story: 'A shared cache hands out the session, the CSRF token or the cookies of whoever came first.',
    advice:
      'Send `Cache-Control: private, no-store` with every response that sets a cookie or shows a token.',
    setups: bothStrategies,
    runs: 40,
    input: fc.record({ way: tours, door: fc.constantFrom('alpha', 'plain') }),
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
]
