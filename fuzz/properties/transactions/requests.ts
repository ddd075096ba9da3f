import fc from 'fast-check'
import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf } from '../support/consent.ts'
import { bitsOf } from '../support/entropy.ts'
import { guess } from '../support/guesses.ts'
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

/** Random bits that nobody guesses while a sign-in is open. */
const unguessable = 64

/** The number of sign-ins that show how random their parameters are. */
const samples = 24

const unprotected = { observed: 'a missing protection' } as const
const bent = { observed: 'a lax check' } as const

export const requestProperties: readonly Property[] = [
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
    portable: true,
    runs: 15,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const { searchParams: query } = url
      const bits = await measureBits(world, provider, ['code_challenge', 'state', 'nonce'])
      const has = (name: string) => (bits.get(name) ?? 0) >= unguessable
      const method = query.get('code_challenge_method')
      if (query.has('code_challenge'))
        world.check(
          'TX-09',
          method === 'S256',
          `a challenge uses the method ${method ?? 'plain, the default'}`,
          unprotected,
        )
      world.check(
        'TX-09',
        has('code_challenge') || has('state') || (provider !== 'plain' && has('nonce')),
        `a sign-in at ${provider} has no protection: ${describeBits(bits)}`,
        unprotected,
      )
      const methods = await methodsOf(world, provider)
      if (provider !== 'plain' && !methods.includes('S256')) {
        const what = `${provider} advertises ${methods.join(', ') || 'no methods'} for PKCE, and neither nonce nor state was added`
        world.check('TX-09', has('nonce') || has('state'), what, unprotected)
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
    proves: ['TX-24'],
    name: 'sends a PKCE challenge with every sign-in',
    story:
      'An attacker who steals a code uses it: the provider cannot tell, and a nonce shows it only after the code was exchanged.',
    advice: 'Turn on PKCE with S256. A public client must use it, and it costs a confidential one nothing.',
    severity: 'hardening',
    portable: true,
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { searchParams: query } = await startAt(world, world.browser('ada'), provider)
      const binding = ['state', 'nonce'].filter((name) => query.has(name)).join(' and ') || 'nothing'
      const says = `a sign-in at ${provider} sends no code challenge, only ${binding}`
      world.check('TX-24', query.has('code_challenge'), says, unprotected)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-25'],
    name: 'sends a state that nobody can guess',
    story: 'A provider that ignores PKCE leaves the state as the only defence, and an attacker guesses it.',
    advice: 'Generate 16 random bytes for each state, and keep other data out of it or beside them.',
    severity: 'hardening',
    portable: true,
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const url = await startAt(world, world.browser('ada'), provider)
      if (!url.searchParams.has('state')) throw new Absent(`a sign-in at ${provider} sends no state`)
      const from = world.clock.now()
      const again = await startAt(world, world.browser('ada'), provider)
      const known = { from, until: world.clock.now(), words: [] }
      const source = guess(again.searchParams.get('state') ?? '', known)
      world.check('TX-25', source === undefined, `a state is made of ${source}`, unprotected)
      const bits = (await measureBits(world, provider, ['state'])).get('state') ?? 0
      const others = ['code_challenge', 'nonce'].filter((name) => url.searchParams.has(name))
      const beside = others.length > 0 ? `, beside ${others.join(' and ')}` : ''
      const says = `a state has about ${Math.round(bits)} random bits${beside}`
      world.check('TX-25', bits >= unguessable, says, unprotected)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-26'],
    name: 'puts no client secret, code verifier or access token into the URL of a request',
    story: 'The logs of a provider, a proxy or a browser contain a secret of the application.',
    advice:
      'Send the secret, the verifier and the code in a body, and access tokens in the Authorization header.',
    portable: true,
    severity: 'leak',
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      await world.browser('ada').signIn(provider, world.people.ada)
      const { log, issued } = world.idps[provider]
      const verifiers = log.map(({ parameters }) => parameters.get('code_verifier') ?? '')
      const secrets = [`secret-at-${provider}-0123456789`, ...issued, ...verifiers].filter(
        (each) => each !== '',
      )
      for (const { endpoint, url } of log) {
        const values = [...new URL(url).searchParams.values()]
        const found = values.some((value) => secrets.includes(value))
        world.check('TX-26', !found, `the URL of the ${endpoint} request at ${provider} contains a secret`, {
          observed: 'a secret',
        })
      }
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
      // A refusal is also correct.
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
          { observed: 'a request' },
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
    story: 'A code that was issued for another callback URL is accepted anyway.',
    advice: 'Build the redirect_uri in one function, for both requests.',
    portable: true,
    runs: 30,
    ...everyOf({ provider: remotes, query: ['', '?redirect_uri=https://evil.example', '?x=1'] }),
    async run(world, { provider, query }) {
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider, { callbackUrl: `/welcome${query}` })
      const arrival = await consentTo(world, provider, url, subjectOf(world.people.ada, provider))
      world.prove(browser, world.people.ada, provider)
      await browser.arrive(arrival)
      const [request] = world.idps[provider].requestsTo('token')
      world.assume(request !== undefined, 'no token request was sent')
      const [was, is] = [url.searchParams.get('redirect_uri'), request?.parameters.get('redirect_uri')]
      world.check('TX-14', was === is, `redirect_uri was ${was}, and is ${is}`, bent)
      world.check(
        'TX-14',
        request?.parameters.getAll('redirect_uri').length === 1,
        'redirect_uri is duplicated',
        bent,
      )
      world.reach(`at ${provider}`)
    },
  }),
]

/** Returns how many random bits these parameters of sign-ins have. */
async function measureBits(
  world: World,
  provider: (typeof remotes)[number],
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const urls: URL[] = []
  for (let n = 0; n < samples; n++) urls.push(await startAt(world, world.browser('eve'), provider))
  const valuesOf = (name: string) => urls.map(({ searchParams }) => searchParams.get(name) ?? '')
  return new Map(names.map((name) => [name, bitsOf(valuesOf(name))]))
}

function describeBits(bits: ReadonlyMap<string, number>): string {
  return [...bits].map(([name, count]) => `${name} has about ${Math.round(count)} random bits`).join(', ')
}

/** Returns the challenge methods that a provider advertises. */
async function methodsOf(world: World, provider: (typeof remotes)[number]): Promise<readonly unknown[]> {
  const { issuer, handle } = world.idps[provider]
  const document = await handle(new Request(`${issuer}/.well-known/openid-configuration`))
  const metadata: unknown = await document.json()
  const methods: unknown = Reflect.get(Object(metadata), 'code_challenge_methods_supported')
  return Array.isArray(methods) ? methods : []
}
