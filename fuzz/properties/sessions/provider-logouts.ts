import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import type { Fault as TokenFault } from '../../world/idp/faults.ts'
import { property, type Property } from '../property.ts'
import {
  claimsFor,
  enter,
  isLive,
  logoutNeeds,
  logoutSetups,
  postLogout,
  tryToEnter,
} from '../support/provider-logouts.ts'
import { isSignedIn } from '../support/sessions.ts'

const asAlpha = { id: 'client-at-alpha', secret: 'secret-at-alpha-0123456789' }

/** Applications that differ in the client ids of the providers, and in the ids of sessions. */
const variants = {
  ...logoutSetups,
  'a client id twice': {
    ...logoutSetups.database,
    idp: { beta: { clients: [asAlpha] } },
    provider: { beta: { clientId: asAlpha.id, clientSecret: asAlpha.secret } },
  },
  'an absolute lifetime': {
    ...logoutSetups.database,
    with: { ...logoutSetups.database.with, 'absolute-lifetime': 86_400 },
  },
} as const satisfies Record<string, Setup>

export const providerLogoutProperties: readonly Property[] = [
  property({
    proves: ['BCL-03', 'BCL-01', 'BCL-04'],
    name: 'ends the sessions that a logout of the provider names, on every device, and no other',
    story:
      'A user signs out at the provider, and somebody at a shared computer still has the session of the site.',
    advice:
      'Keep sub, sid and iat of the id_token with each session, and end those that the logout token names.',
    needs: logoutNeeds,
    setups: variants,
    runs: 24,
    reaches: { 'one session': 4, 'all sessions': 4, 'an old token': 4, 'fractions of a second': 4 },
    parts: [{ names: 'sid' }, { names: 'sub' }, { replays: true }, { replays: false }, { fraction: 0.5 }],
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
      const other = at === 'alpha' ? 'beta' : 'alpha'
      const elsewhere = await enter(world, ada, { at: other })
      // Subjects are unique within a provider only.
      const namesake = await enter(world, bob, { at: other, device: 'phone', sub: `${ada.name}-at-${at}` })
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
      const saysNamesake = 'a logout ends the session of a user with the same subject at another provider'
      world.check('BCL-03', await isLive(world, namesake), saysNamesake)
      const told = world.recorded.events.slice(from).filter(({ event }) => event === 'signOut').length
      const ended = keeps ? 1 : 2
      if (world.strategy === 'database')
        world.check(
          'BCL-03',
          told === ended,
          `${ended} sessions ended, and the event signOut came ${told} times`,
        )
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
    proves: ['BCL-03'],
    name: 'ends a session with the provider that opened it, whatever account was linked since',
    story:
      'Ada links another account, signs out at the provider where she signed in, and her session remains valid.',
    advice: 'Copy the session at the provider into the session that replaces it after a link.',
    needs: [...logoutNeeds, 'store'],
    setups: {
      database: logoutSetups.database,
      jwt: { ...logoutSetups.jwt, config: { adapter: true } },
    },
    runs: 4,
    ...eachOf(['sid', 'sub']),
    async run(world, names) {
      const { ada } = world.people
      const browser = world.browser('ada')
      world.idps.alpha.addToClaims({ sid: 'phone' })
      await browser.arrive(await browser.visit('alpha', ada))
      world.idps.beta.addToClaims({ sid: 'another' })
      await browser.arrive(await browser.visit('beta', ada, { link: 'true' }))
      world.assume(world.rows.accounts.length === 2, 'the account is not linked')
      const logOut = async (at: 'alpha' | 'beta', sid: string) => {
        world.advance(2)
        const claims = claimsFor(world, ada, names === 'sid' ? { sid } : {}, at)
        await postLogout(world, await world.idps[at].sign(claims))
        return isSignedIn(await browser.readSession())
      }
      const isIn = await logOut('beta', 'another')
      world.check('BCL-03', isIn, 'a logout at a linked provider ends a session that it did not open')
      const says = 'after another account was linked, a logout at the provider leaves its session'
      world.check('BCL-03', !(await logOut('alpha', 'phone')), says, { observed: 'a session' })
    },
  }),

  property({
    proves: ['BCL-01'],
    name: 'tells the provider to try again if the sessions could not be ended',
    story: 'The database fails, the provider counts the logout as done, and the session continues.',
    advice: 'Return 503 if a session could not be removed or the keys of the provider could not be fetched.',
    needs: [...logoutNeeds, 'faults'],
    setups: { database: logoutSetups.database },
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
      world.advance(2 * 86_400)
      const token = await world.idps.alpha.sign(claimsFor(world, ada))
      const areKeys = typeof failing === 'string'
      const requests = world.idps.alpha.requestsTo('jwks').length
      if (areKeys) world.idps.alpha.misbehave(failing)
      else world.plan.arm(failing.plane, failing.call, failing.fault)
      const reply = await postLogout(world, token)
      const isHit = areKeys
        ? world.idps.alpha.requestsTo('jwks').length > requests
        : world.plan.calls[failing.call] !== undefined
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
    needs: [...logoutNeeds, 'hooks'],
    setups: { jwt: logoutSetups.jwt },
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
      const world = await base.another({ ...logoutSetups.jwt, config: { callbacks } }, 'own')
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
      const browser = world.browser('ada')
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
