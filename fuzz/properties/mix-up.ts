import fc from 'fast-check'
import { webUrl } from '../arbitraries/web-url.ts'
import type { Arrival } from '../world/browser.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from './support/consent.ts'
import { holdRefused, takeStock } from './support/stock.ts'

/** Issuers that are not the one they resemble. */
const spoiltIssuers: Readonly<Record<string, (issuer: string) => string>> = {
  'of another provider': () => 'https://beta.example',
  'of an attacker': () => 'https://evil.example',
  'with a slash': (issuer) => `${issuer}/`,
  'in capitals': (issuer) => issuer.toUpperCase(),
  'with a port': (issuer) => `${issuer}:443`,
  'over http': (issuer) => issuer.replace('https', 'http'),
  'of a longer host': (issuer) => `${issuer}.evil.example`,
  'cut short': (issuer) => issuer.slice(0, -1),
  'with a query': (issuer) => `${issuer}?`,
  'with a space': (issuer) => `${issuer} `,
  null: () => 'null',
  empty: () => '',
}

/** Steps of several sign-ins that cross each other; an answer may reach the callback of any provider. */
const steps = fc.array(
  fc.record({
    from: fc.constantFrom(...remotes),
    to: fc.constantFrom(...remotes),
    tab: fc.nat({ max: 1 }),
  }),
  { minLength: 1, maxLength: 4 },
)

export const mixUpProperties: readonly Property[] = [
  property({
    proves: ['TX-06'],
    name: 'an answer that names another issuer than its own is refused before the code is used',
    story: 'An attacker’s provider sends the browser to an honest one, to be given the code that it issues.',
    advice: 'Compare `iss` with the issuer to the letter, and demand it where the metadata announces it.',
    setups: {
      usual: {},
      'unadvertised and configured': {
        idp: {
          alpha: { metadata: { authorization_response_iss_parameter_supported: undefined } },
          plain: { metadata: { authorization_response_iss_parameter_supported: undefined } },
        },
        provider: { plain: { issuer: 'https://plain.example' } },
      },
    },
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      spoilt: fc.oneof(fc.constantFrom('absent', ...Object.keys(spoiltIssuers)), webUrl),
    }),
    async run(world, { provider, spoilt }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const { issuer } = world.idps[provider]
      // A provider that announces none and whose issuer nobody has told has nothing to be compared with.
      if (!arrival.parameters.has('iss')) return
      const announces = await announcesIssuer(world, provider)
      const sent = spoiltIssuers[spoilt]?.(issuer) ?? spoilt
      if (sent === issuer) return
      // A parameter without a value may be taken for one that was left out (RFC 6749 3.1).
      if ((spoilt === 'absent' || sent === '') && !announces) return
      const before = await takeStock(world, browser)
      await browser.arrive(
        withParameters(arrival, (query) =>
          spoilt === 'absent' ? query.delete('iss') : query.set('iss', sent),
        ),
      )
      await holdRefused(world, 'TX-06', browser, before, `the issuer came ${spoilt}`)
      world.reach(`${provider} ${announces ? 'announces it' : 'does not announce it'}`)
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-07'],
    name: 'codes, verifiers and client secrets go to the provider that they are for, however sign-ins cross',
    story: 'One of two providers, or who reads its requests, collects what opens accounts at the other one.',
    advice: 'Bind each transaction to its provider before anything of its answer is used.',
    runs: 50,
    input: steps,
    async run(world, crossing) {
      const { ada } = world.people
      const tabs = [world.browser('ada'), world.browser('ada')] as const
      const issued = new Map<string, (typeof remotes)[number]>()
      const open: { readonly arrival: Arrival; readonly tab: number }[] = []
      for (const { from, to, tab } of crossing) {
        const browser = tabs[tab] ?? tabs[0]
        const arrival = await browser.visit(from, ada)
        issued.set(arrival.parameters.get('code') ?? '', from)
        open.push({ arrival: { ...arrival, provider: to }, tab })
      }
      for (const { arrival, tab } of open) await (tabs[tab] ?? tabs[0]).arrive(arrival)
      for (const name of remotes) await holdOwn(world, name, issued)
      await world.browser('ada').signIn('alpha', ada)
      world.reach(crossing.some(({ from, to }) => from !== to) ? 'crossed' : 'straight')
    },
  }),

  property({
    proves: ['TX-06', 'TX-07'],
    name: 'a provider whose metadata leads to another one is not given the code of that one',
    story: 'A provider that was taken over names an honest one as its own, and waits at its token endpoint.',
    advice: 'Compare `iss` of every answer with the issuer that the sign-in was started at.',
    setups: {
      'endpoint of another': {
        provider: { beta: { clientId: 'client-at-alpha' } },
        idp: {
          beta: {
            metadata: {
              authorization_endpoint: 'https://alpha.example/authorize',
              authorization_response_iss_parameter_supported: undefined,
            },
          },
        },
      },
    },
    runs: 20,
    input: fc.record({ before: fc.constantFrom(...remotes.filter((name) => name !== 'beta'), undefined) }),
    async run(world, { before: earlier }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      if (earlier) await startAt(world, browser, earlier)
      const url = await startAt(world, browser, 'beta')
      world.demand(url.hostname === 'alpha.example', 'the metadata of beta was not followed')
      const { parameters, mode } = await consentTo(world, 'alpha', url, subjectOf(ada, 'alpha'))
      const before = await takeStock(world, browser)
      await browser.arrive({ provider: 'beta', parameters, mode })
      await holdRefused(world, 'TX-07', browser, before, 'a code of alpha came to the callback of beta')
      await browser.signIn('alpha', ada)
    },
  }),
]

/** Holds that a provider was sent nothing but its own. */
async function holdOwn(
  world: World,
  name: (typeof remotes)[number],
  issued: ReadonlyMap<string, (typeof remotes)[number]>,
): Promise<void> {
  const { log, requestsTo } = world.idps[name]
  for (const { parameters } of requestsTo('token')) {
    const owner = issued.get(parameters.get('code') ?? '')
    world.hold('TX-07', owner === undefined || owner === name, `a code of ${owner} was sent to ${name}`)
    const verifier = parameters.get('code_verifier')
    if (verifier === null) continue
    const challenge = await challengeOf(verifier)
    const other = remotes.find(
      (each) =>
        each !== name &&
        world.idps[each]
          .requestsTo('authorize')
          .some(({ parameters: query }) => query.get('code_challenge') === challenge),
    )
    world.hold('TX-07', other === undefined, `the verifier of a sign-in at ${other} was sent to ${name}`)
  }
  for (const { url, headers, parameters } of log) {
    const basic = /^Basic (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
    const said = `${url} ${parameters} ${decodeURIComponent(Buffer.from(basic, 'base64').toString())}`
    const other = remotes.find((each) => each !== name && said.includes(`secret-at-${each}`))
    world.hold('TX-07', other === undefined, `the client secret at ${other} was sent to ${name}`)
  }
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

async function announcesIssuer(world: World, provider: 'alpha' | 'plain'): Promise<boolean> {
  const { issuer, handle } = world.idps[provider]
  const document = await handle(new Request(`${issuer}/.well-known/openid-configuration`))
  const metadata: unknown = await document.json()
  // What an application was not told, it can't know.
  return (
    provider === 'alpha' &&
    Reflect.get(Object(metadata), 'authorization_response_iss_parameter_supported') === true
  )
}
