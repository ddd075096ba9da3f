import fc from 'fast-check'
import { issuers } from '../../targets/configure.ts'
import type { Setup } from '../../targets/setup.ts'
import type { World } from '../../world/world.ts'
import type { Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

/** Authorization parameters that only the library sets. */
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

/** An application that sends the token request itself. */
const sendsItself: Setup = {
  provider: {
    plain: {
      checks: ['pkce', 'state'],
      token: {
        url: `${issuers.plain}/token`,
        async request({ params }: { readonly params: URLSearchParams }) {
          const credentials = btoa('client-at-plain:secret-at-plain-0123456789')
          const headers = { authorization: `Basic ${credentials}`, 'x-sent-by': 'the application' }
          const body = new URLSearchParams(params)
          const response = await fetch(`${issuers.plain}/token`, { method: 'POST', headers, body })
          return { tokens: await response.json() }
        },
      },
    },
  },
}

export const requestProperties: readonly Property[] = [
  property({
    proves: ['TX-08'],
    name: 'uses a new PKCE challenge per sign-in, and keeps the verifier secret until the token request',
    story: 'Anyone who reads a verifier in a log, a URL or a cookie can use a stolen code.',
    advice: 'Generate 32 random bytes for each transaction, seal the verifier, and keep it out of the logs.',
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
        world.check('TX-08', !challenges.has(challenge), 'two sign-ins have the same challenge')
        challenges.add(challenge)
        const method = started.location.searchParams.get('code_challenge_method')
        world.check('TX-08', method === 'S256', `the challenge method is ${method}`)
        const arrival = await consentTo(world, provider, started.location, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        // The last sign-in fails, so that errors are checked too.
        if (fault && n === times - 1) world.idps[provider].misbehave(fault)
        seen.push(started, await browser.arrive(arrival))
        world.idps[provider].misbehave()
      }
      const requests = world.idps[provider].requestsTo('token')
      world.assume(requests.length > 0, 'no token request was sent')
      for (const { parameters } of requests)
        await checkVerifier(world, parameters.get('code_verifier') ?? '', challenges, seen)
      world.reach(fault ?? 'no fault')
    },
  }),

  property({
    proves: ['DEC-10a', 'TX-08'],
    name: 'gives the code verifier to an application that sends the token request itself',
    story: 'A provider that needs a custom token request works only without PKCE.',
    advice: 'Call `token.request`, with all parameters of the request except those of the client.',
    needs: ['setup'],
    setups: { 'token.request': sendsItself },
    runs: 2,
    async run(world) {
      const { plain } = world.idps
      const browser = world.browser('ada')
      const url = await startAt(world, browser, 'plain')
      world.prove(browser, world.people.ada, 'plain')
      await browser.arrive(await consentTo(world, 'plain', url, subjectOf(world.people.ada, 'plain')))
      const [request] = plain.requestsTo('token')
      world.check('DEC-10a', request?.headers.has('x-sent-by') === true, '`token.request` is not called')
      const verifier = request?.parameters.get('code_verifier') ?? ''
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
      const isRight = Buffer.from(digest).toString('base64url') === url.searchParams.get('code_challenge')
      world.check('TX-08', isRight, `the token request has the verifier "${verifier}"`)
      world.check('DEC-10a', (await browser.whoAmI()) === 'ada', 'nobody can sign in')
    },
  }),

  property({
    proves: ['TX-09'],
    name: 'binds every sign-in to its browser, whatever the provider’s metadata says',
    story: 'A provider, or anyone who changes its metadata, turns off the application’s defences.',
    advice: 'Never send `plain`. If S256 is not advertised, add a nonce or a state.',
    setups: {
      usual: {},
      'no methods': {
        idp: {
          alpha: { metadata: { code_challenge_methods_supported: undefined } },
          beta: { metadata: { code_challenge_methods_supported: [] } },
        },
      },
      'only a challenge that is not advertised': {
        idp: {
          alpha: { metadata: { code_challenge_methods_supported: undefined } },
          beta: { metadata: { code_challenge_methods_supported: ['plain'] } },
        },
        provider: { alpha: { checks: ['pkce'] }, beta: { checks: ['pkce'] }, plain: { checks: ['pkce'] } },
      },
      'nothing configured': {
        provider: { alpha: { checks: [] }, beta: { checks: [] }, plain: { checks: [] } },
      },
      'only plain': {
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
        world.check(
          'TX-09',
          method === 'S256',
          `a challenge uses the method ${method ?? 'plain, the default'}`,
        )
      world.check(
        'TX-09',
        has('code_challenge') || has('state') || (provider !== 'plain' && has('nonce')),
        `a sign-in at ${provider} has no protection: ${url.search}`,
      )
      const methods = await methodsOf(world, provider)
      if (provider !== 'plain' && !methods.includes('S256')) {
        const what = `${provider} advertises ${JSON.stringify(methods)}, and neither nonce nor state was added`
        world.check('TX-09', has('nonce') || has('state'), what)
        world.reach('S256 is not advertised')
      }
      const foreign = world.browser('eve')
      const before = await takeSnapshot(world, foreign)
      await foreign.arrive(await consentTo(world, provider, url, subjectOf(world.people.ada, provider)))
      await checkUnchanged(world, 'TX-09', foreign, before, 'another browser opened the response')
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['TX-13'],
    name: 'keeps requests from overriding protected authorization parameters',
    story: 'A link or form on another page swaps the client, callback or challenge of a sign-in.',
    advice: 'Remove the protected names before you accept parameters of a request.',
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
        says: 'starts a sign-in with additional parameters',
      })
      // A refusal is fine, too.
      if (!location || location.origin === world.origin) return world.reach('refused')
      for (const name of owned) {
        const [was, is] = [honest.searchParams.getAll(name), location.searchParams.getAll(name)]
        const isFresh = ['state', 'nonce', 'code_challenge'].includes(name)
        const isUnchanged = isFresh
          ? is.length === was.length && is.every((value) => value.length >= 16)
          : is.join(' ') === was.join(' ')
        world.check(
          'TX-13',
          isUnchanged,
          `${name} was ${was.join(' ') || 'absent'}, and is ${is.join(' ') || 'absent'} with the additional parameters`,
        )
      }
      const arrival = await consentTo(world, provider, location, subjectOf(world.people.ada, provider))
      world.prove(browser, world.people.ada, provider)
      await browser.arrive(arrival)
      world.assume((await browser.whoAmI()) === 'ada', 'a sign-in with additional parameters fails')
      world.reach(by)
    },
  }),

  property({
    proves: ['TX-14'],
    name: 'repeats the authorization request’s redirect_uri exactly in the token request',
    story: 'A code that was issued for another callback URL is exchanged anyway.',
    advice: 'Build the redirect_uri in one function, for both requests.',
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
      const [request] = world.idps[provider].requestsTo('token')
      world.assume(request !== undefined, 'no token request was sent')
      const [was, is] = [url.searchParams.get('redirect_uri'), request?.parameters.get('redirect_uri')]
      world.check('TX-14', was === is, `redirect_uri was ${was}, and is ${is}`)
      world.check(
        'TX-14',
        request?.parameters.getAll('redirect_uri').length === 1,
        'redirect_uri is duplicated',
      )
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-16', 'OPT-009'],
    name: 'removes the oldest sign-in when a fifth one starts',
    story: 'A user opens one tab too many, and the tab in front of them fails.',
    advice: 'When there are too many check cookies, remove those that the browser sends first.',
    setups: { 'parallel sign-ins': { config: { parallelSignIns: true } } },
    runs: 4,
    input: fc.record({ count: fc.integer({ min: 5, max: 7 }), from: fc.nat({ max: 3 }) }),
    async run(world, { count, from }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const tabs: URL[] = []
      for (let n = 0; n < count; n++) {
        tabs.push(await startAt(world, browser, 'alpha'))
        world.advance(1)
      }
      const tab = tabs.slice(-4)[from] ?? new URL(world.origin)
      world.prove(browser, ada, 'alpha')
      await browser.arrive(await consentTo(world, 'alpha', tab, subjectOf(ada, 'alpha')))
      const who = await browser.whoAmI()
      const says = `of ${count} tabs, number ${count - 3 + from} signs nobody in`
      for (const id of ['TX-16', 'OPT-009'] as const) world.check(id, who === 'ada', says)
    },
  }),

  property({
    proves: ['WIR-036'],
    name: 'shows a response with a duplicate parameter as an invalid check',
    story: 'A user is told that they refused to sign in, or that the server is broken.',
    advice: 'Count the parameters of a response before you read its error.',
    runs: 12,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      name: fc.constantFrom('code', 'state', 'error'),
      value: fc.constantFrom('the same', 'another'),
    }),
    async run(world, { provider, name, value }) {
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, world.people.ada)
      const response = withParameters(arrival, (query) => {
        const given = query.get(name) ?? 'access_denied'
        if (name === 'error') query.delete('code')
        query.set(name, given)
        query.append(name, value === 'the same' ? given : 'another')
      })
      if (!response.parameters.get(name)) return
      const { location } = await browser.arrive(response)
      const shown = location?.searchParams.get('error')
      world.check('WIR-036', shown === 'InvalidCheck', `${name} was duplicated, and ${shown} is shown`)
    },
  }),

  property({
    proves: ['TX-16'],
    name: 'keeps sign-ins in several tabs of one browser independent',
    story: 'A user opens the sign-in page twice, and the first tab fails.',
    advice: 'Keep the checks of each transaction in a separate cookie.',
    // Other libraries do not have this option.
    setups: { 'parallel sign-ins': { config: { parallelSignIns: true } } },
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
        const outcome = `a tab at ${next.provider} ended at ${location?.href ?? status}`
        world.check('TX-16', location !== undefined && !location.searchParams.has('error'), outcome)
        world.check('TX-16', (await browser.whoAmI()) !== undefined, `${outcome}, and nobody is signed in`)
      }
      world.reach(`${tabs.length} tabs`)
    },
  }),
]

