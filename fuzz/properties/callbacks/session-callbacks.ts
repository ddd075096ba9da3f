import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { prepareSignIn, signInMethods, everySignInMethod, orElse } from '../support/sign-in-methods.ts'
import { clearedBy, isSignedIn, sessionOf, update, withoutTimes } from '../support/sessions.ts'
import { type Given, hooks } from '../support/callbacks.ts'

const anySignInMethod = fc.constantFrom(...signInMethods)

const tokens = { ...hooks, setups: { jwt: { strategy: 'jwt' } } } as const

const isGiven = (params: Given, name: string) => params[name] !== undefined && params[name] !== null

/** Operations on a session between its start and its end. */
const accesses = fc.array(fc.constantFrom('read', 'update'), { minLength: 1, maxLength: 4 })

const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Claims that a jwt callback adds, without a special meaning. */
const claims = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
})

export const sessionCallbackProperties: readonly Property[] = [
  property({
    ...tokens,
    proves: ['CB-03'],
    name: 'passes sign-in data to jwt only at sign-in, and update data only on update',
    story:
      'An application adds permissions on the sign-in trigger, and jwt gets that trigger at every access.',
    advice:
      'Pass user, account and profile at sign-in, session and the update trigger on update, otherwise only the token.',
    runs: 45,
    reaches: { signUp: 3, signIn: 3 },
    input: fc.record({
      method: anySignInMethod,
      isKnown: fc.boolean(),
      accesses: fc.array(fc.constantFrom('read', 'update', 'empty update'), { minLength: 1, maxLength: 4 }),
      claims,
      keeps: fc.boolean(),
    }),
    async run(base, { method: wanted, isKnown, accesses: list, claims: more, keeps }) {
      const seen: Given[] = []
      let returned: unknown
      let n = 0
      const jwt = (params: Given) => {
        seen.push(
          structuredClone(Object.fromEntries(Object.entries(params).filter(([, v]) => v !== undefined))),
        )
        const { token } = params as { token: Record<string, unknown> }
        returned = { ...(keeps ? token : { sub: token.sub, email: token.email }), ...more, x: `call ${++n}` }
        return returned
      }
      const world = await base.another(everySignInMethod('jwt', base, { callbacks: { jwt } }), 'own')
      const method = orElse(world, wanted)
      const again = isKnown && method !== 'passkey'
      if (again) await (await prepareSignIn(world, world.browser('ada'), method))()
      const browser = world.browser('ada')
      const go = await prepareSignIn(world, browser, method)
      seen.length = 0
      await go()
      world.assume(Object.keys(sessionOf(browser.cookies())).length > 0, `nobody is signed in by ${method}`)
      const [params] = seen
      const what = `at a sign-in with ${method}, jwt`
      world.check(
        'CB-03',
        seen.length === 1 && params !== undefined,
        `${what} is called ${seen.length} times`,
      )
      const isNew = !again && method !== 'form'
      const trigger = isNew ? 'signUp' : 'signIn'
      world.check(
        'CB-03',
        params?.trigger === trigger,
        `${what} has trigger ${String(params?.trigger)}, not ${trigger}`,
      )
      for (const name of ['account', 'user'])
        world.check('CB-03', isGiven(params ?? {}, name), `${what} gets no ${name}`)
      const hasProfile = isGiven(params ?? {}, 'profile')
      const isRemote = method === 'alpha' || method === 'plain'
      world.check('CB-03', hasProfile === isRemote, `${what} gets ${hasProfile ? 'a' : 'no'} profile`)
      world.check(
        'CB-03',
        member(params?.account, 'type') !== undefined &&
          member(params?.account, 'provider') === world.idOf(method),
        `${what} gets the account of another provider`,
      )
      for (const access of list) {
        const stored = withoutTimes(returned)
        seen.length = 0
        const reply =
          access === 'read'
            ? await browser.readSession()
            : await update(world, browser, access === 'update' ? { note: 'news' } : undefined)
        const [given = {}] = seen
        const here = `on ${access}, jwt`
        world.check('CB-03', seen.length === 1, `${here} is called ${seen.length} times`)
        const extra = ['account', 'user', 'profile'].filter((name) => isGiven(given, name))
        world.check('CB-03', extra.length === 0, `${here} gets ${extra.join(', ')}`)
        const expected = access === 'read' ? undefined : 'update'
        world.check('CB-03', given.trigger === expected, `${here} has the trigger ${String(given.trigger)}`)
        const kept = withoutTimes(given.token)
        // A revocable token also names its session.
        const isRevocable = world.capabilities.has('jwt-revocation')
        world.check(
          'CB-03',
          isDeepStrictEqual(kept, isRevocable ? { ...Object(kept), ...Object(stored) } : stored),
          `${here} gets ${JSON.stringify(kept)}, but ${JSON.stringify(stored)} was returned before`,
        )
        world.check('CB-03', reply.status === 200, `${here} leaves a session that returns ${reply.status}`)
      }
      world.reach(trigger)
    },
  }),

  property({
    ...tokens,
    proves: ['CB-03', 'AL-07'],
    name: 'ends the session when jwt returns null',
    story: 'An application returns null for a banned user, who stays signed in.',
    advice: 'On null, clear the session cookie, and issue no new one.',
    runs: 30,
    input: fc.record({
      method: anySignInMethod,
      at: fc.constantFrom('sign-in', 'read', 'update'),
      isLate: fc.boolean(),
    }),
    async run(base, { method: wanted, at, isLate }) {
      let ends = false
      const jwt = ({ token }: { token: unknown }) => {
        const result = ends ? null : token
        return isLate ? Promise.resolve(result) : result
      }
      const world = await base.another(everySignInMethod('jwt', base, { callbacks: { jwt } }), 'own')
      const browser = world.browser('ada')
      const go = await prepareSignIn(world, browser, orElse(world, wanted))
      ends = at === 'sign-in'
      const first = await go()
      if (!ends) world.assume(isSignedIn(await browser.readSession()), 'nobody is signed in')
      const name = Object.keys(sessionOf(browser.cookies()))
      ends = true
      const reply =
        at === 'sign-in'
          ? first
          : at === 'read'
            ? await browser.readSession()
            : await update(world, browser, 1)
      ends = false
      if (at === 'sign-in') {
        const announced = world.recorded.events.some(({ event }) => event === 'signIn')
        world.check('AL-07', !announced, 'a sign-in event is emitted without a session')
      }
      world.check('CB-03', !isSignedIn(reply), `null at ${at} shows a session`)
      if (at !== 'sign-in')
        world.check(
          'CB-03',
          name.every((each) => clearedBy(world, reply).includes(each)),
          `null at ${at} does not clear the session cookie`,
        )
      world.check(
        'CB-03',
        !isSignedIn(await browser.readSession()),
        `after null at ${at}, somebody is still signed in`,
      )
      world.reach(at)
    },
  }),

  property({
    ...hooks,
    proves: ['CB-04'],
    name: 'passes the session callback its strategy’s arguments, and returns its result as the body',
    story:
      'A page gets more than the application chose to show, or an application reads permissions that are missing.',
    advice:
      'Pass session with token or user, and newSession and trigger on update. Return the result unchanged.',
    runs: 30,
    reaches: { 'an update': 5, 'a read': 5 },
    input: fc.record({
      method: anySignInMethod,
      accesses,
      body: fc.option(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
          maxKeys: 4,
        }),
        { freq: 3 },
      ),
      news: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
      isLate: fc.boolean(),
    }),
    async run(base, { method, accesses: list, body, news, isLate }) {
      const { strategy } = base
      const seen: Given[] = []
      const session = (params: Given) => {
        seen.push(params)
        return isLate ? Promise.resolve(body) : body
      }
      const world = await base.another(everySignInMethod(strategy, base, { callbacks: { session } }), 'own')
      const browser = world.browser('ada')
      await (
        await prepareSignIn(world, browser, orElse(world, method))
      )()
      world.assume(Object.keys(sessionOf(browser.cookies())).length > 0, 'nobody is signed in')
      for (const access of list) {
        seen.length = 0
        const reply = access === 'read' ? await browser.readSession() : await update(world, browser, news)
        const [params = {}] = seen
        const what = `session, on ${access} under ${strategy},`
        world.check('CB-04', seen.length === 1, `${what} is called ${seen.length} times`)
        const wanted = [
          'session',
          strategy === 'jwt' ? 'token' : 'user',
          ...(access === 'update' ? ['newSession', 'trigger'] : []),
        ]
        const given = Object.keys(params).filter((name) => params[name] !== undefined)
        world.check(
          'CB-04',
          isDeepStrictEqual(given.toSorted(), wanted.toSorted()),
          `${what} gets ${given.join(', ')} instead of ${wanted.join(', ')}`,
        )
        if (access === 'update') {
          world.check(
            'CB-04',
            params.trigger === 'update',
            `${what} has the trigger ${String(params.trigger)}`,
          )
          world.check(
            'CB-04',
            isDeepStrictEqual(plainly(params.newSession), plainly(news)),
            `${what} gets a different update than was sent`,
          )
        }
        const holder = strategy === 'jwt' ? params.token : params.user
        world.check(
          'CB-04',
          ofAda(world, member(holder, 'email') ?? member(holder, 'name')),
          `${what} gets the wrong ${wanted[1] ?? ''}`,
        )
        world.check(
          'CB-04',
          ofAda(world, member(params.session, 'user', 'email') ?? member(params.session, 'user', 'name')),
          `${what} gets the wrong session`,
        )
        world.check(
          'CB-04',
          reply.status === 200 && isDeepStrictEqual(reply.json, plainly(body)),
          `${what} returned ${JSON.stringify(body)}, but the body is ${reply.text}`,
        )
        world.reach(access === 'read' ? 'a read' : 'an update')
      }
    },
  }),
]

function ofAda({ people }: World, address: unknown): boolean {
  return Object.values(people.ada.address).some((each) => each === address)
}
