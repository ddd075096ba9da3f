import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { Endpoint, Fault, TransportFault } from '../world/idp/faults.ts'
import { property, type Property } from './property.ts'
import { consentTo, startAt, subjectOf, withParameters } from './support/consent.ts'
import { holdFaultRefused, signInUnder } from './support/faulty.ts'
import { holdUnchanged, takeStock } from './support/stock.ts'

const withUserinfo: Setup = { provider: { alpha: { idToken: false } } }
/** What no endpoint may answer; that of which a part is missing for ever is about time. */
const garbage: readonly TransportFault[] = [
  'network-error',
  'html',
  'html-with-json-type',
  'json-with-html-type',
  'empty',
  '204',
  '302',
  '307',
  '400',
  '500',
  '500-json',
  'oversize',
  'truncated',
  'array',
  'null',
]
/** What a target remembers of earlier cases is out of date after some days, other ones each time. */
const days = fc.integer({ min: 1, max: 2900 })

function plainHttp(issuer: string): Setup {
  return { provider: { alpha: { issuer } }, idp: { alpha: { issuer } } }
}

const insecure: Readonly<Record<string, Setup>> = {
  issuer: plainHttp('http://alpha.example'),
  'token endpoint': { idp: { alpha: { metadata: { token_endpoint: 'http://alpha.example/token' } } } },
  'authorization endpoint': {
    idp: { alpha: { metadata: { authorization_endpoint: 'http://alpha.example/authorize' } } },
  },
  userinfo: {
    ...withUserinfo,
    idp: { alpha: { metadata: { userinfo_endpoint: 'http://alpha.example/userinfo' } } },
  },
  keys: { idp: { alpha: { metadata: { jwks_uri: 'http://alpha.example/jwks' } } } },
  'a host that ends like a loopback one': plainHttp('http://notlocalhost'),
  'a host that begins like a loopback one': plainHttp('http://localhost.alpha.example'),
  'a host that begins like a loopback address': plainHttp('http://127.0.0.1.alpha.example'),
  'configured endpoint': { provider: { plain: { token: 'http://plain.example/token' } } },
}

