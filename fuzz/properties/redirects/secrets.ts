import fc from 'fast-check'
import { webUrl } from '../../arbitraries/web-url.ts'
import { nastyUrl } from '../../arbitraries/nasty-urls.ts'
import { member, type Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf } from '../support/consent.ts'
import { toWellFormed } from '../support/redirecting-requests.ts'
import { readForms } from '../../world/forms.ts'

const refreshToken = 'a-refresh-token-of-nobody-4711'

/** How the provider misbehaves during a sign-in. */
const faults = [
  'token:500',
  'token:400',
  'token:html',
  'userinfo:500',
  'sub-missing',
  'access-denied',
  'state-wrong',
  'iss-wrong',
] as const

export const redirectSecretsProperties: readonly Property[] = [
  property({
    proves: ['RD-07'],
    name: 'puts no secret into a redirect within the application',
    story: 'A code, a token or a state remains in browser histories and Referer headers of the next page.',
    advice: 'Redirect to your own pages without any part of the original request.',
    portable: true,
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
    // A token is most likely in the redirect after a sign-in that succeeds.
    parts: [
      ...[...remotes, 'mail' as const].map((provider) => ({ provider, fault: undefined })),
      ...faults.map((fault) => ({ fault })),
    ],
    input: fc.record({
      provider: fc.constantFrom(...remotes, 'mail'),
      fault: fc.constantFrom(undefined, ...faults),
      twice: fc.boolean(),
    }),
    async run(world, { provider, fault, twice }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const replies: Reply[] = []
      const secrets: string[] = []
      if (provider === 'mail') {
        const mail = await browser.requestLink(ada.address.mail)
        secrets.push(mail.link.searchParams.get('token') ?? '')
        for (let n = twice ? 2 : 1; n > 0; n--) replies.push(await browser.followLink(mail))
      } else {
        const url = await startAt(world, browser, provider)
        world.idps[provider].addToTokens({ refresh_token: refreshToken })
        if (fault) world.idps[provider].misbehave(fault)
        const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        for (const name of ['code', 'state']) secrets.push(arrival.parameters.get(name) ?? '')
        replies.push(await browser.arrive(arrival))
        world.idps[provider].misbehave()
        const bearers = world.idps[provider].requestsTo('userinfo').map(({ headers }) => headers)
        secrets.push(refreshToken, ...bearers.map((each) => each.get('authorization')?.slice(7) ?? ''))
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
        const target = member(json, 'url')
        const targets = decodeTwice(`${location?.href ?? ''} ${typeof target === 'string' ? target : ''}`)
        const found = secrets.map(decodeTwice).find((secret) => secret.length > 8 && targets.includes(secret))
        world.check(
          'RD-07',
          found === undefined,
          `a redirect${fault ? ` after ${fault}` : ''} contains a secret`,
          { observed: 'a secret' },
        )
      }
      world.reach(fault ?? 'no fault')
    },
  }),

  property({
    proves: ['RD-08'],
    name: 'redirects to error and sign-in pages with validated parameters only',
    story: 'A link to the application’s error page also carries an attacker’s redirect target.',
    advice: 'Build the query of these redirects from known parameters, and encode each.',
    setups: {
      usual: {},
      'custom pages': { config: { pages: { signIn: '/login', error: '/oops', signOut: '/bye' } } },
    },
    runs: 60,
    input: fc.record({
      path: fc.oneof(
        // The only path that every application redirects.
        fc.constant('callback/alpha'),
        fc.constantFrom('signin', 'error', 'signout', 'callback/mail', 'callback/nobody'),
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
      const route = path
        .replace('alpha', world.idOf('alpha') ?? 'alpha')
        .replace('mail', world.idOf('mail') ?? 'mail')
      const { location } = await browser.send(`${world.basePath}/${route}?${query}`)
      if (!location) return world.reach('no redirect')
      world.check(
        'RD-08',
        !location.href.includes('canary-value'),
        `the redirect contains ${extra} of the request`,
      )
      const names = [...location.searchParams.keys()].filter((name) => name !== 'error')
      world.check(
        'RD-08',
        !names.some((name) => name.includes('canary')),
        `the error added parameters: ${location.search}`,
      )
      world.check('RD-08', !location.hash.includes('canary'), `the error added a fragment: ${location.hash}`)
      for (const nested of location.searchParams.getAll('callbackUrl')) {
        const url = URL.canParse(nested, world.origin) ? new URL(nested, world.origin) : undefined
        world.check(
          'RD-08',
          url?.origin === world.origin,
          `the redirect contains the target ${JSON.stringify(nested)}`,
        )
      }
      world.reach(path)
    },
  }),

  property({
    proves: ['RD-08'],
    name: 'puts no redirect target outside the application into a form',
    story:
      'After a sign-in with the form on the application’s page, the browser lands on an attacker’s page.',
    advice: 'Validate a target before you render it into a page, and again when the form posts it.',
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
      world.assume(form !== undefined, 'the page has no form')
      if (!form) return
      const action = new URL(form.action || `${world.origin}${world.basePath}/${page}`, world.origin)
      world.check('RD-08', action.origin === world.origin, `a form posts to ${action.origin}`)
      const { location } = await browser.send(`${action.pathname}${action.search}`, { form: form.fields })
      const isProvider =
        location !== undefined &&
        Object.values(world.idps).some(({ issuer }) => location.href.startsWith(issuer))
      world.check(
        'RD-08',
        !location || isProvider || location.origin === world.origin,
        `a form redirected to ${location?.origin}`,
      )
    },
  }),
]

/** Decodes a text that was encoded for a cookie, and again for a URL. */
function decodeTwice(text: string): string {
  const decode = (each: string) =>
    each.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  return decode(decode(text))
}
