import fc from 'fast-check'
import type { Endpoint, Fault, TransportFault } from '../world/idp/faults.ts'
import { property, type Property } from './property.ts'
import { holdFaultRefused, signInUnder } from './support/faulty.ts'
import { holdUnchanged, takeStock } from './support/stock.ts'
import { withUserinfo, days } from './support/identity-responses.ts'

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
      // An application may remember for a while that a provider failed.
      world.pass(60)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(faults.join(', '))
    },
  }),
]
