import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Fault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import { signInUnder } from '../support/faulty.ts'
import { requireReading, demandVerification } from '../support/reading.ts'
import { loopback, withoutTls } from '../support/without-tls.ts'

const withoutKeys: Setup = {
  ...withoutTls,
  idp: { alpha: { issuer: loopback, metadata: { jwks_uri: undefined } } },
}

const namedEndpoints: Setup = {
  provider: {
    alpha: {
      authorization: { url: 'https://alpha.example/authorize', params: { scope: 'openid profile email' } },
      token: 'https://alpha.example/token',
      userinfo: 'https://alpha.example/userinfo',
    },
  },
}

/** The only URL that leads to the provider's endpoints. */
const wellKnown: Setup = {
  provider: {
    alpha: { issuer: undefined, wellKnown: 'https://alpha.example/.well-known/openid-configuration' },
  },
}

/** The provider's metadata name a key set that does not exist. */
const ownKeys: Setup = {
  provider: { alpha: { jwks_endpoint: 'https://alpha.example/jwks' } },
  idp: { alpha: { metadata: { jwks_uri: 'https://alpha.example/no-keys' } } },
}

export const identityKeysProperties: readonly Property[] = [
  property({
    proves: ['OI-07'],
    name: 'rejects an id_token received without TLS when the keys are unavailable',
    story: 'An attacker between application and provider blocks the keys, and signs in as anyone.',
    advice: 'Treat a signature that cannot be verified as invalid.',
    setups: { 'no keys': withoutKeys },
    runs: 12,
    input: fc.constantFrom<Fault[]>(
      'signature-flipped',
      'signature-missing',
      'signature-foreign',
      'kid-unknown',
    ),
    async run(world, fault) {
      const opened = await signInUnder(world, 'alpha', fault)
      world.check(
        'OI-07',
        !opened,
        `an id_token that cannot be verified, with the fault ${fault}, signs somebody in`,
      )
      await world.browser('ada').signIn('beta', world.people.ada)
    },
  }),

  property({
    proves: ['OI-07', 'DEC-10a'],
    name: 'accepts a correctly signed id_token, wherever the endpoints are configured',
    story:
      'An application configures the endpoints itself, and nobody can sign in, because no keys are known.',
    advice:
      'Prefer the URLs in the configuration. If it does not name a key set, read that from the issuer’s metadata.',
    severity: 'hardening',
    setups: {
      'named endpoints': namedEndpoints,
      'http on loopback': withoutTls,
      wellKnown,
      jwks_endpoint: ownKeys,
    },
    runs: 3,
    async run(world) {
      const opened = await signInUnder(world, 'alpha')
      for (const id of ['OI-07', 'DEC-10a'] as const) world.check(id, opened, 'a valid signature is refused')
    },
  }),

  property({
    proves: ['OI-26'],
    name: 'accepts an id_token that names no key, if the provider has only one',
    story: 'A provider with a single key leaves the kid out, and nobody can sign in.',
    advice: 'Without a kid, use the only key of the key set.',
    needs: ['clock'],
    setups: { 'http on loopback': withoutTls, usual: {} },
    runs: 4,
    input: fc.integer({ min: 1, max: 2900 }),
    async run(world, days) {
      // The target's cache from earlier cases has expired.
      world.advance(days * 86_400)
      const opened = await signInUnder(world, 'alpha', 'kid-absent')
      world.check('OI-26', opened, 'a valid signature without a kid is refused')
    },
  }),

  property({
    proves: ['OI-10'],
    name: 'ignores keys and key URLs inside a token',
    story: 'An attacker forges a token that contains its own verification key.',
    advice: 'Take keys only from the issuer’s key set.',
    setups: { 'http on loopback': withoutTls, usual: {} },
    portable: true,
    runs: 24,
    ...eachOf(['jwk-header', 'jku-header', 'x5c-header']),
    async run(world, fault) {
      await requireReading(world, 'alpha', fault)
      // Without signature checks, no key is selected.
      await demandVerification(world, 'alpha')
      const opened = await signInUnder(world, 'alpha', fault)
      const says = `a token with its own ${fault} is accepted`
      world.check('OI-10', !opened, says, { observed: 'a session' })
      const fetched = world.network.sent.find(({ url }) => url.startsWith('https://evil.example'))
      world.check('OI-10', fetched === undefined, `keys were fetched from ${fetched?.url}`, {
        observed: 'a request',
      })
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['OI-11'],
    name: 'finds new provider keys, and limits requests for unknown ones',
    story: 'After a key rotation nobody can sign in, or anyone can make the application flood its provider.',
    advice: 'Fetch the key set once more for an unknown key, then wait before you fetch it again.',
    needs: ['clock'],
    runs: 12,
    input: fc.record({
      days: fc.integer({ min: 1, max: 2900 }),
      unknown: fc.integer({ min: 6, max: 12 }),
      when: fc.constantFrom('between two sign-ins', 'just before the id_token is signed'),
    }),
    async run(world, { days, unknown, when }) {
      // The target's cache from earlier cases has expired.
      world.advance(days * 86_400)
      const { ada } = world.people
      const { alpha } = world.idps
      await world.browser('ada').signIn('alpha', ada)
      const isBetween = when === 'between two sign-ins'
      if (isBetween) alpha.rotate()
      const browser = world.browser('ada')
      const requests = alpha.requestsTo('jwks').length
      const arrival = await browser.visit('alpha', ada)
      if (!isBetween) alpha.rotate()
      await browser.arrive(arrival)
      world.check('OI-11', (await browser.whoAmI()) === 'ada', `nobody can sign in after a rotation ${when}`)
      world.check(
        'OI-11',
        alpha.requestsTo('jwks').length - requests <= 1,
        'a key rotation takes more than one request',
      )
      world.reach(when)
      const before = alpha.requestsTo('jwks').length
      for (let n = 0; n < unknown; n++) await signInUnder(world, 'alpha', 'kid-unknown')
      const times = alpha.requestsTo('jwks').length - before
      world.check('OI-11', times <= unknown / 2, `${unknown} unknown keys caused ${times} requests for keys`)
    },
  }),
]
