import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { webUrl } from '../../arbitraries/web-url.ts'
import { Absent } from '../../world/breach.ts'
import type { Arrival } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { checkRefused, isSignedIn, takeSnapshot } from '../support/snapshot.ts'

/** Issuers that resemble another one. */
const wrongIssuers: Readonly<Record<string, (issuer: string) => string>> = {
  'of another provider': () => 'https://beta.example',
  'of an attacker': () => 'https://evil.example',
  'with a slash': (issuer) => `${issuer}/`,
  'in capitals': (issuer) => issuer.toUpperCase(),
  'with a port': (issuer) => `${issuer}:443`,
  'over http': (issuer) => issuer.replace('https', 'http'),
  'of a longer host': (issuer) => `${issuer}.evil.example`,
  truncated: (issuer) => issuer.slice(0, -1),
  'with a query': (issuer) => `${issuer}?`,
  'with a space': (issuer) => `${issuer} `,
  null: () => 'null',
  empty: () => '',
}

const issuerChanges: readonly string[] = ['absent', ...Object.keys(wrongIssuers)]

/** Steps of several interleaved sign-ins; a response may reach any provider's callback. */
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
    name: 'rejects a response of another issuer before using its code',
    story:
      'An attacker’s provider redirects the browser to an honest one, and receives the code that it issues.',
    advice: 'Compare `iss` with the issuer exactly, and require it if the metadata announces it.',
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
    portable: true,
    runs: 60,
    cases: everyOf({ provider: ['alpha', 'plain'], change: issuerChanges }).cases,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      change: fc.oneof(fc.constantFrom(...issuerChanges), webUrl),
    }),
    async run(world, { provider, change }) {
      const { ada } = world.people
      const defence = world.routes && (await findOtherDefence(world))
      if (defence) await requireComparison(world, provider, change, defence)
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const { issuer } = world.idps[provider]
      // Without an announced or configured issuer, nothing can be compared.
      if (!arrival.parameters.has('iss')) return
      const announces = await announcesIssuer(world, provider)
      const sent = wrongIssuers[change]?.(issuer) ?? change
      if (sent === issuer) return
      // A parameter without a value may be treated as missing (RFC 6749 3.1).
      if ((change === 'absent' || sent === '') && !announces) return
      const before = await takeSnapshot(world, browser)
      await browser.arrive(
        withParameters(arrival, (query) =>
          change === 'absent' ? query.delete('iss') : query.set('iss', sent),
        ),
      )
      const meaning = defence ? ({ observed: 'a lax check' } as const) : undefined
      await checkRefused(world, 'TX-06', browser, before, `iss was ${change}`, meaning)
      world.reach(`${provider} ${announces ? 'announces it' : 'does not announce it'}`)
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-07'],
    name: 'sends codes, verifiers and client secrets only to the provider they belong to',
    story:
      'One of two providers, or an attacker who reads its requests, collects credentials that work at the other.',
    advice: 'Bind each transaction to its provider before you use any part of the response.',
    portable: true,
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
      for (const name of remotes) await checkOwn(world, name, issued)
      await world.browser('ada').signIn('alpha', ada)
      world.reach(crossing.some(({ from, to }) => from !== to) ? 'crossed' : 'straight')
    },
  }),

  property({
    proves: ['TX-07'],
    name: 'does not send a code to a provider whose metadata points to another one’s endpoints',
    story:
      'A compromised provider names an honest one’s authorization endpoint as its own, and collects codes at its token endpoint.',
    advice: 'Compare `iss` of every response with the issuer at which the sign-in started.',
    setups: {
      'endpoint of another provider': {
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
      world.assume(url.hostname === 'alpha.example', 'the metadata of beta was not followed')
      const { parameters, mode } = await consentTo(world, 'alpha', url, subjectOf(ada, 'alpha'))
      const before = await takeSnapshot(world, browser)
      await browser.arrive({ provider: 'beta', parameters, mode })
      await checkRefused(world, 'TX-07', browser, before, 'a code of alpha reached the callback of beta')
      await browser.signIn('alpha', ada)
    },
  }),
]

const leaked = { observed: 'a secret' } as const

/** Checks that a provider received only credentials that belong to it. */
async function checkOwn(
  world: World,
  name: (typeof remotes)[number],
  issued: ReadonlyMap<string, (typeof remotes)[number]>,
): Promise<void> {
  const { log, requestsTo } = world.idps[name]
  for (const { parameters } of requestsTo('token')) {
    const owner = issued.get(parameters.get('code') ?? '')
    world.check(
      'TX-07',
      owner === undefined || owner === name,
      `a code of ${owner} was sent to ${name}`,
      leaked,
    )
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
    const says = `the verifier of a sign-in at ${other} was sent to ${name}`
    world.check('TX-07', other === undefined, says, leaked)
  }
  for (const { url, headers, parameters } of log) {
    const basic = /^Basic (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
    const sent = `${url} ${parameters} ${decodeURIComponent(Buffer.from(basic, 'base64').toString())}`
    const other = remotes.find((each) => each !== name && sent.includes(`secret-at-${each}`))
    world.check('TX-07', other === undefined, `the client secret at ${other} was sent to ${name}`, leaked)
  }
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

/** Returns why an application knows without `iss` which provider responds (RFC 9700 4.4.2). */
async function findOtherDefence(world: World): Promise<string | undefined> {
  const names = remotes.filter((name) => world.idOf(name) !== undefined)
  if (names.length < 2) return 'with one provider there is nobody to mix it up with'
  const urls = await Promise.all(names.map((name) => startAt(world, world.browser('eve'), name)))
  const callbacks = new Set(urls.map(({ searchParams }) => searchParams.get('redirect_uri')))
  return callbacks.size === names.length ? 'each provider has its own callback' : undefined
}

/** @throws {Absent} if the application has another defence, and requires or compares no `iss` */
async function requireComparison(
  world: World,
  provider: 'alpha' | 'plain',
  change: string,
  defence: string,
): Promise<void> {
  const browser = world.browser('ada')
  const arrival = await browser.visit(provider, world.people.ada)
  await browser.arrive(withParameters(arrival, (query) => query.set('iss', 'https://evil.example')))
  if (change === 'absent' || change === 'empty' || (await isSignedIn(browser)))
    throw new Absent(`the application needs no iss, because ${defence}`)
}

/** Returns whether a provider announces `iss` in its metadata. */
async function announcesIssuer(world: World, provider: 'alpha' | 'plain'): Promise<boolean> {
  const { issuer, handle } = world.idps[provider]
  const document = await handle(new Request(`${issuer}/.well-known/openid-configuration`))
  const metadata: unknown = await document.json()
  // An application without the provider's metadata cannot know.
  return (
    provider === 'alpha' &&
    Reflect.get(Object(metadata), 'authorization_response_iss_parameter_supported') === true
  )
}
