import fc from 'fast-check'
import type { World } from '../world/world.ts'
import type { Reply } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { consentTo, remotes, startAt, subjectOf } from './support/consent.ts'
import { holdUnchanged, takeStock } from './support/stock.ts'

/** What the library alone says in an authorization request. */
const owned = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
] as const

const intruders = fc.constantFrom(
  'evil',
  'https://evil.example/callback',
  'plain',
  'token',
  'fragment',
  'client-at-beta',
  '',
)

export const requestProperties: readonly Property[] = [
  property({
    proves: ['TX-08'],
    name: 'each sign-in has a challenge of its own, whose verifier nobody sees before the token request',
    story: 'Whoever reads a verifier in a log, a URL or a cookie can use a code that was stolen elsewhere.',
    advice: 'Take 32 random bytes for each transaction, seal the verifier, and keep it out of the logs.',
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      times: fc.integer({ min: 2, max: 3 }),
      fault: fc.constantFrom(undefined, 'token:500', 'token:html', 'token:network-error', 'access-denied'),
    }),
    async run(world, { provider, times, fault }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const seen: Reply[] = []
      const challenges = new Set<string>()
      for (let n = 0; n < times; n++) {
        const started = await browser.start(provider)
        const challenge = started.location?.searchParams.get('code_challenge')
        if (!started.location || challenge === null || challenge === undefined) {
          return world.reach('no challenge was sent')
        }
        world.hold('TX-08', !challenges.has(challenge), 'two sign-ins have the same challenge')
        challenges.add(challenge)
        const method = started.location.searchParams.get('code_challenge_method')
        world.hold('TX-08', method === 'S256', `the challenge method is ${method}`)
        const arrival = await consentTo(world, provider, started.location, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        // The last one goes wrong, so that errors are looked at too.
        if (fault && n === times - 1) world.idps[provider].misbehave(fault)
        seen.push(started, await browser.arrive(arrival))
        world.idps[provider].misbehave()
      }
      const asked = world.idps[provider].requestsTo('token')
      world.demand(asked.length > 0, 'no token request came')
      for (const { parameters } of asked)
        await holdVerifier(world, parameters.get('code_verifier') ?? '', challenges, seen)
      world.reach(fault ?? 'no fault')
    },
  }),

  property({
    proves: ['TX-09'],
    name: 'every sign-in is bound to its browser, whatever the provider says of itself',
    story: 'A provider, or who changes its metadata, talks an application out of its defences.',
    advice: 'Never send `plain`; where S256 is not advertised, add a nonce or a state.',
    setups: {
      usual: {},
      'no methods': {
        idp: {
          alpha: { metadata: { code_challenge_methods_supported: undefined } },
          beta: { metadata: { code_challenge_methods_supported: [] } },
        },
      },
      'nothing but a challenge that is not advertised': {
        idp: {
          alpha: { metadata: { code_challenge_methods_supported: undefined } },
          beta: { metadata: { code_challenge_methods_supported: ['plain'] } },
        },
        provider: { alpha: { checks: ['pkce'] }, beta: { checks: ['pkce'] }, plain: { checks: ['pkce'] } },
      },
      'nothing configured': {
        provider: { alpha: { checks: [] }, beta: { checks: [] }, plain: { checks: [] } },
      },
      'plain alone': {
        idp: {
          alpha: { metadata: { code_challenge_methods_supported: ['plain'] } },
          beta: { metadata: { code_challenge_methods_supported: ['s256', 'PLAIN'] } },
        },
      },
    },
    runs: 15,
    input: fc.constantFrom(...remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const { searchParams: query } = url
      const has = (name: string) => (query.get(name) ?? '').length >= 16
      const method = query.get('code_challenge_method')
      if (query.has('code_challenge'))
        world.hold(
          'TX-09',
          method === 'S256',
          `a challenge goes out by the method ${method ?? 'plain, which is meant without one'}`,
        )
      world.hold(
        'TX-09',
        has('code_challenge') || has('state') || (provider !== 'plain' && has('nonce')),
        `a sign-in at ${provider} carries no defence: ${url.search}`,
      )
      const methods = await methodsOf(world, provider)
      if (provider !== 'plain' && !methods.includes('S256')) {
        const what = `${provider} advertises ${JSON.stringify(methods)}, and neither nonce nor state was added`
        world.hold('TX-09', has('nonce') || has('state'), what)
        world.reach('S256 is not advertised')
      }
      const foreign = world.browser('eve')
      const before = await takeStock(world, foreign)
      await foreign.arrive(await consentTo(world, provider, url, subjectOf(world.people.ada, provider)))
      await holdUnchanged(world, 'TX-09', foreign, before, 'the answer was opened in another browser')
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['TX-13'],
    name: 'what the library says in an authorization request cannot be said by the browser',
    story: 'A link or a form of another page swaps client, callback or challenge of a sign-in.',
    advice: 'Take parameters of a request only after the protected names are removed from them.',
    runs: 80,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      intrusions: fc.array(fc.tuple(fc.constantFrom(...owned), intruders), { minLength: 1, maxLength: 4 }),
      by: fc.constantFrom('query', 'form', 'query and form', 'authorizationParams'),
      hint: fc.boolean(),
    }),
    async run(world, { provider, intrusions, by, hint }) {
      const browser = world.browser('ada')
      const honest = await startAt(world, browser, provider)
      const pairs = intrusions.map(([name, value]): [string, string] => [name, value])
      const extra = new URLSearchParams(pairs)
      if (hint) extra.append('login_hint', 'ada')
      const csrfToken = await browser.csrfToken()
      const form = new URLSearchParams({ csrfToken })
      if (by.includes('form')) for (const [name, value] of extra) form.append(name, value)
      if (by === 'authorizationParams') form.set('authorizationParams', extra.toString())
      const query = by.includes('query')
        ? `?${extra}`
        : by === 'authorizationParams'
          ? `?authorizationParams=${encodeURIComponent(extra.toString())}`
          : ''
      const path = `${world.basePath}/signin/${world.idOf(provider) ?? ''}${query}`
      const { location } = await browser.send(path, {
        form,
        says: 'starts a sign-in with parameters of its own',
      })
      // To refuse them altogether is as good.
      if (!location || location.origin === world.origin) return world.reach('refused')
      for (const name of owned) {
        const [was, is] = [honest.searchParams.getAll(name), location.searchParams.getAll(name)]
        const isFresh = ['state', 'nonce', 'code_challenge'].includes(name)
        const holds = isFresh
          ? is.length === was.length && is.every((value) => value.length >= 16)
          : is.join(' ') === was.join(' ')
        world.hold(
          'TX-13',
          holds,
          `${name} was ${was.join(' ') || 'absent'}, and is ${is.join(' ') || 'absent'} by the browser’s wish`,
        )
      }
      const arrival = await consentTo(world, provider, location, subjectOf(world.people.ada, provider))
      world.prove(browser, world.people.ada, provider)
      await browser.arrive(arrival)
      world.demand((await browser.whoAmI()) === 'ada', 'a sign-in with parameters of its own fails')
      world.reach(by)
    },
  }),

  property({
    proves: ['TX-14'],
    name: 'the token request repeats the redirect_uri of the authorization request, byte for byte',
    story: 'A code that was issued for another callback, on another path, is exchanged all the same.',
    advice: 'Make the redirect_uri once, by one function, for both requests.',
    runs: 30,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      query: fc.constantFrom('', '?redirect_uri=https://evil.example', '?x=1'),
    }),
    async run(world, { provider, query }) {
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider, { callbackUrl: `/welcome${query}` })
      const arrival = await consentTo(world, provider, url, subjectOf(world.people.ada, provider))
      world.prove(browser, world.people.ada, provider)
      await browser.arrive(arrival)
      const [asked] = world.idps[provider].requestsTo('token')
      world.demand(asked !== undefined, 'no token request came')
      const [was, is] = [url.searchParams.get('redirect_uri'), asked?.parameters.get('redirect_uri')]
      world.hold('TX-14', was === is, `redirect_uri was ${was}, and is ${is}`)
      world.hold('TX-14', asked?.parameters.getAll('redirect_uri').length === 1, 'redirect_uri comes twice')
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-16'],
    name: 'sign-ins in several tabs of one browser do not disturb each other',
    story: 'Somebody opens the sign-in page twice, and the first tab answers with an error.',
    advice: 'Keep the checks of each transaction in a cookie of its own.',
    // An option of this library, which others do not know.
    setups: { 'side by side': { config: { parallelSignIns: true } } },
    runs: 25,
    input: fc.record({
      tabs: fc.array(fc.constantFrom(...remotes), { minLength: 2, maxLength: 4 }),
      order: fc.infiniteStream(fc.nat()),
    }),
    async run(world, { tabs, order }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const open: { readonly provider: (typeof remotes)[number]; readonly url: URL }[] = []
      for (const provider of tabs) open.push({ provider, url: await startAt(world, browser, provider) })
      while (open.length > 0) {
        const [next] = open.splice((order.next().value ?? 0) % open.length, 1)
        if (!next) break
        const arrival = await consentTo(world, next.provider, next.url, subjectOf(ada, next.provider))
        world.prove(browser, ada, next.provider)
        const { location, status } = await browser.arrive(arrival)
        const came = `a tab at ${next.provider} came back to ${location?.href ?? status}`
        world.hold('TX-16', location !== undefined && !location.searchParams.has('error'), came)
        world.hold('TX-16', (await browser.whoAmI()) !== undefined, `${came}, and nobody is signed in`)
      }
      world.reach(`${tabs.length} tabs`)
    },
  }),
]