export const identityResponseProperties: readonly Property[] = [
  property({
    proves: ['OI-13'],
    name: 'an answer that is none of JSON, or of a failure, makes nobody of anybody',
    story: 'An error page of a provider, or of a proxy on the way, is taken for a user.',
    advice: 'Demand the status, the media type, an object and a size, before anything is read.',
    needs: ['clock'],
    setups: { userinfo: withUserinfo },
    runs: 80,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      endpoint: fc.constantFrom<Endpoint[]>('token', 'userinfo', 'discovery', 'jwks'),
      fault: fc.constantFrom(...garbage),
      days,
    }),
    async run(world, { provider, endpoint, fault, days: later }) {
      world.pass(later * 86_400)
      const idp = world.idps[provider]
      const asked = idp.requestsTo(endpoint).length
      const watching = world.browser('ada')
      const before = await takeStock(world, watching)
      const opened = await signInUnder(world, provider, `${endpoint}:${fault}`)
      // What was not asked for can't do harm.
      if (idp.requestsTo(endpoint).length === asked) return
      world.hold('OI-13', !opened, `somebody is signed in at ${provider}, whose ${endpoint} answers ${fault}`)
      await holdUnchanged(world, 'OI-13', watching, before, `the ${endpoint} of ${provider} answers ${fault}`)
      world.pass(3600)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(endpoint)
    },
  }),

  property({
    proves: ['FI-06', 'OI-13'],
    name: 'an answer that has everything, and is far too large, makes nobody of anybody',
    story: 'A provider that was taken over, or a proxy, fills the memory of an application.',
    advice: 'Count bytes while they come, all chunks of an answer together, and stop at a limit.',
    needs: ['clock'],
    setups: { database: {}, userinfo: withUserinfo },
    runs: 14,
    reaches: { hit: 4 },
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      endpoint: fc.constantFrom<Endpoint[]>('token', 'userinfo', 'discovery', 'jwks'),
      days,
    }),
    async run(world, { provider, endpoint, days: later }) {
      world.pass(later * 86_400)
      const idp = world.idps[provider]
      const asked = idp.requestsTo(endpoint).length
      const opened = await signInUnder(world, provider, `${endpoint}:oversize`)
      if (idp.requestsTo(endpoint).length === asked) return
      world.hold('FI-06', !opened, `somebody is signed in by an answer of 32 MiB of the ${endpoint}`)
      world.reach('hit')
      world.pass(3600)
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['OI-14'],
    name: 'a token response that is an error, or has no usable token, opens nothing',
    story: 'A provider that refuses with status 200 is taken for one that agrees.',
    advice: 'Look for `error` first, then demand access_token and a known token_type.',
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta', 'plain'),
      fault: fc.constantFrom<Fault[]>(
        'error-with-200',
        'error-beside-tokens',
        'access-token-missing',
        'access-token-empty',
        'access-token-number',
        'token-type-mac',
        'token-type-dpop',
        'token-type-missing',
      ),
    }),
    async run(world, { provider, fault }) {
      if (fault === 'token-type-dpop') {
        // Where no access token is used its type is no matter, nor is this one to who has a key to show with it.
        if (provider !== 'plain') return
        await world.browser('ada').signIn(provider, world.people.ada)
        if (world.idps[provider].requestsTo('token').some(({ headers }) => headers.has('dpop'))) return
      }
      await holdFaultRefused(world, 'OI-14', provider, fault)
    },
  }),

  property({
    proves: ['OI-15'],
    name: 'metadata of another issuer is not used',
    story: 'A document on one host speaks for another one.',
    advice: 'Compare `issuer` of the document with the configured one to the letter.',
    needs: ['clock'],
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta'),
      // In the last two everything that comes from there agrees upon the other name.
      faults: fc.constantFrom<(readonly Fault[])[]>(
        ['discovery-issuer-wrong'],
        ['discovery-issuer-with-slash'],
        ['discovery-issuer-missing'],
        ['discovery-issuer-number'],
        ['discovery-issuer-wrong', 'issuer-wrong', 'iss-wrong'],
        ['discovery-issuer-with-slash', 'issuer-with-slash', 'iss-with-slash'],
      ),
      days,
    }),
    async run(world, { provider, faults, days: later }) {
      world.pass(later * 86_400)
      const asked = world.idps[provider].requestsTo('discovery').length
      const opened = await signInUnder(world, provider, ...faults)
      world.demand(world.idps[provider].requestsTo('discovery').length > asked, 'no metadata was asked for')
      world.hold(
        'OI-15',
        !opened,
        `somebody is signed in at ${provider}, whose metadata is not its own: ${faults.join(', ')}`,
      )
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(faults.join(', '))
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'nothing of a sign-in goes over plain http',
    story: 'Who reads the network reads codes, secrets and tokens, or answers in the place of the provider.',
    advice: 'Demand https of every URL that is used, but on a loopback host.',
    setups: insecure,
    runs: 4,
    async run(world) {
      const browser = world.browser('ada')
      for (const provider of ['alpha', 'plain'] as const) {
        const { location } = await browser.start(provider)
        world.hold('OI-16', location?.protocol !== 'http:', `the browser is sent to ${location?.href}`)
        if (!location || location.origin === world.origin) continue
        world.prove(browser, world.people.ada, provider)
        await browser.arrive(
          await consentTo(world, provider, location, subjectOf(world.people.ada, provider)),
        )
      }
      const sent = world.network.sent.find(({ url }) => url.startsWith('http:'))
      world.hold('OI-16', sent === undefined, `a request went to ${sent?.url}`)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'no redirect of an endpoint is followed',
    story: 'A redirect takes codes and client secrets to another host.',
    advice: 'Send with `redirect: manual`, and refuse every answer of the 300s.',
    needs: ['clock'],
    setups: { userinfo: withUserinfo },
    runs: 30,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      endpoint: fc.constantFrom<Endpoint[]>('token', 'userinfo', 'discovery', 'jwks'),
      fault: fc.constantFrom('302', '307'),
      days,
    }),
    async run(world, { provider, endpoint, fault, days: later }) {
      world.pass(later * 86_400)
      const opened = await signInUnder(world, provider, `${endpoint}:${fault}`)
      const followed = world.idps[provider].requestsTo('unknown').length
      world.hold('OI-16', followed === 0, `a ${fault} of the ${endpoint} endpoint was followed`)
      world.reach(opened ? 'not asked' : endpoint)
    },
  }),

  property({
    proves: ['OI-16'],
    name: 'plain http is good enough on a loopback host',
    story: 'Nobody can try an application on their own machine.',
    advice: 'Take localhost, 127.0.0.1 and ::1 for safe.',
    setups: {
      loopback: {
        provider: { alpha: { issuer: 'http://localhost:4998' } },
        idp: { alpha: { issuer: 'http://localhost:4998' } },
      },
    },
    runs: 3,
    async run(world) {
      world.hold(
        'OI-16',
        (await world.browser('ada').signIn('alpha', world.people.ada)).status < 400,
        'it is refused',
      )
    },
  }),

  property({
    proves: ['OI-20'],
    name: 'a token that a browser brings is no proof of anything',
    story: 'A token that another application was given is brought here, and its user is signed in.',
    advice: 'Take tokens from the token endpoint alone.',
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      by: fc.constantFrom('GET', 'POST'),
      names: fc.oneof(
        fc.subarray(['access_token', 'id_token', 'token', 'response'], { minLength: 1 }),
        fc.constantFrom(['access_token'], ['id_token'], ['access_token', 'id_token']),
      ),
      state: fc.boolean(),
      hasCode: fc.boolean(),
    }),
    async run(world, { provider, by, names, state, hasCode }) {
      const { ada, bob } = world.people
      const other = world.browser('bob')
      await other.signIn(provider, bob)
      const [row] = world.features.has('store') ? world.rows.accounts : []
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      const brought = withParameters(arrival, (query) => {
        if (!hasCode) query.delete('code')
        if (!hasCode && !state) query.delete('state')
        for (const name of names) {
          const token = row?.[name === 'access_token' ? name : 'id_token']
          query.set(name, typeof token === 'string' ? token : 'e30.e30.')
        }
      })
      const before = await takeStock(world, browser)
      if (hasCode) {
        // The code is Ada's; so may the session be.
        world.prove(browser, ada, provider)
        await browser.arrive(brought)
        const me = await browser.whoAmI()
        const says = `the browser brought ${names.join(' and ')} of bob beside a code of ada, and is the one of ${me ?? ''}`
        return world.hold('OI-20', me === undefined || me === ada.name, says)
      }
      await browser.arrive({ ...brought, mode: by === 'GET' ? 'query' : 'form_post' })
      await holdUnchanged(world, 'OI-20', browser, before, `the browser brought ${names.join(' and ')}`)
      await browser.start(provider, Object.fromEntries(brought.parameters))
      await holdUnchanged(
        world,
        'OI-20',
        browser,
        before,
        `a sign-in was asked for with ${names.join(' and ')}`,
      )
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['OI-22'],
    name: 'what is stored of a token says when it ends, as a number',
    story: 'A lifetime that is no number is computed with, and a token is never, or always, renewed.',
    advice: 'Store now + expires_in for a finite number that is not negative, and otherwise nothing.',
    needs: ['store', 'clock'],
    runs: 50,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      fault: fc.constantFrom<(Fault | 'none')[]>(
        'none',
        'token-type-capitals',
        'expires-in-text',
        'expires-in-empty',
        'expires-in-blank',
        'expires-in-words',
        'expires-in-negative',
        'expires-in-missing',
        'expires-in-null',
        'expires-in-list',
        'expires-in-endless',
      ),
    }),
    async run(world, { provider, fault }) {
      const opened =
        fault === 'none'
          ? Boolean(await world.browser('ada').signIn(provider, world.people.ada))
          : await signInUnder(world, provider, fault)
      const [row] = world.rows.accounts
      const isOrdinary = ['none', 'token-type-capitals'].includes(fault)
      world.demand(opened || !isOrdinary, 'an ordinary sign-in fails')
      // Garbage may be refused as a whole.
      if (!row) return world.reach('refused')
      const now = Math.floor(world.clock.now() / 1000)
      const right = isOrdinary ? now + 3600 : fault === 'expires-in-text' ? now + 1800 : undefined
      const { expires_at: at } = row
      world.hold(
        'OI-22',
        (at ?? undefined) === right,
        `expires_at is ${String(at)} after ${fault}, and should be ${right}`,
      )
      world.reach(fault)
    },
  }),

  property({
    proves: ['OI-23'],
    name: 'the type of a token is stored in lower case',
    story: 'Code that compares the type sends a token in the wrong way, or not at all.',
    advice: 'Store token_type in lower case.',
    needs: ['store'],
    runs: 10,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta', 'plain'),
      fault: fc.constantFrom<(readonly Fault[])[]>([], ['token-type-capitals']),
    }),
    async run(world, { provider, fault }) {
      world.demand(await signInUnder(world, provider, ...fault), 'an ordinary sign-in fails')
      const type = world.rows.accounts[0]?.token_type
      world.hold('OI-23', type === 'bearer', `token_type is ${String(type)}`)
    },
  }),
]
