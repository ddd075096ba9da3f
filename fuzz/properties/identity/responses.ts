import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { Endpoint, Fault, TransportFault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import { checkFaultRefused, signInUnder } from '../support/faulty.ts'
import { checkUnchanged, takeSnapshot } from '../support/snapshot.ts'
import { withUserinfo, days } from '../support/identity-responses.ts'

/** Faults of every endpoint; a response that never ends is covered by timeouts. */
const garbage: readonly TransportFault[] = [
  'network-error',
  'html',
  'html-with-json-type',
  'json-with-html-type',
  'json-with-sequence-type',
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
    proves: ['OI-27'],
    name: 'signs in if an optional member of a token response is null, empty or a number',
    story: 'A provider sends a member without a value, and its users cannot sign in.',
    advice: 'Treat an optional member that is null, or that is not a text, as if it were missing.',
    severity: 'hardening',
    runs: 27,
    ...everyOf({
      provider: ['alpha', 'beta', 'plain'],
      member: ['refresh_token', 'scope', 'expires_in'],
      value: [null, '', 7],
    }),
    async run(world, { provider, member, value }) {
      const { ada } = world.people
      const idp = world.idps[provider]
      const browser = world.browser('ada')
      idp.addToTokens({ [member]: value })
      await browser.arrive(await browser.visit(provider, ada))
      idp.addToTokens({})
      const isIn = (await browser.whoAmI()) === ada.name
      const says = `a token response of ${provider} whose ${member} is ${JSON.stringify(value)} signs nobody in`
      world.check('OI-27', isIn, says, { observed: 'a broken rule' })
      world.reach(member)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['OI-13'],
    name: 'signs nobody in from a response that is not JSON or reports a failure',
    story: 'An error page of a provider or proxy is read as a user.',
    advice: 'Check status, media type, size and object type before you use anything.',
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
      world.advance(later * 86_400)
      const idp = world.idps[provider]
      const requests = idp.requestsTo(endpoint).length
      const watching = world.browser('ada')
      const before = await takeSnapshot(world, watching)
      const opened = await signInUnder(world, provider, `${endpoint}:${fault}`)
      // A response that was not requested does no harm.
      if (idp.requestsTo(endpoint).length === requests) return
      world.check(
        'OI-13',
        !opened,
        `somebody is signed in at ${provider}, although its ${endpoint} endpoint has the fault “${fault}”`,
      )
      await checkUnchanged(
        world,
        'OI-13',
        watching,
        before,
        `the ${endpoint} endpoint of ${provider} returns ${fault}`,
      )
      world.advance(3600)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(endpoint)
    },
  }),

  property({
    proves: ['FI-06'],
    name: 'rejects an oversized response, even a complete one',
    story: 'A compromised provider or a proxy fills the application’s memory.',
    advice: 'Count bytes while they arrive, across all chunks of a response, and stop at a limit.',
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
      world.advance(later * 86_400)
      const idp = world.idps[provider]
      const requests = idp.requestsTo(endpoint).length
      const opened = await signInUnder(world, provider, `${endpoint}:oversize`)
      if (idp.requestsTo(endpoint).length === requests) return
      world.check('FI-06', !opened, `a 32 MiB response of the ${endpoint} signs somebody in`, {
        observed: 'a lax check',
      })
      world.reach('hit')
      world.advance(3600)
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['OI-14'],
    name: 'rejects a token response with an error or without a usable token',
    story: 'A provider reports an error with status 200, and the application reads it as a success.',
    advice: 'Check `error` first, then require access_token and a known token_type.',
    portable: true,
    runs: 60,
    ...everyOf({
      provider: ['alpha', 'beta', 'plain'],
      fault: [
        'error-with-200',
        'error-beside-tokens',
        'access-token-missing',
        'access-token-empty',
        'access-token-number',
        'token-type-mac',
        'token-type-dpop',
        'token-type-missing',
      ],
    }),
    async run(world, { provider, fault }) {
      if (fault === 'token-type-dpop') {
        // The type does not matter without a use of the access token, or to a client that supports DPoP.
        if (provider !== 'plain') return
        await world.browser('ada').signIn(provider, world.people.ada)
        if (world.idps[provider].requestsTo('token').some(({ headers }) => headers.has('dpop'))) return
      }
      // RFC 6749 5.1 demands these members of a provider, and lets a client ignore others.
      const observed = fault === 'error-with-200' ? 'a session' : 'a broken rule'
      await checkFaultRefused(world, 'OI-14', provider, fault, { observed })
    },
  }),

  property({
    proves: ['OI-15'],
    name: 'rejects metadata of another issuer',
    story: 'A document on one host claims to describe another host.',
    advice: 'Compare the document’s `issuer` with the configured one, character by character.',
    needs: ['clock'],
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta'),
      // In the last two the whole provider uses the other name.
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
      world.advance(later * 86_400)
      const idp = world.idps[provider]
      const requests = idp.requestsTo('discovery').length
      const isRead = () => idp.requestsTo('discovery').length > requests
      idp.misbehave(...faults)
      const { location } = await world.browser('ada').start(provider)
      const starts = isRead() && location?.origin === new URL(idp.issuer).origin
      const opened = await signInUnder(world, provider, ...faults)
      world.assume(isRead(), 'no metadata was requested')
      world.check(
        'OI-15',
        !opened,
        `a sign-in at ${provider} succeeds, although its metadata has the faults ${faults.join(', ')}`,
      )
      world.check(
        'OI-15',
        !starts,
        `a sign-in at ${provider} starts, although its metadata has the faults ${faults.join(', ')}`,
      )
      // An application may cache a provider's failure for a while.
      world.advance(60)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(faults.join(', '))
    },
  }),
]
