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

const asAlpha = { id: 'client-at-alpha', secret: 'secret-at-alpha-0123456789' }

/** Applications that differ in what tells apart the providers, and in the ids of their sessions. */
const variants = {
  ...setups,
  'a client id twice': {
    ...setups.database,
    idp: { beta: { clients: [asAlpha] } },
    provider: { beta: { clientId: asAlpha.id, clientSecret: asAlpha.secret } },
  },
  'an absolute lifetime': { ...setups.database, with: { ...wanted, 'absolute-lifetime': 86_400 } },
} as const satisfies Record<string, Setup>

/** An application that knows the issuer by its metadata only. */
const discovered: Setup = {
  ...setups.database,
  provider: {
    alpha: { issuer: undefined, wellKnown: 'https://alpha.example/.well-known/openid-configuration' },
  },
}

type Provider = 'alpha' | 'beta'

/** How a person signs in. */
interface Arrival {
  readonly at?: Provider
  /** The session that the provider names in the id_token, if any. */
  readonly device?: string
  /** Added to the time of the id_token, in seconds. */
  readonly fraction?: number
}

/** Returns the time in whole seconds. */
const seconds = (world: World) => Math.floor(world.clock.now() / 1000)

/** @returns the session cookies, if there is a session */
async function tryToEnter(
  world: World,
  person: Person,
  { at = 'alpha', device, fraction = 0 }: Arrival,
): Promise<Cookies> {
  const iat = fraction === 0 ? {} : { iat: seconds(world) + fraction }
  world.idps[at].addToClaims({ ...(device !== undefined && { sid: device }), ...iat })
  const browser = world.browser(person.name)
  await browser.arrive(await browser.visit(at, person))
  return sessionOf(browser.cookies())
}

/** @returns the session cookies @throws {Unreached} without a session */
async function enter(world: World, person: Person, arrival: Arrival): Promise<Cookies> {
  const held = await tryToEnter(world, person, arrival)
  world.assume(await isLive(world, held), `${person.name} is not signed in`)
  return held
}

/** Returns the claims of a valid logout token for a person. */
function claimsFor(world: World, person: Person, changes: Claims = {}, at: Provider = 'alpha'): Claims {
  const iat = seconds(world)
  const times = { iat, exp: iat + 120, jti: `logout at ${iat}` }
  const aud = world.idps[at].requestsTo('authorize').at(-1)?.parameters.get('client_id')
  const subject = { iss: world.idps[at].issuer, aud, sub: `${person.name}-at-${at}` }
  return { ...subject, ...times, events: { [logoutEvent]: {} }, ...changes }
}

/** Posts logout tokens, as a provider does. */
function postLogout(world: World, ...tokens: readonly string[]): Promise<Reply> {
  const body = new URLSearchParams(tokens.map((token): [string, string] => ['logout_token', token]))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = world.url('backchannel-logout')
  return world.send(new Request(url, { method: 'POST', headers, body: body.toString() }))
}

