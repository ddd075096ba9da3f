import fc from 'fast-check'
import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import type { RequirementId } from 'authmachine/spec'
import type { Severity } from '../../causes.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Meaning } from '../../world/breach.ts'
import type { Fault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import { subjectOf } from '../support/consent.ts'
import { describeFault } from '../../world/idp/describe-fault.ts'
import { checkFaultRefused, signInBothUnder, signInUnder } from '../support/faulty.ts'
import { requireReading, demandVerification } from '../support/reading.ts'
import { isOnLoopback, withoutTls } from '../support/without-tls.ts'

const oneAlgorithm: Setup = {
  idp: {
    alpha: { metadata: { id_token_signing_alg_values_supported: ['RS256'] } },
    beta: { alg: 'ES256', metadata: { id_token_signing_alg_values_supported: ['ES256'] } },
  },
}

/** Metadata with algorithms that the client did not register; a supported algorithm is not an agreed one. */
const anyAlgorithm: Setup = {
  provider: { alpha: { issuer: 'https://any-alpha.example' }, beta: { issuer: 'https://any-beta.example' } },
  idp: {
    alpha: {
      issuer: 'https://any-alpha.example',
      metadata: { id_token_signing_alg_values_supported: ['none', 'RS256', 'HS256', 'XS256'] },
    },
    beta: {
      issuer: 'https://any-beta.example',
      alg: 'ES256',
      metadata: { id_token_signing_alg_values_supported: ['ES256', 'none', 'HS256', 'XS256'] },
    },
  },
}

/** A client that registered HS256, which signs with its secret. */
const withSecret: Setup = {
  provider: { alpha: { client: { id_token_signed_response_alg: 'HS256' } } },
  idp: { alpha: { alg: 'HS256' } },
}

/** The same provider without TLS, where the client registered this algorithm. */
const signedBy = (alg: 'ES256' | 'HS256'): Setup => ({
  provider: { alpha: { ...withoutTls.provider?.alpha, client: { id_token_signed_response_alg: alg } } },
  idp: { alpha: { ...withoutTls.idp?.alpha, alg } },
})

const withNonce: Setup = {
  provider: { alpha: { checks: ['pkce', 'nonce'] }, beta: { checks: ['nonce', 'state'] } },
}

interface Refusal {
  readonly id: RequirementId
  readonly name: string
  readonly story: string
  readonly advice: string
  readonly severity?: Severity
  readonly faults: readonly Fault[]
  readonly setups?: Readonly<Record<string, Setup>>
  readonly at?: readonly ('alpha' | 'beta')[]
  readonly portable?: boolean
}

/** Builds properties of one form: an id_token with this fault signs nobody in. */
const refusals: readonly Refusal[] = [
  {
    id: 'OI-01',
    name: 'rejects an id_token of another issuer, however similar the names',
    story: 'A provider signs its users in under another provider’s name.',
    advice: 'Compare `iss` with the configured issuer, character by character.',
    faults: [
      'issuer-wrong',
      'issuer-with-slash',
      'issuer-in-capitals',
      'issuer-prefix',
      'issuer-within',
      'issuer-missing',
    ],
  },
  {
    id: 'OI-02',
    name: 'rejects an id_token for another application',
    story: 'Another application that a user signed in to replays the user’s token here.',
    advice: 'Require your client_id in `aud`.',
    faults: [
      'audience-wrong',
      'audience-with-suffix',
      'audience-with-prefix',
      'audience-in-capitals',
      'audience-cut',
      'audience-missing',
    ],
  },
  {
    id: 'OI-02',
    name: 'rejects an id_token that names another application in addition to this one',
    story: 'A provider shares a token between applications, and one of them uses it at the other.',
    advice: 'Allow no audience but your client_id, and require the same value in `azp`, if it is present.',
    severity: 'hardening',
    faults: ['audience-extra', 'audience-extra-azp-wrong', 'azp-wrong'],
  },
  {
    id: 'OI-03',
    name: 'rejects an id_token that is expired, or never expires',
    story: 'A token that was stolen long ago still works.',
    advice: 'Require exp as a number, and allow at most a few minutes of clock skew.',
    faults: ['expired-far', 'exp-missing', 'exp-text'],
  },
  {
    id: 'OI-03',
    name: 'rejects an id_token that is not yet valid, or undated',
    story: 'The clock of a provider is wrong, and its tokens are valid for longer than they should be.',
    advice: 'Require iat as a number, and reject an nbf that is more than a few minutes in the future.',
    severity: 'hardening',
    faults: ['nbf-far', 'iat-missing'],
  },
  {
    id: 'OI-03',
    name: 'allows an id_token at most a minute of clock skew',
    story: 'The clock of a provider is wrong, and its tokens are valid for longer than they should be.',
    advice: 'Allow a minute of clock skew for exp, nbf and iat.',
    severity: 'hardening',
    faults: ['expired-long', 'nbf-late', 'iat-far'],
    // RFC 7519 4.1.4 allows a few minutes.
    portable: false,
  },
  {
    id: 'OI-04',
    name: 'rejects an id_token with the wrong nonce',
    story: 'A token of another sign-in is injected into this one.',
    advice: 'Compare the nonce with the sealed one, and reject a token without a nonce.',
    faults: ['nonce-wrong', 'nonce-cut', 'nonce-empty', 'nonce-with-suffix', 'nonce-missing'],
    setups: { usual: {}, 'with nonce': withNonce },
  },
  {
    id: 'OI-05',
    name: 'rejects an id_token without a valid subject',
    story: 'All users without a subject share one account.',
    advice: 'Require a string that is not empty.',
    faults: ['sub-missing', 'sub-empty'],
  },
  {
    id: 'OI-05',
    name: 'rejects an id_token whose subject is too long, not a string or not ASCII',
    story: 'A store shortens or converts a subject, and two users share one account.',
    advice: 'Require 1 to 255 ASCII characters.',
    severity: 'hardening',
    faults: ['sub-long', 'sub-number', 'sub-not-ascii'],
  },
  {
    id: 'OI-06',
    name: 'rejects an id_token signed with an unexpected algorithm',
    story: 'Anyone who knows a public key, or nothing at all, signs tokens in the provider’s name.',
    advice: 'Take the algorithms from the metadata or the registration, never from the token.',
    faults: [
      'alg-none',
      'alg-none-in-capitals',
      'alg-hs256-public-key',
      'alg-hs256-secret',
      'alg-unknown',
      'alg-missing',
      'alg-swapped',
    ],
    setups: { 'one algorithm': oneAlgorithm, 'unsigned tokens supported': anyAlgorithm, usual: {} },
  },
  {
    id: 'OI-07',
    name: 'rejects an id_token with a bad signature that was received without TLS',
    story: 'An attacker between application and provider signs in as anyone.',
    advice: 'Always verify the signature.',
    faults: [
      'signature-flipped',
      'signature-missing',
      'signature-foreign',
      'foreign-without-kid',
      'kid-unknown',
      'alg-none',
      'alg-swapped',
    ],
    setups: { 'http on loopback': withoutTls, ES256: signedBy('ES256'), HS256: signedBy('HS256') },
    at: ['alpha'],
  },
  {
    id: 'OI-08',
    name: 'rejects an id_token whose at_hash or c_hash belongs to other tokens',
    story: 'Another user’s access token or code is combined with a valid id_token.',
    advice: 'Compare each hash that is present.',
    faults: ['at-hash-wrong', 'at-hash-number', 'c-hash-wrong'],
  },
  {
    id: 'OI-09',
    name: 'rejects an id_token with unsupported critical headers',
    story: 'A signature with special semantics is accepted as a plain one.',
    advice: 'Reject every entry of `crit` that is not implemented.',
    faults: ['crit-header'],
  },
]

/** Faults of a provider that serve no attacker, because only the provider itself can sign them. */
const lax: readonly Fault[] = [
  'issuer-with-slash',
  'issuer-in-capitals',
  'exp-text',
  'sub-missing',
  'sub-empty',
  'sub-number',
  'at-hash-number',
]

/** Faults that OpenID Connect only asks a provider to avoid, or a client to check if it likes. */
const own: readonly Fault[] = [
  'azp-wrong',
  'sub-long',
  'sub-not-ascii',
  'expired-long',
  'nbf-late',
  'iat-far',
]

/** Returns the meaning of an accepted fault, unless it opens a session that an attacker can choose. */
function meaningOf(id: RequirementId, fault: Fault): Partial<Meaning> | undefined {
  // The token came from the token endpoint, where nobody but the provider can choose its algorithm if TLS protects it.
  if (id === 'OI-06') return { observed: 'a missing protection' }
  if (own.includes(fault)) return { observed: 'a broken rule' }
  return lax.includes(fault) ? { observed: 'a lax check' } : undefined
}

/** Faults that a client detects only if it verifies signatures. One that it made with its own secret is verified. */
const signatures = [
  'signature-flipped',
  'signature-missing',
  'signature-foreign',
  'foreign-without-kid',
  'kid-unknown',
  'alg-none',
  'alg-none-in-capitals',
  'alg-hs256-public-key',
  'alg-unknown',
  'alg-missing',
  'alg-swapped',
] as const

/** A key that the published ones do not contain, while nobody can fetch them. */
const unknownKey = 'kid-unknown while the keys cannot be fetched'
const noKeys = ['jwks:500'] as const

/** The meaning of an unverified signature, if the token comes from a token endpoint with TLS. */
const unverified = {
  observed: 'a missing protection',
  story:
    'Only TLS protects the id_token. OpenID Connect allows that for a token directly from the token endpoint, but an attacker in a proxy that ends TLS signs in as anyone.',
} as const

/** The same without TLS on another host, where anyone between application and provider can write the token. */
const unprotected = {
  observed: 'a session',
  story:
    'The token endpoint has no TLS, so an attacker between application and provider signs in as anyone. With an https provider, OpenID Connect allows clients to rely on TLS instead of the signature.',
} as const

/** Requirements on the headers of a token, which a client reads only if it verifies signatures. */
const ofSignatures: ReadonlySet<RequirementId> = new Set(['OI-06', 'OI-09'])

export const identityTokenProperties: readonly Property[] = [
  property({
    proves: ['OI-32'],
    name: 'verifies the signature of an id_token, wherever it came from',
    story: 'An attacker between application and provider, or in a proxy that ends TLS, signs in as anyone.',
    advice:
      'Verify every signature with the keys of the provider. Without that, never use a provider whose token endpoint has no TLS.',
    setups: { usual: {}, 'http on loopback': withoutTls },
    portable: true,
    runs: 20,
    ...everyOf({
      provider: ['alpha', 'beta'],
      fault: [...signatures, unknownKey],
    }),
    async run(world, { provider, fault: chosen }) {
      const fault = chosen === unknownKey ? 'kid-unknown' : chosen
      await requireReading(world, provider, fault)
      const opened = await signInUnder(world, provider, fault, ...(chosen === unknownKey ? noKeys : []))
      const detail = chosen === unknownKey ? ', and its keys cannot be fetched' : ''
      const says = `an id_token from ${provider} opens a session, although ${describeFault(fault)}${detail}`
      const { protocol, hostname } = new URL(world.idps[provider].issuer)
      // Nobody is between the application and a provider on the same machine.
      const isProtected = protocol === 'https:' || isOnLoopback(hostname)
      const meaning = isProtected ? unverified : unprotected
      world.check('OI-32', !opened, says, meaning)
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(chosen)
    },
  }),

  ...refusals.map(
    ({ id, faults, at = ['alpha', 'beta'], setups = { database: {} }, portable = true, ...about }) =>
      property({
        proves: [id],
        ...about,
        setups,
        portable,
        runs: 8 * faults.length,
        ...everyOf({ provider: at, fault: faults }),
        async run(world, { provider, fault }) {
          await requireReading(world, provider, fault)
          if (ofSignatures.has(id)) await demandVerification(world, provider)
          // Without a subject, another user may get the account of the first.
          if (fault === 'sub-missing' || fault === 'sub-empty') await signInBothUnder(world, provider, fault)
          await checkFaultRefused(world, id, provider, fault, meaningOf(id, fault))
        },
      }),
  ),

  property({
    proves: ['OI-01'],
    name: 'ignores an id_token if no issuer is known to compare it with',
    story: 'A provider without a known issuer signs its users in as users of another provider.',
    advice: 'Ignore the id_token of a provider without an issuer, and use its userinfo instead.',
    setups: {
      'no issuer': {
        provider: {
          plain: { authorization: { url: 'https://plain.example/authorize', params: { scope: 'openid' } } },
        },
      },
    },
    needs: ['store'],
    runs: 10,
    input: fc.constantFrom<(readonly Fault[])[]>(
      [],
      ['issuer-wrong'],
      ['issuer-missing'],
      ['sub-longest'],
      ['issuer-wrong', 'sub-longest'],
    ),
    async run(world, faults) {
      const browser = world.browser('ada')
      const arrival = await browser.visit('plain', world.people.ada)
      world.idps.plain.misbehave(...faults)
      await browser.arrive(arrival)
      const who = await browser.whoAmI()
      world.assume(who !== undefined, 'a provider that adds an id_token is refused')
      world.check('OI-01', who === 'ada', `an id_token without a known issuer signs in ${who ?? ''}`)
      const subject = subjectOf(world.people.ada, 'plain')
      const others = world.rows.accounts.filter(({ providerAccountId }) => providerAccountId !== subject)
      world.check('OI-01', others.length === 0, 'the account has the subject of the id_token')
    },
  }),

  property({
    proves: ['OI-04'],
    name: 'rejects an id_token of an earlier sign-in',
    story: 'An attacker replays a recorded provider response in another user’s sign-in.',
    advice: 'Send a nonce with every sign-in.',
    setups: { usual: {}, 'with nonce': withNonce },
    portable: true,
    runs: 20,
    ...eachOf(['alpha', 'beta']),
    async run(world, provider) {
      await requireReading(world, provider, 'nonce-wrong')
      // An `at_hash` would also reveal that the access token belongs to another sign-in.
      world.idps[provider].misbehave('at-hash-missing')
      await world.browser('bob').signIn(provider, world.people.bob)
      const opened = await signInUnder(world, provider, 'id-token-earlier')
      const says = `an id_token of an earlier sign-in at ${provider} opened a session`
      world.check('OI-04', !opened, says, { observed: 'a session' })
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['OI-06'],
    name: 'accepts an id_token signed with the client secret, if the client registered HS256',
    story: 'Nobody can sign in at a provider that signs with HS256.',
    advice: 'Verify HS256 with the client secret, if the registration declares it.',
    severity: 'hardening',
    setups: { HS256: withSecret },
    runs: 3,
    async run(world) {
      world.check('OI-06', await signInUnder(world, 'alpha'), 'an id_token signed with HS256 is refused')
    },
  }),

  property({
    proves: ['OI-05'],
    name: 'accepts a subject of 255 characters',
    story: 'Users of a provider with long subjects cannot sign in.',
    advice: 'Allow every subject that OpenID Connect allows.',
    // Use an address that nobody else has.
    severity: 'hardening',
    needs: ['store'],
    runs: 5,
    async run(world) {
      world.check(
        'OI-05',
        await signInUnder(world, 'alpha', 'sub-longest'),
        'a subject of 255 characters is refused',
      )
    },
  }),
]