/** Holds what is asked of a verifier, and that it is found nowhere else. */
async function holdVerifier(
  world: World,
  verifier: string,
  challenges: ReadonlySet<string>,
  seen: readonly Reply[],
): Promise<void> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = Buffer.from(digest).toString('base64url')
  world.hold('TX-08', challenges.has(challenge), 'a token request has a verifier that matches no challenge')
  world.hold('TX-08', /^[\w.~-]{43,128}$/.test(verifier), `a verifier is ${verifier.length} characters long`)
  // Of 32 random bytes in any usual writing fewer are as good as impossible.
  world.hold(
    'TX-08',
    new Set(verifier).size >= 10,
    `a verifier is made of ${new Set(verifier).size} characters`,
  )
  for (const { headers, text } of seen) {
    const shown = readable(`${text} ${[...headers].join(' ')} ${headers.getSetCookie().join(' ')}`)
    world.hold('TX-08', !shown.includes(verifier), 'a verifier is in a URL, a page or a readable cookie')
  }
  const urls = Object.values(world.idps).flatMap(({ log }) => log.map(({ url }) => url))
  world.hold('TX-08', !urls.some((url) => url.includes(verifier)), 'a verifier is in a URL')
  if (!world.features.has('hooks')) return
  // What only debugging tells is the matter of IL-03.
  const { errors, warnings } = world.told
  const logged = JSON.stringify(warnings) + errors.map(describe).join(' ')
  world.hold('TX-08', !logged.includes(verifier), 'a verifier was logged')
}

/** A text, and what its parts are when they are decoded as base64 or percent-encoding. */
function readable(text: string): string {
  const parts = text.match(/[\w+/%.~-]{40,}/g) ?? []
  const decoded = parts.flatMap((part) =>
    part.split('.').map((piece) => Buffer.from(piece, 'base64').toString('latin1')),
  )
  return [text, ...decoded].join(' ')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? ''
  const inner = Object.values(Object(error.cause)).map(describe).join(' ')
  return `${error.message} ${error.stack ?? ''} ${describe(error.cause)} ${inner}`
}

/** The challenge methods that a provider advertises. */
async function methodsOf(world: World, provider: (typeof remotes)[number]): Promise<readonly unknown[]> {
  const { issuer, handle } = world.idps[provider]
  const document = await handle(new Request(`${issuer}/.well-known/openid-configuration`))
  const metadata: unknown = await document.json()
  const methods: unknown = Reflect.get(Object(metadata), 'code_challenge_methods_supported')
  return Array.isArray(methods) ? methods : []
}