/** Checks that a verifier is valid, and appears nowhere else. */
async function checkVerifier(
  world: World,
  verifier: string,
  challenges: ReadonlySet<string>,
  seen: readonly Reply[],
): Promise<void> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const challenge = Buffer.from(digest).toString('base64url')
  world.check('TX-08', challenges.has(challenge), 'a token request has a verifier that matches no challenge')
  world.check('TX-08', /^[\w.~-]{43,128}$/.test(verifier), `a verifier is ${verifier.length} characters long`)
  // 32 random bytes in any common encoding almost never have fewer.
  world.check(
    'TX-08',
    new Set(verifier).size >= 10,
    `a verifier has only ${new Set(verifier).size} different characters`,
  )
  for (const { headers, text } of seen) {
    const shown = readable(`${text} ${[...headers].join(' ')} ${headers.getSetCookie().join(' ')}`)
    world.check('TX-08', !shown.includes(verifier), 'a verifier is in a URL, a page or a readable cookie')
  }
  const urls = Object.values(world.idps).flatMap(({ log }) => log.map(({ url }) => url))
  world.check('TX-08', !urls.some((url) => url.includes(verifier)), 'a verifier is in a URL')
  if (!world.features.has('hooks')) return
  // IL-03 covers debug output.
  const { errors, warnings } = world.recorded
  const logged = JSON.stringify(warnings) + errors.map(describe).join(' ')
  world.check('TX-08', !logged.includes(verifier), 'a verifier was logged')
}

/** Returns a text, and its parts decoded as base64 and percent-encoding. */
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

/** Returns the challenge methods that a provider advertises. */
async function methodsOf(world: World, provider: (typeof remotes)[number]): Promise<readonly unknown[]> {
  const { issuer, handle } = world.idps[provider]
  const document = await handle(new Request(`${issuer}/.well-known/openid-configuration`))
  const metadata: unknown = await document.json()
  const methods: unknown = Reflect.get(Object(metadata), 'code_challenge_methods_supported')
  return Array.isArray(methods) ? methods : []
}