async function isLive(world: World, held: Cookies): Promise<boolean> {
  return isSignedIn(await readWith(world, held))
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

export const providerLogoutProperties: readonly Property[] = [
  property({
    proves: ['BCL-03', 'BCL-01', 'BCL-04'],
    name: 'ends the sessions that a logout of the provider names, on every device, and no other',
    story:
      'A user signs out at the provider, and somebody at a shared computer still has the session of the site.',
    advice:
      'Keep sub, sid and iat of the id_token with each session, and end those that the logout token names.',
    needs,
    setups: variants,
    runs: 24,
    reaches: { 'one session': 4, 'all sessions': 4, 'an old token': 4, 'fractions of a second': 4 },
    input: fc.record({
      at: fc.constantFrom('alpha', 'beta'),
      names: fc.constantFrom('sid', 'sub'),
      phoneHasSid: fc.boolean(),
      waits: fc.integer({ min: 2, max: 600 }),
      fraction: fc.constantFrom(0, 0.5),
      replays: fc.boolean(),
    }),
    async run(world, { at, names, phoneHasSid, waits, fraction, replays }) {
      const { ada, bob } = world.people
      const device = phoneHasSid || names === 'sub' ? 'phone' : undefined
      const phone = await enter(world, ada, { at, device, fraction })
      const laptop = await enter(world, ada, { at, device: 'laptop', fraction })
      const others = await enter(world, bob, { at, device: 'phone of bob' })
      const elsewhere = await enter(world, ada, { at: at === 'alpha' ? 'beta' : 'alpha' })
      world.advance(waits)
      const sid = names === 'sid' ? { sid: 'phone' } : {}
      const claims = claimsFor(world, ada, sid, at)
      const token = await world.idps[at].sign({ ...claims, iat: Number(claims.iat) + fraction })
      const from = world.recorded.events.length
      const reply = await postLogout(world, token)
      world.check('BCL-01', reply.status === 200, `a logout returns ${reply.failure ?? reply.status}`)
      world.check('BCL-01', reply.cookies.length === 0, 'a logout sets cookies')
      world.check('BCL-03', !(await isLive(world, phone)), `a logout by ${names} leaves its session`)
      const keeps = names === 'sid'
      const says = keeps ? 'a logout of one session ends another' : 'a logout of a user leaves a session'
      world.check('BCL-03', (await isLive(world, laptop)) === keeps, says)
      world.check('BCL-03', await isLive(world, others), 'a logout ends the session of another user')
      world.check('BCL-03', await isLive(world, elsewhere), 'a logout ends a session of another provider')
      const told = world.recorded.events.slice(from).filter(({ event }) => event === 'signOut').length
      const ended = keeps ? 1 : 2
      if (world.strategy === 'database')
        world.check('BCL-03', told === ended, `${ended} sessions ended, and the event signOut came ${told} times`)
      world.reach(keeps ? 'one session' : 'all sessions')
      if (fraction > 0) world.reach('fractions of a second')
      if (!replays) return
      world.advance(2)
      const later = await tryToEnter(world, ada, { at, device: 'phone' })
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
    setups: { ...setups, discovered },
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
    proves: ['BCL-01'],
    name: 'tells the provider to try again if the sessions could not be ended',
    story: 'The database fails, the provider counts the logout as done, and the session continues.',
    advice: 'Return 503 if a session could not be removed or the keys of the provider could not be fetched.',
    needs: [...needs, 'faults'],
    setups: { database: setups.database },
    runs: 20,
    reaches: { 'the store': 3, 'the provider': 3, 'unusable keys': 2 },
    input: fc.oneof(
      fc.record({
        plane: fc.constantFrom('store', 'network'),
        call: fc.nat({ max: 2 }),
        fault: fc.constantFrom(throwing, rejecting),
      }),
      fc.constantFrom<TokenFault>('jwks:500', 'jwks:html', 'jwks:empty', 'jwks:truncated', 'jwks:302'),
    ),
    async run(world, failing) {
      const { ada } = world.people
      const held = await enter(world, ada, { device: 'phone' })
      // The metadata and keys that the sign-in fetched are no longer cached.
      world.advance(2 * 3600)
      const token = await world.idps.alpha.sign(claimsFor(world, ada))
      const areKeys = typeof failing === 'string'
      if (areKeys) world.idps.alpha.misbehave(failing)
      else world.plan.arm(failing.plane, failing.call, failing.fault)
      const reply = await postLogout(world, token)
      const isHit = areKeys || world.plan.calls[failing.call] !== undefined
      world.plan.end()
      world.plan.arm('none')
      world.idps.alpha.misbehave()
      if (!isHit) return
      const what = areKeys ? `the keys come as ${failing}` : `a call of the ${failing.plane} fails`
      const says = `a logout during which ${what} returns`
      world.check('BCL-01', reply.status === 503, `${says} ${reply.failure ?? reply.status}`)
      if (areKeys) world.reach('unusable keys')
      else world.reach(failing.plane === 'store' ? 'the store' : 'the provider')
      world.advance(10 * 60)
      await postLogout(world, await world.idps.alpha.sign(claimsFor(world, ada)))
      world.check('BCL-01', !(await isLive(world, held)), 'a repeated logout ends nothing')
    },
  }),

  property({
    proves: ['BCL-05'],
    name: 'ends the session of a sign-in that is completed while the logout arrives',
    story: 'A user signs out at the provider while the sign-in is still running, and stays signed in.',
    advice: 'Compare the logout with the time of the id_token, not with the time of the session.',
    needs: [...needs, 'hooks'],
    setups: { jwt: setups.jwt },
    runs: 10,
    input: fc.record({
      names: fc.constantFrom('sid', 'sub'),
      hook: fc.constantFrom('signIn', 'jwt'),
      before: fc.integer({ min: 1, max: 20 }),
      after: fc.integer({ min: 1, max: 20 }),
    }),
    async run(base, { names, hook, before, after }) {
      const { ada } = base.people
      let isRunning = false
      const logOut = async () => {
        if (!isRunning) return
        isRunning = false
        world.advance(before)
        const claims = claimsFor(world, ada, names === 'sid' ? { sid: 'phone' } : {})
        const reply = await postLogout(world, await world.idps.alpha.sign(claims))
        world.assume(reply.status === 200, `the logout returns ${reply.failure ?? reply.status}`)
        world.advance(after)
      }
      const callbacks = {
        signIn: async () => (hook === 'signIn' && (await logOut()), true),
        jwt: async ({ token }: { token: object }) => (hook === 'jwt' && (await logOut()), token),
      }
      const world = await base.another({ ...setups.jwt, config: { callbacks } }, 'own')
      world.idps.alpha.addToClaims({ sid: 'phone' })
      const browser = world.browser('ada')
      const arrival = await browser.visit('alpha', ada)
      isRunning = true
      await browser.arrive(arrival)
      world.assume(!isRunning, 'the callback was not called')
      const isIn = isSignedIn(await browser.readSession())
      world.check('BCL-05', !isIn, `a logout during the callback ${hook} does not end the session`)
      world.advance(2)
      await browser.signIn('alpha', ada)
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
