import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { Fault } from '../world/idp/faults.ts'
import { property, type Property } from './property.ts'
import { signInUnder } from './support/faulty.ts'
import { loopback, withoutTls } from './support/without-tls.ts'

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

export const identityKeysProperties: readonly Property[] = [
  property({
    proves: ['OI-07'],
    name: 'where keys are not to be had and no TLS vouches for an id_token, it opens nothing',
    story: 'Who sits between application and provider takes the keys away, and signs in as anybody.',
    advice: 'Take a signature that cannot be verified for a bad one.',
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
      world.hold('OI-07', !opened, `somebody is signed in by an id_token that nobody could verify: ${fault}`)
      await world.browser('ada').signIn('beta', world.people.ada)
    },
  }),

  property({
    proves: ['OI-07'],
    name: 'an id_token with a good signature is good, wherever the endpoints are written down',
    story: 'An application that names the endpoints itself lets nobody in, as it knows of no keys.',
    advice:
      'Read from the metadata of the issuer where its keys are, when the configuration does not say it.',
    setups: { 'named endpoints': namedEndpoints, 'http on loopback': withoutTls },
    runs: 3,
    async run(world) {
      const opened = await signInUnder(world, 'alpha')
      world.hold('OI-07', opened, 'a good signature is refused')
    },
  }),

  property({
    proves: ['OI-10'],
    name: 'a key that comes with a token neither verifies it nor is fetched',
    story: 'Whoever makes a token brings the key along that makes it good.',
    advice: 'Take keys from the issuer’s key set alone.',
    setups: { 'http on loopback': withoutTls, usual: {} },
    runs: 24,
    input: fc.constantFrom('jwk-header', 'jku-header', 'x5c-header'),
    async run(world, fault) {
      // Where signatures are not looked at, no key is selected by anything.
      const verifies = !(await signInUnder(world, 'alpha', 'signature-foreign'))
      const opened = await signInUnder(world, 'alpha', fault)
      world.hold('OI-10', !verifies || !opened, `a token with a ${fault} of its own is taken for good`)
      const fetched = world.network.sent.find(({ url }) => url.startsWith('https://evil.example'))
      world.hold('OI-10', fetched === undefined, `keys were fetched from ${fetched?.url}`)
      await world.browser('ada').signIn('alpha', world.people.ada)
      world.reach(verifies ? 'signatures are verified' : 'signatures are not verified')
    },
  }),

  property({
    proves: ['OI-11'],
    name: 'new keys of a provider are found, and unknown ones do not make the application ask on and on',
    story: 'After a change of keys nobody can sign in, or anybody has the application flood its provider.',
    advice: 'Fetch the key set once more for an unknown key, and then not for a while.',
    needs: ['clock'],
    runs: 12,
    input: fc.record({
      days: fc.integer({ min: 1, max: 2900 }),
      unknown: fc.integer({ min: 6, max: 12 }),
    }),
    async run(world, { days, unknown }) {
      // What a target remembers of earlier cases is long out of date.
      world.pass(days * 86_400)
      const { ada } = world.people
      const { alpha } = world.idps
      await world.browser('ada').signIn('alpha', ada)
      alpha.rotate()
      const browser = world.browser('ada')
      const asked = alpha.requestsTo('jwks').length
      await browser.arrive(await browser.visit('alpha', ada))
      world.hold('OI-11', (await browser.whoAmI()) === 'ada', 'nobody can sign in after a change of keys')
      world.hold(
        'OI-11',
        alpha.requestsTo('jwks').length - asked <= 1,
        'a change of keys takes more than one request',
      )
      const before = alpha.requestsTo('jwks').length
      for (let n = 0; n < unknown; n++) await signInUnder(world, 'alpha', 'kid-unknown')
      const times = alpha.requestsTo('jwks').length - before
      world.hold('OI-11', times <= unknown / 2, `${unknown} unknown keys caused ${times} requests for keys`)
    },
  }),
]
