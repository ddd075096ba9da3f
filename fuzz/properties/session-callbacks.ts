import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { approach, doors, everyDoor, orElse } from './support/doors.ts'
import { clearedBy, isSignedIn, sessionOf, update, withoutTimes } from './support/sessions.ts'
import { type Given, hooks } from './support/callbacks.ts'

const anyDoor = fc.constantFrom(...doors)

const tokens = { ...hooks, setups: { jwt: { strategy: 'jwt' } } } as const

const isGiven = (params: Given, name: string) => params[name] !== undefined && params[name] !== null

/** What may be done with a session between its beginning and its end. */
const accesses = fc.array(fc.constantFrom('read', 'update'), { minLength: 1, maxLength: 4 })

const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Claims that a jwt callback adds, none of them with a meaning of its own. */
const claims = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
})

export const sessionCallbackProperties: readonly Property[] = [
  property({
    ...tokens,
    proves: ['CB-03'],
    name: 'jwt is told of a sign-in at a sign-in alone, and of an update at an update alone',
    story:
      'An application adds rights to a token whenever it is told of a sign-in; it is told at every access.',
    advice:
      'Give user, account and profile at sign-in, session and the trigger update at an update, else the token.',
    runs: 45,
    reaches: { signUp: 3, signIn: 3 },
    input: fc.record({ door: anyDoor, isKnown: fc.boolean(), accesses, claims, keeps: fc.boolean() }),
    async run(base, { door: wanted, isKnown, accesses: list, claims: more, keeps }) {
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
      const world = await base.another(everyDoor('jwt', base, { callbacks: { jwt } }), 'own')
      const door = orElse(world, wanted)
      const again = isKnown && door !== 'passkey'
      if (again) await (await approach(world, world.browser('ada'), door))()
      const browser = world.browser('ada')
      const go = await approach(world, browser, door)
      seen.length = 0
      await go()
      world.demand(Object.keys(sessionOf(browser.cookies())).length > 0, `nobody is signed in by ${door}`)
      const [params] = seen
      const what = `at a sign-in by ${door} jwt`
      world.hold('CB-03', seen.length === 1 && params !== undefined, `${what} is asked ${seen.length} times`)
      const isNew = !again && door !== 'form'
      const trigger = isNew ? 'signUp' : 'signIn'
      world.hold(
        'CB-03',
        params?.trigger === trigger,
        `${what} has trigger ${String(params?.trigger)}, not ${trigger}`,
      )
      for (const name of ['account', 'user'])
        world.hold('CB-03', isGiven(params ?? {}, name), `${what} is given no ${name}`)
      const hasProfile = isGiven(params ?? {}, 'profile')
      const isRemote = door === 'alpha' || door === 'plain'
      world.hold('CB-03', hasProfile === isRemote, `${what} is given ${hasProfile ? 'a' : 'no'} profile`)
      world.hold(
        'CB-03',
        member(params?.account, 'type') !== undefined &&
          member(params?.account, 'provider') === world.idOf(door),
        `${what} is given the account of another provider`,
      )
      for (const access of list) {
        const stored = withoutTimes(returned)
        seen.length = 0
        const reply =
          access === 'read' ? await browser.readSession() : await update(world, browser, { note: 'news' })
        const [given = {}] = seen
        const here = `at an access to ${access} jwt`
        world.hold('CB-03', seen.length === 1, `${here} is asked ${seen.length} times`)
        const extra = ['account', 'user', 'profile'].filter((name) => isGiven(given, name))
        world.hold('CB-03', extra.length === 0, `${here} is given ${extra.join(', ')}`)
        const expected = access === 'update' ? 'update' : undefined
        world.hold('CB-03', given.trigger === expected, `${here} has the trigger ${String(given.trigger)}`)
        const kept = withoutTimes(given.token)
        world.hold(
          'CB-03',
          isDeepStrictEqual(kept, stored),
          `${here} is given ${JSON.stringify(kept)}, and ${JSON.stringify(stored)} was returned before`,
        )
        world.hold('CB-03', reply.status === 200, `${here} leaves a session that answers ${reply.status}`)
      }
      world.reach(trigger)
    },
  }),

  property({
    ...tokens,
    proves: ['CB-03', 'AL-07'],
    name: 'null from jwt ends the session',
    story: 'An application answers null for somebody who was banned, who stays signed in.',
    advice: 'Answer null, clear the session cookie, and issue no new one.',
    runs: 30,
    input: fc.record({
      door: anyDoor,
      at: fc.constantFrom('sign-in', 'read', 'update'),
      isLate: fc.boolean(),
    }),
    async run(base, { door: wanted, at, isLate }) {
      let ends = false
      const jwt = ({ token }: { token: unknown }) => {
        const answer = ends ? null : token
        return isLate ? Promise.resolve(answer) : answer
      }
      const world = await base.another(everyDoor('jwt', base, { callbacks: { jwt } }), 'own')
      const browser = world.browser('ada')
      const go = await approach(world, browser, orElse(world, wanted))
      ends = at === 'sign-in'
      const first = await go()
      if (!ends) world.demand(isSignedIn(await browser.readSession()), 'nobody is signed in')
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
        const announced = world.told.events.some(({ event }) => event === 'signIn')
        world.hold('AL-07', !announced, 'a sign-in is announced that established no session')
      }
      world.hold('CB-03', !isSignedIn(reply), `null at ${at} shows a session`)
      if (at !== 'sign-in')
        world.hold(
          'CB-03',
          name.every((each) => clearedBy(world, reply).includes(each)),
          `null at ${at} leaves the cookie of the session`,
        )
      world.hold(
        'CB-03',
        !isSignedIn(await browser.readSession()),
        `after null at ${at} somebody is signed in`,
      )
      world.reach(at)
    },
  }),

  property({
    ...hooks,
    proves: ['CB-04'],
    name: 'session is given what its strategy has, and what it returns is the body',
    story:
      'A page gets more than the application chose to show, or an application reads rights from nothing.',
    advice: 'Give session with token or user, newSession and trigger at an update; send the answer as it is.',
    runs: 30,
    reaches: { 'an update': 5, 'a read': 5 },
    input: fc.record({
      door: anyDoor,
      accesses,
      body: fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 4,
      }),
      news: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
      isLate: fc.boolean(),
    }),
    async run(base, { door, accesses: list, body, news, isLate }) {
      const { strategy } = base
      const seen: Given[] = []
      const session = (params: Given) => {
        seen.push(params)
        return isLate ? Promise.resolve(body) : body
      }
      const world = await base.another(everyDoor(strategy, base, { callbacks: { session } }), 'own')
      const browser = world.browser('ada')
      await (
        await approach(world, browser, orElse(world, door))
      )()
      world.demand(Object.keys(sessionOf(browser.cookies())).length > 0, 'nobody is signed in')
      for (const access of list) {
        seen.length = 0
        const reply = access === 'read' ? await browser.readSession() : await update(world, browser, news)
        const [params = {}] = seen
        const what = `session, at an access to ${access} under ${strategy},`
        world.hold('CB-04', seen.length === 1, `${what} is asked ${seen.length} times`)
        const wanted = [
          'session',
          strategy === 'jwt' ? 'token' : 'user',
          ...(access === 'update' ? ['newSession', 'trigger'] : []),
        ]
        const given = Object.keys(params).filter((name) => params[name] !== undefined)
        world.hold(
          'CB-04',
          isDeepStrictEqual(given.toSorted(), wanted.toSorted()),
          `${what} is given ${given.join(', ')}, and not ${wanted.join(', ')}`,
        )
        if (access === 'update') {
          world.hold(
            'CB-04',
            params.trigger === 'update',
            `${what} has the trigger ${String(params.trigger)}`,
          )
          world.hold(
            'CB-04',
            isDeepStrictEqual(plainly(params.newSession), plainly(news)),
            `${what} is given other news than came`,
          )
        }
        const holder = strategy === 'jwt' ? params.token : params.user
        world.hold(
          'CB-04',
          ofAda(world, member(holder, 'email') ?? member(holder, 'name')),
          `${what} is given the ${wanted[1] ?? ''} of nobody`,
        )
        world.hold(
          'CB-04',
          ofAda(world, member(params.session, 'user', 'email') ?? member(params.session, 'user', 'name')),
          `${what} is given a session of nobody`,
        )
        world.hold(
          'CB-04',
          reply.status === 200 && isDeepStrictEqual(reply.json, plainly(body)),
          `${what} returned ${JSON.stringify(body)}, and the body is ${reply.text}`,
        )
        world.reach(access === 'read' ? 'a read' : 'an update')
      }
    },
  }),
]

function ofAda({ people }: World, address: unknown): boolean {
  return Object.values(people.ada.address).some((each) => each === address)
}
