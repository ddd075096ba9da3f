import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import type { Claims, Fault as TokenFault } from '../../world/idp/faults.ts'
import type { Person } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, readWith, sessionOf, type Cookies } from '../support/sessions.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const wanted = { 'back-channel-logout': true } as const
const needs = ['clock', 'setup'] as const

const setups = {
  database: { strategy: 'database', with: wanted },
  jwt: { strategy: 'jwt', with: wanted },
} as const satisfies Record<string, Setup>

/**
 * Signs in at a provider that names its session in the id_token, or does not.
 *
 * @returns the session cookies
 */
async function enter(world: World, device: string | undefined, person: Person): Promise<Cookies> {
  world.idps.alpha.addToClaims(device === undefined ? {} : { sid: device })
  const browser = world.browser(person.name)
  await browser.signIn('alpha', person)
  return sessionOf(browser.cookies())
}

/** Returns the claims of a valid logout token for a person. */
function claimsFor(world: World, person: Person, changes: Claims = {}): Claims {
  const { issuer } = world.idps.alpha
  const iat = Math.floor(world.clock.now() / 1000)
  const times = { iat, exp: iat + 120, jti: `logout at ${iat}` }
  const subject = { iss: issuer, aud: 'client-at-alpha', sub: `${person.name}-at-alpha` }
  return { ...subject, ...times, events: { [logoutEvent]: {} }, ...changes }
}

/** Posts logout tokens, as a provider does. */
function postLogout(world: World, ...tokens: readonly string[]): Promise<Reply> {
  const body = new URLSearchParams(tokens.map((token): [string, string] => ['logout_token', token]))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = world.url('backchannel-logout')
  return world.send(new Request(url, { method: 'POST', headers, body: body.toString() }))
}

const isLive = async (world: World, held: Cookies) => isSignedIn(await readWith(world, held))

/** Claims that make a logout token invalid. */
const wrongClaims: Readonly<Record<string, (claims: Claims) => Claims>> = {
  'another issuer': (claims) => ({ ...claims, iss: 'https://evil.example' }),
  'no issuer': (claims) => ({ ...claims, iss: undefined }),
  'another audience': (claims) => ({ ...claims, aud: 'another-client' }),
  'a time in the future': (claims) => ({ ...claims, iat: Number(claims.iat) + 3600 }),
  'no time': (claims) => ({ ...claims, iat: undefined }),
  'an expiry in the past': (claims) => ({ ...claims, exp: Number(claims.iat) - 3600 }),
  'no jti': (claims) => ({ ...claims, jti: undefined }),
  'no events': (claims) => ({ ...claims, events: undefined }),
  'another event': (claims) => ({ ...claims, events: { 'https://alpha.example/event': {} } }),
  'a nonce': (claims) => ({ ...claims, nonce: 'n' }),
  'neither sub nor sid': (claims) => ({ ...claims, sub: undefined }),
  'an empty sub': (claims) => ({ ...claims, sub: '' }),
  'a sid that is not text': (claims) => ({ ...claims, sid: 7 }),
}

