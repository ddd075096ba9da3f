import fc from 'fast-check'
import type { Arrival, Browser } from '../world/browser.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from './support/consent.ts'
import { holdRefused, isSignedIn, takeStock } from './support/stock.ts'

const proxy = 'https://proxy.example'
const preview = 'https://preview.example'
const redirectProxyUrl = `${proxy}/auth`
const allow = ['https://app.example', preview]
const proxied = { proxied: { config: { redirectProxyUrl, redirectProxy: { allow } } } }
const evil = 'https://evil.example'

/** States that this deployment group never sealed, each from one that it did. */
const forged: Readonly<
  Record<string, (state: string, world: World, callback: string) => Promise<string> | string>
> = {
  'one letter changed': (state) =>
    `${state.slice(0, 40)}${state.charAt(40) === 'A' ? 'B' : 'A'}${state.slice(41)}`,
  'cut short': (state) => state.slice(0, -4),
  'an address': (_, __, callback) => `${evil}${callback}`,
  'an address after the sealed one': (state, _, callback) => `${state},${evil}${callback}`,
  'unsealed data': (_, __, callback) => encode({ origin: `${evil}${callback}`, random: 'x' }),
  'an unsigned token': (_, __, callback) =>
    `${encode({ alg: 'none' })}.${encode({ origin: `${evil}${callback}`, exp: 9_999_999_999 })}.`,
  'a token under another secret': async (_, { tokens }, callback) =>
    (await tokens?.encode({
      secret: 'the secret of somebody else, which is long enough',
      salt: 'encodedState',
      token: { origin: `${evil}${callback}`, random: 'x' },
    })) ?? 'e30',
  empty: () => '',
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Brings an answer to a host, as the provider would. */
function arriveAt(browser: Browser, host: string, world: World, arrival: Arrival): Promise<Reply> {
  const path = `${world.basePath}/callback/${world.idOf(arrival.provider) ?? ''}`
  return browser.send(`${host}${path}?${arrival.parameters}`, { says: `comes back to ${host}` })
}

export const redirectProxyProperties: readonly Property[] = [
  property({
    proves: ['TX-20', 'TX-14'],
    name: 'a redirect proxy leads an answer back to the browser that asked, and to nobody else',
    story:
      'The proxy of a company is the one callback that its provider knows; every preview sits behind it.',
    advice: 'Seal the origin into the state, forward only what opens, and check the cookies where it began.',
    setups: proxied,
    runs: 25,
    input: fc.record({ provider: fc.constantFrom(...remotes), thief: fc.constantFrom('before', 'after') }),
    async run(world, { provider, thief }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const redirectUri = url.searchParams.get('redirect_uri') ?? ''
      world.demand(redirectUri.startsWith(`${proxy}/`), `redirect_uri is ${redirectUri}`)
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      world.prove(browser, ada, provider)
      const hop = await arriveAt(browser, proxy, world, arrival)
      const to = hop.location
      world.demand(
        to !== undefined && to.origin === world.origin,
        `the proxy led to ${to?.href ?? hop.status}`,
      )
      if (!to) return
      const callback = `${world.basePath}/callback/${world.idOf(provider)}`
      world.hold('TX-20', to.pathname === callback, `the proxy led to ${to.pathname}`)
      const other = world.browser('eve')
      const before = await takeStock(world, other)
      if (thief === 'before') {
        await other.send(to.href, { says: 'opens where the proxy led another browser' })
        await holdRefused(
          world,
          'TX-20',
          other,
          before,
          'the address that the proxy led to was opened elsewhere',
        )
      }
      await browser.send(to.href, { says: 'goes where the proxy leads' })
      const [asked] = world.idps[provider].requestsTo('token')
      const sent = asked?.parameters.get('redirect_uri')
      world.hold(
        'TX-14',
        asked === undefined || sent === redirectUri,
        `redirect_uri was ${redirectUri}, and is ${sent}`,
      )
      world.demand((await browser.whoAmI()) === ada.name, 'a sign-in by way of the proxy fails')
      if (thief === 'after') {
        await other.send(to.href, { says: 'opens where the proxy led another browser' })
        world.hold('TX-20', !(await isSignedIn(other)), 'another browser was signed in by way of the proxy')
      }
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-20'],
    name: 'a redirect proxy forwards nothing by a state that it cannot open',
    story: 'An attacker writes a state that names her own host, and the proxy brings her the victim’s code.',
    advice: 'Take the origin from what opens under the shared secret, and from nowhere else.',
    setups: proxied,
    needs: ['tokens'],
    runs: 50,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      state: fc.constantFrom(...Object.keys(forged)),
      extra: fc.constantFrom({}, { origin: evil }, { callbackUrl: evil }, { redirect_uri: evil }),
    }),
    async run(world, { provider, state: kind, extra }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const state = arrival.parameters.get('state')
      world.demand(state !== null, 'a sign-in by way of the proxy has no state')
      const callback = `${world.basePath}/callback/${world.idOf(provider)}`
      const sent = (await forged[kind]?.(state ?? '', world, callback)) ?? ''
      const spoilt = withParameters(arrival, (query) => {
        query.set('state', sent)
        for (const [name, value] of Object.entries(extra)) query.set(name, value)
      })
      const before = await takeStock(world, browser)
      const { location } = await arriveAt(browser, proxy, world, spoilt)
      const code = arrival.parameters.get('code') ?? 'none'
      world.hold(
        'TX-20',
        !location || [proxy, world.origin].includes(location.origin),
        `the proxy led to ${location?.origin}`,
      )
      world.hold('TX-20', !location?.href.includes(code), `the proxy forwarded the code by ${kind}`)
      await holdRefused(world, 'TX-20', browser, before, `the state was ${kind}`)
      const good = await arriveAt(
        browser,
        proxy,
        world,
        withParameters(arrival, (query) => {
          for (const [name, value] of Object.entries(extra)) query.append(name, value)
        }),
      )
      world.demand(good.location?.origin === world.origin, 'the proxy does not forward a good state')
      world.reach(kind)
    },
  }),

  property({
    proves: ['DEC-41a', 'TX-20'],
    name: 'a redirect proxy forwards to no origin that is not on its own list, though a deployment sealed it',
    story:
      'A preview that trusts its Host seals the host of an attacker, and the proxy sends her the codes of all users.',
    advice:
      'Compare the origin with a list of the proxy; the shared secret says only that a deployment sealed it.',
    setups: {
      'without a list': { config: { redirectProxyUrl } },
      'with an empty list': { config: { redirectProxyUrl, redirectProxy: { allow: [] } } },
      'with a list of others': {
        config: { redirectProxyUrl, redirectProxy: { allow: [preview, 'http://evil.example'] } },
      },
      'with a function': {
        config: {
          redirectProxyUrl,
          redirectProxy: { allow: (origin: string) => (origin === preview ? true : 'no') },
        },
      },
    },
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      host: fc.constantFrom(evil, 'https://preview.example.evil.example', 'https://evil.example:8443'),
    }),
    async run(world, { provider, host }) {
      const browser = world.browser('eve')
      const { json } = await browser.send(`${host}${world.basePath}/csrf`)
      const { location } = await browser.send(`${host}${world.basePath}/signin/${world.idOf(provider)}`, {
        form: { csrfToken: String(member(json, 'csrfToken')) },
      })
      world.demand(location?.searchParams.get('redirect_uri')?.startsWith(`${proxy}/`) === true, 'no sign-in')
      if (!location) return
      const victim = world.browser('ada')
      const arrival = await consentTo(world, provider, location, subjectOf(world.people.ada, provider))
      const before = await takeStock(world, victim)
      const hop = await arriveAt(victim, proxy, world, arrival)
      const code = arrival.parameters.get('code') ?? 'none'
      const isSent =
        hop.location !== undefined && (hop.location.origin === host || hop.location.href.includes(code))
      world.hold('DEC-41a', !isSent, `the proxy sends the code of ada to ${hop.location?.origin}`)
      await holdRefused(world, 'DEC-41a', victim, before, 'a response for a host that is not listed came')
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-20'],
    name: 'a host that is not the proxy forwards nothing, though the state is a good one',
    story: 'Any host of a group becomes an open redirect for the codes of the others.',
    advice: 'Let only the host of redirectProxyUrl forward.',
    setups: proxied,
    runs: 15,
    input: fc.constantFrom(...remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      const { json } = await browser.send(`${preview}${world.basePath}/csrf`)
      const started = await browser.send(`${preview}${world.basePath}/signin/${world.idOf(provider)}`, {
        form: { csrfToken: String(member(json, 'csrfToken')) },
      })
      const isAway = started.location?.origin === new URL(world.idps[provider].issuer).origin
      world.demand(isAway, 'a sign-in at another host fails')
      if (!started.location) return
      const arrival = await consentTo(
        world,
        provider,
        started.location,
        subjectOf(world.people.ada, provider),
      )
      const before = await takeStock(world, browser)
      const { location } = await arriveAt(browser, world.origin, world, arrival)
      world.hold('TX-20', location?.origin !== preview, 'a host that is no proxy forwarded an answer')
      await holdRefused(world, 'TX-20', browser, before, 'an answer for another host came')
      const forwarded = await arriveAt(browser, proxy, world, arrival)
      world.demand(forwarded.location?.origin === preview, 'the proxy does not forward a good state')
    },
  }),
]
