import { inspect } from 'node:util'
import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { Browser } from '../world/browser.ts'
import type { Fault } from '../world/fault-plan.ts'
import { isCleared, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { freshAddress, stored } from './support/outcome.ts'
import { heldBy } from './support/sessions.ts'
import { textsOf } from './support/texts.ts'

/** What an error of the application's own says, and nobody outside may read. */
const canary = 'canary-7c1 SELECT secret FROM users at /srv/app/db.ts:42:7'
const speaking: Fault = {
  name: 'throws with details',
  apply() {
    throw new Error(canary)
  },
}
/** What a client may be told of an error: the types that are meant for it, and one for all that are not. */
const tellable = new Set([
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
  'Verification',
  'WebAuthnVerificationError',
])
const planes = ['store', 'callback', 'network', 'mail', 'event'] as const
const ways = ['mail', 'alpha', 'plain', 'form'] as const
type Way = (typeof ways)[number]

/** Goes as far as it can; every answer is with the world. */
async function walk(world: World, browser: Browser, way: Way, deeds: () => void = () => {}): Promise<void> {
  const { ada } = world.people
  try {
    if (way === 'form') await browser.enterPassword(ada)
    else if (way === 'mail') await browser.followLink(await browser.askLink(ada.address.mail))
    else await browser.arrive(await browser.visit(way, ada))
  } catch {
    deeds()
  }
  await browser.readSession()
  await browser.signOut().catch(deeds)
}

function withForm(setup: Setup): Readonly<Record<string, Setup>> {
  const { database, jwt } = stored(setup)
  return { database, jwt: { ...jwt, providers: ['alpha', 'plain', 'mail', 'form'] } }
}

/** What a stranger can tell of an answer: without what is drawn at random, and without the address itself. */
function outlineOf(reply: Reply, address: string, now: number): string {
  const { status, headers, location, cookies, text } = reply
  const plain = (part: string) => part.replaceAll(encodeURIComponent(address), '@').replaceAll(address, '@')
  const names = cookies.map((cookie) => `${cookie.key} ${isCleared(cookie, now)} ${cookie.maxAge ?? ''}`)
  const apart = ['set-cookie', 'location', 'content-length', 'date']
  const others = [...headers].filter(([name]) => !apart.includes(name))
  const kind = Math.round(plain(text).length / 64)
  const to = new URL(location ?? 'none:')
  // An application under development numbers what it traces.
  to.searchParams.delete('trace')
  return JSON.stringify([status, plain(to.href), names.toSorted(), others, kind])
}

export const leakProperties: readonly Property[] = [
  property({
    proves: ['IL-01'],
    name: 'an answer does not tell whether an address or a name is known',
    story: 'An attacker finds out who has an account, one address at a time.',
    advice: 'Answer alike, whoever is asked for.',
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
      await world.browser().followLink(await world.browser().askLink(known))
      const ask = async (identifier: string) => {
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
        return world.hold('IL-01', one === other, `a known name gives ${one}, an unknown one ${other}`)
      }
      const one = outlineOf(await ask(known), known, world.clock.now())
      const other = outlineOf(await ask(unknown), unknown, world.clock.now())
      world.hold('IL-01', one === other, `a known address gives ${one}, an unknown one ${other}`)
    },
  }),
  ...(['IL-02', 'IL-03'] as const).map((id) =>
    property({
      proves: [id],
      name: `no secret comes into the logs${id === 'IL-03' ? ', with debug on' : ''}`,
      story: 'Whoever reads the logs, or the service that keeps them, takes over accounts.',
      advice: 'Log what happened by name; redact tokens, codes, verifiers, cookies and passwords.',
      needs: ['hooks', 'faults', 'store'],
      setups: withForm({ config: { debug: id === 'IL-03' } }),
      runs: 40,
      reaches: { 'something was logged': 15 },
      input: fc.record({
        way: fc.constantFrom(...ways),
        plane: fc.constantFrom(...planes, 'none'),
        call: fc.nat(6),
      }),
      async run(world, { way, plane, call }) {
        const browser = world.browser('ada')
        const secrets = new Set<string>()
        const hold = (secret: string | null | undefined) => secret && secret.length > 7 && secrets.add(secret)
        const fault = { name: 'fails', apply: () => Promise.reject(new Error('out of order')) }
        if (plane !== 'none') world.plan.arm(plane, call, fault)
        await walk(world, browser, world.idOf(way) === undefined ? 'mail' : way)
        await browser.send(
          `${world.basePath}/callback/mail?token=some-secret-token-of-a-link&email=a@b.example`,
        )
        await browser.send(
          `${world.basePath}/callback/alpha?code=some-secret-code-of-ada&state=some-secret-state`,
        )
        for (const secret of [
          'some-secret-token-of-a-link',
          'some-secret-code-of-ada',
          world.people.ada.password,
        ])
          hold(secret)
        for (const { link } of world.mailbox.mails) hold(link.searchParams.get('token'))
        for (const idp of Object.values(world.idps)) {
          for (const { headers, parameters } of idp.log) {
            for (const name of ['code', 'code_verifier', 'client_secret']) hold(parameters.get(name))
            hold(headers.get('authorization')?.split(' ')[1])
          }
        }
        for (const { access_token, id_token } of world.rows.accounts)
          for (const token of [access_token, id_token]) if (typeof token === 'string') hold(token)
        for (const { reply } of world.replies)
          for (const { key, value } of reply.cookies)
            if (/session-token|pkce|state|nonce|csrf/.test(key)) hold(decodeURIComponent(value))
        for (const name of ['alpha', 'beta', 'plain']) hold(`secret-at-${name}-0123456789`)
        const { errors, warnings, debugs } = world.told
        // Of an error a log has what `console.error` prints of it, and no more.
        const logged = [
          ...errors.map((error) => inspect(error)),
          ...textsOf([warnings, id === 'IL-03' ? debugs : []]),
        ].map(unescapeUrl)
        if (logged.length > 0) world.reach('something was logged')
        for (const secret of secrets) {
          const line = logged.find((text) => text.includes(secret))
          world.hold(id, line === undefined, `a secret is logged: ${line?.slice(0, 120)}`)
        }
      },
    }),
  ),
  property({
    proves: ['IL-04'],
    name: 'an error of the inside shows outside by its name alone',
    story: 'An attacker learns tables, paths and keys from what an error says.',
    advice: 'Answer with a name of a fixed list; the log has the rest.',
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
      world.plan.arm(plane, call, speaking)
      await walk(world, browser, world.idOf(way) === undefined ? 'mail' : way)
      world.plan.arm('none')
      const pages = world.replies.flatMap(({ reply }) =>
        reply.location?.origin === world.origin ? [reply.location] : [],
      )
      for (const page of pages) await browser.send(page.href)
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
        world.hold('IL-04', isOurs || leak === null, `an answer shows "${leak?.[0]}" of the inside`)
        const error = reply.location?.searchParams.get('error')
        if (error !== null && error !== undefined) world.reach('an error was shown')
        world.hold('IL-04', !error || tellable.has(error), `an error is told as "${error}"`)
      }
    },
  }),
  property({
    proves: ['IL-06'],
    name: 'no token of a provider and no session id shows in a page, a session or a URL',
    story: 'A script, a log of URLs or a shared screen gives away what opens the account.',
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
      const before = heldBy(browser)
      await browser.readSession()
      for (const page of pages) await browser.send(`${world.basePath}/${page}`)
      const secrets = [
        before,
        heldBy(browser),
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
        world.hold('IL-06', !isShown, `${new URL(request.url).pathname} shows a token or a session id`)
      }
    },
  }),
]

function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
