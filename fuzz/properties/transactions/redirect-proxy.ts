import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Arrival, Browser } from '../../world/browser.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { checkRefused, isSignedIn, takeSnapshot } from '../support/snapshot.ts'

const proxy = 'https://proxy.example'
const preview = 'https://preview.example'
const redirectProxyUrl = `${proxy}/auth`
const allow = ['https://app.example', preview]
const proxied = { proxied: { config: { redirectProxyUrl, redirectProxy: { allow } } } }
const evil = 'https://evil.example'

/** States that this deployment group never sealed, derived from a valid one. */
const forged: Readonly<
  Record<string, (state: string, world: World, callback: string) => Promise<string> | string>
> = {
  'one letter changed': (state) =>
    `${state.slice(0, 40)}${state.charAt(40) === 'A' ? 'B' : 'A'}${state.slice(41)}`,
  truncated: (state) => state.slice(0, -4),
  'a URL': (_, __, callback) => `${evil}${callback}`,
  'a URL after the sealed state': (state, _, callback) => `${state},${evil}${callback}`,
  'unsealed data': (_, __, callback) => encode({ origin: `${evil}${callback}`, random: 'x' }),
  'an unsigned token': (_, __, callback) =>
    `${encode({ alg: 'none' })}.${encode({ origin: `${evil}${callback}`, exp: 9_999_999_999 })}.`,
  'a token under another secret': async (_, { tokens }, callback) =>
    (await tokens?.encode({
      secret: 'the secret of another deployment, which is long enough',
      salt: 'encodedState',
      token: { origin: `${evil}${callback}`, random: 'x' },
    })) ?? 'e30',
  empty: () => '',
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Delivers a response to a host, as the provider would. */
function arriveAt(browser: Browser, host: string, world: World, arrival: Arrival): Promise<Reply> {
  const path = `${world.basePath}/callback/${world.idOf(arrival.provider) ?? ''}`
  return browser.send(`${host}${path}?${arrival.parameters}`, { says: `returns to ${host}` })
}

export const redirectProxyProperties: readonly Property[] = [
  property({
    proves: ['TX-20', 'TX-14'],
    name: 'forwards a response through the redirect proxy only to the browser that started the sign-in',
    story:
      'The provider knows only the proxy’s callback, and the proxy forwards a victim’s response to the attacker’s browser.',
    advice:
      'Seal the origin into the state, forward only a state that opens, and check the cookies at the origin.',
    setups: proxied,
    runs: 25,
    input: fc.record({ provider: fc.constantFrom(...remotes), thief: fc.constantFrom('before', 'after') }),
    async run(world, { provider, thief }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const redirectUri = url.searchParams.get('redirect_uri') ?? ''
      world.assume(redirectUri.startsWith(`${proxy}/`), `redirect_uri is ${redirectUri}`)
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      world.prove(browser, ada, provider)
      const hop = await arriveAt(browser, proxy, world, arrival)
      const to = hop.location
      world.assume(
        to !== undefined && to.origin === world.origin,
        `the proxy redirected to ${to?.href ?? hop.status}`,
      )
      if (!to) return
      const callback = `${world.basePath}/callback/${world.idOf(provider)}`
      world.check('TX-20', to.pathname === callback, `the proxy redirected to ${to.pathname}`)
      const other = world.browser('eve')
      const before = await takeSnapshot(world, other)
      if (thief === 'before') {
        await other.send(to.href, { says: 'opens the redirect target of another browser' })
        await checkRefused(
          world,
          'TX-20',
          other,
          before,
          'another browser opened the redirect target of the proxy',
        )
      }
      await browser.send(to.href, { says: 'follows the redirect of the proxy' })
      const [request] = world.idps[provider].requestsTo('token')
      const sent = request?.parameters.get('redirect_uri')
      world.check(
        'TX-14',
        request === undefined || sent === redirectUri,
        `redirect_uri was ${redirectUri}, and is ${sent}`,
      )
      world.assume((await browser.whoAmI()) === ada.name, 'a sign-in through the proxy fails')
      if (thief === 'after') {
        await other.send(to.href, { says: 'opens the redirect target of another browser' })
        world.check('TX-20', !(await isSignedIn(other)), 'another browser was signed in through the proxy')
      }
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-20'],
    name: 'forwards nothing for a state the redirect proxy cannot open',
    story: 'An attacker forges a state with their own host, and the proxy delivers the victim’s code there.',
    advice: 'Take the origin only from a state sealed with the shared secret.',
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
      world.assume(state !== null, 'a sign-in through the proxy has no state')
      const callback = `${world.basePath}/callback/${world.idOf(provider)}`
      const sent = (await forged[kind]?.(state ?? '', world, callback)) ?? ''
      const forgedResponse = withParameters(arrival, (query) => {
        query.set('state', sent)
        for (const [name, value] of Object.entries(extra)) query.set(name, value)
      })
      const before = await takeSnapshot(world, browser)
      const { location } = await arriveAt(browser, proxy, world, forgedResponse)
      const code = arrival.parameters.get('code') ?? 'none'
      world.check(
        'TX-20',
        !location || [proxy, world.origin].includes(location.origin),
        `the proxy redirected to ${location?.origin}`,
      )
      world.check('TX-20', !location?.href.includes(code), `the proxy forwarded the code for ${kind}`)
      await checkRefused(world, 'TX-20', browser, before, `the state was ${kind}`)
      const good = await arriveAt(
        browser,
        proxy,
        world,
        withParameters(arrival, (query) => {
          for (const [name, value] of Object.entries(extra)) query.append(name, value)
        }),
      )
      world.assume(good.location?.origin === world.origin, 'the proxy does not forward a valid state')
      world.reach(kind)
    },
  }),

  property({
    proves: ['DEC-41a'],
    name: 'forwards only to origins on the redirect proxy’s own list, even if a deployment sealed another',
    story:
      'A preview that trusts its Host header seals an attacker’s host, and the proxy sends it every user’s codes.',
    advice:
      'Compare the origin with the proxy’s list. The shared secret proves only that a deployment sealed it.',
    setups: {
      'without a list': { config: { redirectProxyUrl } },
      'with an empty list': { config: { redirectProxyUrl, redirectProxy: { allow: [] } } },
      'with a list of other origins': {
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
      world.assume(location?.searchParams.get('redirect_uri')?.startsWith(`${proxy}/`) === true, 'no sign-in')
      if (!location) return
      const victim = world.browser('ada')
      const arrival = await consentTo(world, provider, location, subjectOf(world.people.ada, provider))
      const before = await takeSnapshot(world, victim)
      const hop = await arriveAt(victim, proxy, world, arrival)
      const code = arrival.parameters.get('code') ?? 'none'
      const isSent =
        hop.location !== undefined && (hop.location.origin === host || hop.location.href.includes(code))
      world.check('DEC-41a', !isSent, `the proxy sends the code of ada to ${hop.location?.origin}`)
      await checkRefused(world, 'DEC-41a', victim, before, 'a response for an unlisted host arrived')
      world.reach(`at ${provider}`)
    },
  }),

  property({
    proves: ['TX-20'],
    name: 'forwards nothing from a host that is not the proxy, even for a valid state',
    story: 'Any host of a group becomes an open redirect for the codes of the others.',
    advice: 'Let only the host of redirectProxyUrl forward.',
    setups: proxied,
    runs: 15,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      const { json } = await browser.send(`${preview}${world.basePath}/csrf`)
      const started = await browser.send(`${preview}${world.basePath}/signin/${world.idOf(provider)}`, {
        form: { csrfToken: String(member(json, 'csrfToken')) },
      })
      const isAway = started.location?.origin === new URL(world.idps[provider].issuer).origin
      world.assume(isAway, 'a sign-in at another host fails')
      if (!started.location) return
      const arrival = await consentTo(
        world,
        provider,
        started.location,
        subjectOf(world.people.ada, provider),
      )
      const before = await takeSnapshot(world, browser)
      const { location } = await arriveAt(browser, world.origin, world, arrival)
      world.check('TX-20', location?.origin !== preview, 'a host that is not the proxy forwarded a response')
      await checkRefused(world, 'TX-20', browser, before, 'a response for another host arrived')
      const forwarded = await arriveAt(browser, proxy, world, arrival)
      world.assume(forwarded.location?.origin === preview, 'the proxy does not forward a valid state')
    },
  }),

  property({
    proves: ['TX-20', 'TX-05'],
    name: 'does not forward a response of one provider to the callback of another',
    story:
      'A malicious provider redirects Ada to an honest one with the state of her sign-in. The proxy forwards the honest provider’s code to the callback of the malicious one, and its token endpoint receives the code.',
    advice:
      'Before you forward a response, compare the callback named in the state with the one where it arrived.',
    setups: proxied,
    runs: 12,
    input: fc
      .record({ evil: fc.constantFrom(...remotes), honest: fc.constantFrom(...remotes) })
      .filter(({ evil: one, honest }) => one !== honest),
    async run(world, { evil: malicious, honest }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const state = (await startAt(world, browser, malicious)).searchParams.get('state')
      world.assume(state !== null, 'a sign-in through the proxy has no state')
      // The malicious provider sends a request to the honest one, with a challenge of its choice.
      const url = await startAt(world, world.browser('eve'), honest)
      url.searchParams.set('state', state ?? '')
      const arrival = await consentTo(world, honest, url, subjectOf(ada, honest))
      const code = arrival.parameters.get('code') ?? 'none'
      const before = await takeSnapshot(world, browser)
      const { location } = await arriveAt(browser, proxy, world, arrival)
      const isSent = location !== undefined && location.href.includes(code)
      world.check('TX-20', !isSent, `the proxy sends the code of ${honest} to ${location?.pathname}`)
      if (location) await browser.send(location.href, { says: 'follows the redirect of the proxy' })
      const got = world.idps[malicious]
        .requestsTo('token')
        .some(({ parameters }) => parameters.get('code') === code)
      world.check('TX-05', !got, `${malicious} received the code of ${honest}`)
      await checkRefused(world, 'TX-05', browser, before, `the state belonged to a sign-in at ${malicious}`)
      world.reach(`${honest} at ${malicious}`)
    },
  }),
]
