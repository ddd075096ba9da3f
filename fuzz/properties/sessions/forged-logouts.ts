import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Claims, Fault as TokenFault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import {
  claimsFor,
  enter,
  isLive,
  logoutNeeds,
  logoutSetups,
  postLogout,
} from '../support/provider-logouts.ts'

/** An application that knows the issuer by its metadata only. */
const discovered: Setup = {
  ...logoutSetups.database,
  provider: {
    alpha: { issuer: undefined, wellKnown: 'https://alpha.example/.well-known/openid-configuration' },
  },
}

/** Claims that make a logout token invalid. */
const wrongClaims: Readonly<Record<string, (claims: Claims) => Claims>> = {
  'another issuer': (claims) => ({ ...claims, iss: 'https://evil.example' }),
  'no issuer': (claims) => ({ ...claims, iss: undefined }),
  'another audience': (claims) => ({ ...claims, aud: 'another-client' }),
  'a time in the future': (claims) => ({ ...claims, iat: Number(claims.iat) + 3600 }),
  'no time': (claims) => ({ ...claims, iat: undefined }),
  'no expiry': (claims) => ({ ...claims, exp: undefined }),
  'an expiry in the past': (claims) => ({ ...claims, exp: Number(claims.iat) - 3600 }),
  'no jti': (claims) => ({ ...claims, jti: undefined }),
  'no events': (claims) => ({ ...claims, events: undefined }),
  'another event': (claims) => ({ ...claims, events: { 'https://alpha.example/event': {} } }),
  'a nonce': (claims) => ({ ...claims, nonce: 'n' }),
  'neither sub nor sid': (claims) => ({ ...claims, sub: undefined }),
  'an empty sub': (claims) => ({ ...claims, sub: '' }),
  'a sid that is not text': (claims) => ({ ...claims, sid: 7 }),
}

/** Applications whose client registered one algorithm. The provider publishes a key for another one, too. */
const registered = Object.fromEntries(
  Object.entries(logoutSetups).map(([name, setup]): [string, Setup] => [
    name,
    { ...setup, provider: { alpha: { client: { id_token_signed_response_alg: 'RS256' } } } },
  ]),
)

const wrongSignatures: readonly TokenFault[] = [
  'alg-none',
  'alg-hs256-secret',
  'alg-hs256-public-key',
  'signature-foreign',
  'signature-flipped',
  'signature-missing',
  'jwk-header',
  'kid-unknown',
  'typ-of-access-token',
]

/** A logout token that is not valid. */
interface Forgery {
  readonly what: string
  readonly claims?: (claims: Claims) => Claims
  readonly faults?: readonly TokenFault[]
  /** Returns the posted tokens. */
  readonly posted?: (token: string) => readonly string[]
}

const same = (claims: Claims) => claims
const once = (token: string) => [token]

const forgeries: Forgery[] = [
  ...wrongSignatures.map((fault) => ({ what: fault, faults: [fault] })),
  ...Object.entries(wrongClaims).map(([what, claims]) => ({ what, claims })),
  { what: 'no token', posted: () => [] },
  { what: 'two tokens', posted: (token) => [token, token] },
  { what: 'garbage', posted: () => ['a.b.c'] },
]

export const forgedLogoutProperties: readonly Property[] = [
  property({
    proves: ['BCL-02', 'BCL-01'],
    name: 'ends no session for a forged logout token, and does not say what is wrong with it',
    story: 'Anyone can sign all users out, for example with an id_token that the provider issued to them.',
    advice: 'Verify a logout token like an id_token, and demand the logout event and no nonce.',
    needs: logoutNeeds,
    setups: { ...logoutSetups, discovered },
    runs: 12,
    reaches: { 'a valid token': 10 },
    // The order, so that the smallest case has one forgery first.
    input: fc.shuffledSubarray(forgeries, { minLength: forgeries.length }),
    async run(world, order) {
      const { ada } = world.people
      const held = await enter(world, ada, { device: 'phone' })
      world.advance(2)
      const valid = claimsFor(world, ada)
      const answers = new Set<string>()
      for (const { what, claims = same, faults = [], posted = once } of order) {
        const token = await world.idps.alpha.sign(claims(valid), ...faults)
        const reply = await postLogout(world, ...posted(token))
        world.check('BCL-02', await isLive(world, held), `a logout with ${what} ends a session`)
        const status = reply.failure ?? reply.status
        world.check('BCL-01', status === 400, `a logout with ${what} returns ${status}`)
        answers.add(reply.text)
        world.check('BCL-01', answers.size === 1, `the response to a logout with ${what} says what is wrong`)
      }
      await postLogout(world, await world.idps.alpha.sign(valid))
      world.assume(!(await isLive(world, held)), 'a valid logout token ends nothing')
      world.reach('a valid token')
    },
  }),

  property({
    proves: ['BCL-02', 'BCL-01'],
    name: 'ends no session for a logout token signed with another algorithm than the registered one',
    story: 'An application that trusts only one kind of key also accepts the provider’s weaker keys.',
    advice: 'Allow only the algorithms for logout tokens that you allow for id_tokens.',
    needs: logoutNeeds,
    setups: registered,
    runs: 4,
    input: fc.integer({ min: 2, max: 600 }),
    async run(world, waits) {
      const { ada } = world.people
      const held = await enter(world, ada, { device: 'phone' })
      world.advance(waits)
      const claims = claimsFor(world, ada)
      const forged = await postLogout(world, await world.idps.alpha.sign(claims, 'alg-unregistered'))
      world.check('BCL-02', await isLive(world, held), 'a logout token signed with ES256 ends a session')
      const status = forged.failure ?? forged.status
      world.check('BCL-01', status === 400, `a logout token signed with ES256 returns ${status}`)
      await postLogout(world, await world.idps.alpha.sign(claims))
      world.assume(!(await isLive(world, held)), 'a valid logout token ends nothing')
    },
  }),
]