const wrongSignatures: readonly TokenFault[] = [
  'alg-none',
  'alg-hs256-secret',
  'alg-hs256-public-key',
  'signature-foreign',
  'signature-flipped',
  'signature-missing',
  'jwk-header',
  'kid-unknown',
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

export const providerLogoutProperties: readonly Property[] = [
  property({
    proves: ['BCL-03', 'BCL-01', 'BCL-04'],
    name: 'ends the sessions that a logout of the provider names, on every device, and no other',
    story:
      'A user signs out at the provider, and somebody at a shared computer still has the session of the site.',
    advice:
      'Keep sub, sid and iat of the id_token with each session, and end those that the logout token names.',
    needs,
    setups,
    runs: 24,
    reaches: { 'one session': 4, 'all sessions': 4, 'an old token': 4 },
    input: fc.record({
      names: fc.constantFrom('sid', 'sub'),
      phoneHasSid: fc.boolean(),
      waits: fc.integer({ min: 2, max: 600 }),
      replays: fc.boolean(),
    }),
    async run(world, { names, phoneHasSid, waits, replays }) {
      const { ada, bob } = world.people
      const phone = await enter(world, phoneHasSid || names === 'sub' ? 'phone' : undefined, ada)
      const laptop = await enter(world, 'laptop', ada)
      const others = await enter(world, 'phone of bob', bob)
      const elsewhere = world.browser('ada')
      await elsewhere.signIn('beta', ada)
      world.advance(waits)
      const sid = names === 'sid' ? { sid: 'phone' } : {}
      const token = await world.idps.alpha.sign(claimsFor(world, ada, sid))
      const reply = await postLogout(world, token)
      world.check('BCL-01', reply.status === 200, `a logout returns ${reply.failure ?? reply.status}`)
      world.check('BCL-01', reply.cookies.length === 0, 'a logout sets cookies')
      world.check('BCL-03', !(await isLive(world, phone)), `a logout by ${names} leaves its session`)
      const keeps = names === 'sid'
      const says = keeps ? 'a logout of one session ends another' : 'a logout of a user leaves a session'
      world.check('BCL-03', (await isLive(world, laptop)) === keeps, says)
      world.check('BCL-03', await isLive(world, others), 'a logout ends the session of another user')
      const isBeta = await isLive(world, sessionOf(elsewhere.cookies()))
      world.check('BCL-03', isBeta, 'a logout ends a session of another provider')
      world.reach(keeps ? 'one session' : 'all sessions')
      if (!replays) return
      world.advance(2)
      const later = await enter(world, 'phone', ada)
      await postLogout(world, token)
      world.check(
        'BCL-04',
        await isLive(world, later),
        'an old logout token ends a session that started later',
      )
      world.reach('an old token')
    },
  }),

  property({
    proves: ['BCL-02', 'BCL-01'],
    name: 'ends no session for a forged logout token, and does not say what is wrong with it',
    story: 'Anyone can sign all users out, for example with an id_token that the provider issued to them.',
    advice: 'Verify a logout token like an id_token, and demand the logout event and no nonce.',
    needs,
    setups,
    runs: 12,
    reaches: { 'a valid token': 10 },
    // The order, so that the smallest case has one forgery first.
    input: fc.shuffledSubarray(forgeries, { minLength: forgeries.length }),
    async run(world, order) {
      const { ada } = world.people
      const held = await enter(world, 'phone', ada)
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
    proves: ['BCL-01'],
    name: 'tells the provider to try again if the sessions could not be ended',
    story: 'The database fails, the provider counts the logout as done, and the session continues.',
    advice: 'Return 503 if a session could not be removed or the keys of the provider could not be fetched.',
    needs: [...needs, 'faults'],
    setups: { database: setups.database },
    runs: 20,
    reaches: { 'the store': 3, 'the provider': 3 },
    input: fc.record({
      plane: fc.constantFrom('store', 'network'),
      call: fc.nat({ max: 2 }),
      fault: fc.constantFrom(throwing, rejecting),
    }),
    async run(world, { plane, call, fault }) {
      const { ada } = world.people
      const held = await enter(world, 'phone', ada)
      // The metadata and keys that the sign-in fetched are no longer cached.
      world.advance(2 * 3600)
      const token = await world.idps.alpha.sign(claimsFor(world, ada))
      world.plan.arm(plane, call, fault)
      const reply = await postLogout(world, token)
      const isHit = world.plan.calls[call] !== undefined
      world.plan.end()
      world.plan.arm('none')
      if (!isHit) return
      const says = `a logout during which a call of the ${plane} fails returns`
      world.check('BCL-01', reply.status === 503, `${says} ${reply.failure ?? reply.status}`)
      world.reach(plane === 'store' ? 'the store' : 'the provider')
      world.advance(10 * 60)
      await postLogout(world, await world.idps.alpha.sign(claimsFor(world, ada)))
      world.check('BCL-01', !(await isLive(world, held)), 'a repeated logout ends nothing')
    },
  }),

  property({
    proves: ['BCL-01'],
    name: 'has no logout for providers unless one is configured',
    story: 'A route that nobody asked for ends sessions.',
    advice: 'Return 404 unless a provider has back-channel logout.',
    needs: ['setup'],
    setups: { database: { strategy: 'database' }, jwt: { strategy: 'jwt' } },
    runs: 4,
    async run(world) {
      const browser: Browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const token = await world.idps.alpha.sign(claimsFor(world, world.people.ada))
      const { status } = await postLogout(world, token)
      world.check('BCL-01', status === 404, `a logout that nobody configured returns ${status}`)
      world.check(
        'BCL-01',
        isSignedIn(await browser.readSession()),
        'a logout that nobody configured ends a session',
      )
    },
  }),
]
