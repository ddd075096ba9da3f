import fc from 'fast-check'
import type { Fault } from '../../world/fault-plan.ts'
import { isCleared, type Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { freshAddress } from '../support/outcome.ts'
import { sessionTokenOf } from '../support/sessions.ts'
import { unescapeUrl, walk, withForm, planes, ways } from '../support/leaks.ts'

/** Text of an application error that no client may see. */
const canary = 'canary-7c1 SELECT secret FROM users at /srv/app/db.ts:42:7'
const detailed: Fault = {
  name: 'throws with details',
  apply() {
    throw new Error(canary)
  },
}
/** Error types that clients may see; `Configuration` stands for all others. */
const publicErrors = new Set([
  'AccessDenied',
  'AccountNotLinked',
  'Configuration',
  'CredentialsSignin',
  'EmailSignInError',
  'InvalidCheck',
  'MissingCSRF',
  'OAuthAccountNotLinked',
  'OAuthCallbackError',
  'OAuthSignInError',
  'SessionRequired',
  'Verification',
  'WebAuthnVerificationError',
])
/** The observable parts of a response, without random values and the address itself. */
function outlineOf(reply: Reply, address: string, now: number): string {
  const { status, headers, location, cookies, text } = reply
  const plain = (part: string) => part.replaceAll(encodeURIComponent(address), '@').replaceAll(address, '@')
  const names = cookies.map((cookie) => `${cookie.key} ${isCleared(cookie, now)} ${cookie.maxAge ?? ''}`)
  const apart = ['set-cookie', 'location', 'content-length', 'date']
  const others = [...headers].filter(([name]) => !apart.includes(name))
  const kind = Math.round(plain(text).length / 64)
  const to = new URL(location ?? 'none:')
  // An application under development numbers its traces.
  to.searchParams.delete('trace')
  return JSON.stringify([status, plain(to.href), names.toSorted(), others, kind])
}

export const leakProperties: readonly Property[] = [
  property({
    proves: ['IL-01'],
    name: 'does not reveal whether an address or a name is known',
    story: 'An attacker finds out who has an account, one address at a time.',
    advice: 'Return the same response for known and unknown users.',
    setups: withForm({}),
    runs: 60,
    input: fc.record({
      address: freshAddress,
      by: fc.constantFrom('mail', 'link', 'form'),
      isAgain: fc.boolean(),
    }),
    async run(world, { address, by, isAgain }) {
      const { ada } = world.people
      const known = 'known@mail.example'
      const unknown = address
        .replace(/^.{5}/, 'other')
        .slice(-known.length)
        .replace(/^[^@]*/, 'knowm')
      await world.browser().followLink(await world.browser().requestLink(known))
      const request = async (identifier: string) => {
        const browser = world.browser('eve')
        if (isAgain) await browser.csrfToken()
        if (by === 'mail') return browser.start('mail', { email: identifier })
        const query = new URLSearchParams({ token: 'x', email: identifier })
        return browser.send(`${world.basePath}/callback/mail?${query}`)
      }
      if (by === 'form') {
        if (world.idOf('form') === undefined) return
        const enter = async (username: string) => {
          const browser = world.browser('eve')
          const form = { csrfToken: await browser.csrfToken(), username, password: 'wrong' }
          return browser.send(`${world.basePath}/callback/form`, { form })
        }
        const [right, wrong] = [await enter(ada.name), await enter('abc')]
        const [one, other] = [right, wrong].map((reply) => outlineOf(reply, 'ada', world.clock.now()))
        return world.check('IL-01', one === other, `a known name returns ${one}, an unknown one ${other}`)
      }
      const one = outlineOf(await request(known), known, world.clock.now())
      const other = outlineOf(await request(unknown), unknown, world.clock.now())
      world.check('IL-01', one === other, `a known address returns ${one}, an unknown one ${other}`)
    },
  }),

  property({
    proves: ['IL-04'],
    name: 'reveals internal errors to clients by name only',
    story: 'An attacker learns tables, paths and keys from an error message.',
    advice: 'Return an error name from a fixed list, and log the details.',
    needs: ['faults'],
    setups: withForm({
      config: {
        callbacks: {
          session: ({ session }: { session: unknown }) => session,
          redirect: ({ url, baseUrl }: { url: string; baseUrl: string }) =>
            url.startsWith('/') ? baseUrl : url,
        },
      },
    }),
    runs: 80,
    reaches: { 'an error was shown': 10 },
    input: fc.record({
      way: fc.constantFrom(...ways),
      plane: fc.constantFrom(...planes),
      call: fc.nat(7),
      misbehaviour: fc.constantFrom(
        'none',
        'access-denied',
        'token:400',
        'token:500',
        'error-of-its-own',
        'userinfo:html',
      ),
    }),
    async run(world, { way, plane, call, misbehaviour }) {
      const browser = world.browser('ada')
      for (const idp of [world.idps.alpha, world.idps.plain])
        if (misbehaviour !== 'none') idp.misbehave(misbehaviour as 'access-denied')
      world.plan.arm(plane, call, detailed)
      await walk(world, browser, world.idOf(way) === undefined ? 'mail' : way)
      world.plan.arm('none')
      const pages = world.replies.flatMap(({ reply }) =>
        reply.location?.origin === world.origin ? [reply.location] : [],
      )
      for (const page of pages) await browser.send(page.href)
      const hidden = new Set(world.recorded.errors.map(({ name }) => name))
      for (const name of publicErrors) hidden.delete(name)
      for (const { reply } of world.replies) {
        const shown = [
          unescapeUrl(reply.location?.href ?? ''),
          reply.text,
          ...[...reply.headers].flat(),
        ].join('\n')
        const leak = /canary-\w+|SELECT|evil\.example|\bat [^\n]*:\d+:\d+|node_modules|Bad gateway/.exec(
          shown,
        )
        const isOurs = reply.location !== undefined && reply.location.origin !== world.origin
        world.check('IL-04', isOurs || leak === null, `a response shows the internal text "${leak?.[0]}"`)
        const error = reply.location?.searchParams.get('error')
        if (error !== null && error !== undefined) world.reach('an error was shown')
        world.check('IL-04', !error || publicErrors.has(error), `an error is shown as "${error}"`)
        const type = [...(reply.location?.searchParams.values() ?? [])].find((value) => hidden.has(value))
        world.check('IL-04', isOurs || type === undefined, `a URL contains the internal error type ${type}`)
      }
    },
  }),

  property({
    proves: ['IL-06'],
    name: 'shows no provider token and no session id in a page, a session or a URL',
    story: 'A script, a log of URLs or a shared screen reveals a credential of the account.',
    advice: 'Keep tokens in the store, and the session id in its cookie.',
    needs: ['store'],
    setups: withForm({}),
    runs: 30,
    input: fc.record({
      way: fc.constantFrom(...ways),
      pages: fc.shuffledSubarray(
        ['signin', 'signout', 'error', 'verify-request', 'providers', 'csrf', 'session'],
        {
          minLength: 3,
        },
      ),
    }),
    async run(world, { way: wanted, pages }) {
      const { ada } = world.people
      const way = world.idOf(wanted) === undefined ? 'mail' : wanted
      const browser = world.browser('ada')
      await browser.signIn(way, ada)
      const before = sessionTokenOf(browser)
      await browser.readSession()
      for (const page of pages) await browser.send(`${world.basePath}/${page}`)
      const secrets = [
        before,
        sessionTokenOf(browser),
        ...world.rows.sessions.map(({ sessionToken }) => sessionToken),
      ]
      for (const { access_token, id_token } of world.rows.accounts)
        secrets.push(...[access_token, id_token].filter((token) => typeof token === 'string'))
      for (const { log } of Object.values(world.idps))
        secrets.push(...log.map(({ headers }) => headers.get('authorization')?.split(' ')[1] ?? ''))
      await browser.signOut()
      for (const { request, reply } of world.replies) {
        const shown = [reply.text, unescapeUrl(reply.location?.href ?? ''), unescapeUrl(request.url)]
        const isShown = secrets.some((secret) => secret !== '' && shown.some((text) => text.includes(secret)))
        world.check('IL-06', !isShown, `${new URL(request.url).pathname} shows a token or a session id`)
      }
    },
  }),
]
