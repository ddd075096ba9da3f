import fc from 'fast-check'
import type { RequirementId } from 'authmachine/spec'
import type { Setup } from '../targets/setup.ts'
import type { Fault } from '../world/idp/faults.ts'
import { property, type Property } from './property.ts'
import { holdFaultRefused, signInUnder } from './support/faulty.ts'
import { withoutTls } from './support/without-tls.ts'

const oneAlgorithm: Setup = {
  idp: {
    alpha: { metadata: { id_token_signing_alg_values_supported: ['RS256'] } },
    beta: { alg: 'ES256', metadata: { id_token_signing_alg_values_supported: ['ES256'] } },
  },
}

/** Metadata that lists what it should not: what a provider could do is no agreement that it does. */
const anyAlgorithm: Setup = {
  provider: { alpha: { issuer: 'https://any-alpha.example' }, beta: { issuer: 'https://any-beta.example' } },
  idp: {
    alpha: {
      issuer: 'https://any-alpha.example',
      metadata: { id_token_signing_alg_values_supported: ['none', 'RS256', 'XS256'] },
    },
    beta: {
      issuer: 'https://any-beta.example',
      alg: 'ES256',
      metadata: { id_token_signing_alg_values_supported: ['ES256', 'none', 'XS256'] },
    },
  },
}

const withNonce: Setup = {
  provider: { alpha: { checks: ['pkce', 'nonce'] }, beta: { checks: ['nonce', 'state'] } },
}

interface Refusal {
  readonly id: RequirementId
  readonly name: string
  readonly story: string
  readonly advice: string
  readonly faults: readonly Fault[]
  readonly setups?: Readonly<Record<string, Setup>>
  readonly at?: readonly ('alpha' | 'beta')[]
}

/** Statements of one form: an id_token with this fault opens nothing. */
const refusals: readonly Refusal[] = [
  {
    id: 'OI-01',
    name: 'an id_token of another issuer opens nothing, however alike the names are',
    story: 'A provider signs its users in under the name of another one.',
    advice: 'Compare `iss` with the configured issuer to the letter.',
    faults: ['issuer-wrong', 'issuer-with-slash', 'issuer-in-capitals', 'issuer-prefix', 'issuer-missing'],
  },
  {
    id: 'OI-02',
    name: 'an id_token for another application opens nothing',
    story: 'An application that somebody uses elsewhere signs them in here with the token that it was given.',
    advice: 'Demand the own client_id in `aud`, nobody else beside it, and the same in `azp`.',
    faults: ['audience-wrong', 'audience-missing', 'audience-extra', 'audience-extra-azp-wrong', 'azp-wrong'],
  },
  {
    id: 'OI-03',
    name: 'an id_token out of its time, or without one, opens nothing',
    story: 'A token that was stolen long ago, or that was made for later, is as good as a new one.',
    advice: 'Demand exp and iat as numbers, and allow a minute of skew at most.',
    faults: ['expired-long', 'exp-missing', 'exp-text', 'nbf-far', 'iat-far', 'iat-missing'],
  },
  {
    id: 'OI-04',
    name: 'an id_token whose nonce is not the one that was sent opens nothing',
    story: 'A token of another sign-in is put into this one.',
    advice: 'Compare the nonce with the sealed one, and refuse a token without.',
    faults: ['nonce-wrong', 'nonce-missing'],
    setups: { asked: withNonce },
  },
  {
    id: 'OI-05',
    name: 'an id_token without a proper subject opens nothing',
    story: 'All who come without a subject share one account.',
    advice: 'Demand 1 to 255 ASCII characters.',
    faults: ['sub-missing', 'sub-empty', 'sub-long', 'sub-number', 'sub-not-ascii'],
  },
  {
    id: 'OI-06',
    name: 'an id_token by an algorithm that nobody agreed on opens nothing',
    story: 'Whoever knows a public key, or nothing at all, signs tokens in the name of the provider.',
    advice: 'Take the algorithms from the metadata or the registration, never from the token.',
    faults: [
      'alg-none',
      'alg-hs256-public-key',
      'alg-hs256-secret',
      'alg-unknown',
      'alg-missing',
      'alg-swapped',
    ],
    setups: { 'one algorithm': oneAlgorithm, 'no signature among them': anyAlgorithm },
  },
  {
    id: 'OI-07',
    name: 'an id_token with a bad signature opens nothing where no TLS vouches for it',
    story: 'Who sits between application and provider signs in as anybody.',
    advice: 'Verify the signature always: that is the one way to know.',
    faults: [
      'signature-flipped',
      'signature-missing',
      'signature-foreign',
      'kid-unknown',
      'alg-none',
      'alg-swapped',
    ],
    setups: { 'http on loopback': withoutTls },
    at: ['alpha'],
  },
  {
    id: 'OI-08',
    name: 'an id_token whose at_hash or c_hash belongs to other tokens opens nothing',
    story: 'An access token or a code of somebody else is put beside an honest id_token.',
    advice: 'Compare the hashes wherever they are present.',
    faults: ['at-hash-wrong', 'at-hash-number', 'c-hash-wrong'],
  },
  {
    id: 'OI-09',
    name: 'an id_token whose header demands what nobody understands opens nothing',
    story: 'A signature that means something else to its maker is taken for a plain one.',
    advice: 'Refuse every entry of `crit` that is not implemented.',
    faults: ['crit-header'],
  },
]

export const identityTokenProperties: readonly Property[] = [
  ...refusals.map(({ id, faults, at = ['alpha', 'beta'], setups = { database: {} }, ...about }) =>
    property({
      proves: [id],
      ...about,
      setups,
      runs: 8 * faults.length,
      input: fc.record({ provider: fc.constantFrom(...at), fault: fc.constantFrom(...faults) }),
      run: (world, { provider, fault }) => holdFaultRefused(world, id, provider, fault),
    }),
  ),

  property({
    proves: ['OI-01'],
    name: 'an id_token that can be held against no issuer says nothing of who somebody is',
    story: 'A provider of which no issuer is known signs its users in under the names of others.',
    advice: 'Leave out the id_token of a provider that has no issuer; its userinfo says who it is.',
    setups: {
      'no issuer': {
        provider: {
          plain: { authorization: { url: 'https://plain.example/authorize', params: { scope: 'openid' } } },
        },
      },
    },
    runs: 10,
    input: fc.constantFrom<(readonly Fault[])[]>([], ['issuer-wrong'], ['issuer-missing']),
    async run(world, faults) {
      const browser = world.browser('ada')
      const arrival = await browser.visit('plain', world.people.ada)
      world.idps.plain.misbehave(...faults)
      await browser.arrive(arrival)
      const who = await browser.whoAmI()
      world.demand(who !== undefined, 'a provider that adds an id_token is refused')
      world.hold('OI-01', who === 'ada', `an id_token of no issuer signs in ${who ?? ''}`)
    },
  }),

  property({
    proves: ['OI-04'],
    name: 'an id_token of an earlier sign-in opens nothing',
    story: 'A provider’s answer that was read once is played back into the sign-in of somebody else.',
    advice: 'Send a nonce with every sign-in.',
    setups: { usual: {}, asked: withNonce },
    runs: 20,
    input: fc.constantFrom('alpha', 'beta'),
    async run(world, provider) {
      const { location } = await world.browser('ada').start(provider)
      // Without a nonce nothing in a token tells whose sign-in it is of.
      if (!location?.searchParams.has('nonce')) return world.reach('no nonce was sent')
      await world.browser('bob').signIn(provider, world.people.bob)
      const opened = await signInUnder(world, provider, 'id-token-earlier')
      world.hold('OI-04', !opened, `an id_token of an earlier sign-in at ${provider} opened a session`)
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['OI-05'],
    name: 'a subject of 255 characters is as good as any',
    story: 'Users of a provider with long subjects cannot sign in.',
    advice: 'Allow what OpenID Connect allows.',
    // Where nobody else has the address yet.
    needs: ['store'],
    runs: 5,
    async run(world) {
      world.hold(
        'OI-05',
        await signInUnder(world, 'alpha', 'sub-longest'),
        'a subject of 255 characters is refused',
      )
    },
  }),
]
