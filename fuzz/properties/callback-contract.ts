import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { IdpUser } from '../world/idp/contract.ts'
import { usersOf } from '../world/people.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { bothStrategies, property, type Property } from './property.ts'
import { approach, doors, everyDoor, ledTo, orElse, type Door } from './support/doors.ts'
import { clearedBy, isSignedIn, sessionOf, update, withoutTimes } from './support/sessions.ts'

type Given = Readonly<Record<string, unknown>>
const anyDoor = fc.constantFrom(...doors)
const hooks = { needs: ['setup', 'hooks', 'store'], setups: bothStrategies } as const
const tokens = { ...hooks, setups: { jwt: { strategy: 'jwt' } } } as const

/** What a signIn callback may answer. */
const answers = fc.oneof(
  fc.constant({ kind: 'true' } as const),
  fc.constant({ kind: 'false' } as const),
  fc.constant({ kind: 'nothing' } as const),
  fc.record({ kind: fc.constant('throws' as const), text: fc.stringMatching(/^[a-z]{4,12} on Sundays$/) }),
  fc.record({
    kind: fc.constant('text' as const),
    text: fc.constantFrom(
      '/welcome?first=1',
      '/a/b#c',
      'https://app.example/apply',
      'https://elsewhere.example/apply?x=1#y',
      'http://localhost:3001/back',
    ),
  }),
)
type Answer = typeof answers extends fc.Arbitrary<infer T> ? T : never

function answerAs(answer: Answer, isLate: boolean): unknown {
  if (answer.kind === 'throws') {
    if (isLate) return Promise.reject(new Error(answer.text))
    throw new Error(answer.text)
  }
  if (answer.kind === 'nothing') return isLate ? Promise.resolve() : undefined
  const value = answer.kind === 'text' ? answer.text : answer.kind === 'true'
  return isLate ? Promise.resolve(value) : value
}

/** The params of the calls of a callback since some call, without those members that are nothing. */
function callsOf(world: World, name: string, from = 0): Given[] {
  return world.told.callbacks.slice(from).flatMap((call) => (call.name === name ? [call.params] : []))
}
const isGiven = (params: Given, name: string) => params[name] !== undefined && params[name] !== null

/** How a signIn callback's answer is to be seen. */
async function holdAnswer(
  world: World,
  reply: Reply,
  answer: Answer,
  at: { readonly signsIn: boolean; readonly isIn: boolean; readonly page: string; readonly what: string },
): Promise<void> {
  const { what, page, isIn, signsIn } = at
  const to = ledTo(reply)
  const came = `${reply.failure ?? reply.status} ${to?.href ?? ''}`
  if (answer.kind === 'true') {
    if (signsIn) world.hold('CB-01', isIn, `${what} lets nobody in: ${came}`)
    return
  }
  world.hold('CB-01', !isIn, `${what} lets somebody in`)
  if (answer.kind === 'text') {
    const wanted = new URL(answer.text, world.origin).href
    world.hold('CB-01', to?.href === wanted, `${what} leads to ${came}, and not to ${wanted}`)
    return
  }
  const isThere = to?.origin === world.origin && to.pathname === page
  world.hold('CB-01', isThere, `${what} does not lead to the error page, but: ${came}`)
  if (answer.kind !== 'throws') return
  world.hold(
    'CB-01',
    to?.searchParams.get('error') === 'AccessDenied',
    `${what} is not shown as AccessDenied, but: ${came}`,
  )
  const denied = world.told.errors.filter(({ name }) => name === 'AccessDenied')
  world.hold(
    'CB-01',
    denied.some(({ message }) => message.includes(answer.text)),
    `${what} is told as ${denied.map(({ message }) => JSON.stringify(message)).join(', ') || 'no AccessDenied'}`,
  )
}

/** Members that nobody asked for, in a profile and in a token response. */
const richUser: IdpUser = {
  sub: 'rich',
  claims: {
    name: 'Rich',
    email: 'rich@alpha.example',
    picture: 'https://alpha.example/rich.png',
    email_verified: true,
    locale: 'de',
    phone_number: '+1 555 0100',
    birthdate: '1970-01-01',
    role: 'admin',
    isAdmin: true,
    emailVerified: '2020-01-01T00:00:00.000Z',
    userId: 'of-somebody',
    preferred_username: 'rich',
  },
}
const storedOfTokens = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
]
const ofEveryAccount = ['id', 'userId', 'type', 'provider', 'providerAccountId']

/** What may be done with a session between its beginning and its end. */
const accesses = fc.array(fc.constantFrom('read', 'update'), { minLength: 1, maxLength: 4 })
/** Claims that a jwt callback adds, none of them with a meaning of its own. */
const claims = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
})

export const callbackContractProperties: readonly Property[] = [
  property({
    ...hooks,
    proves: ['CB-01'],
    name: 'what signIn answers decides a sign-in, alike for every type of provider',
    story: 'An application bans somebody in its signIn callback, who comes in through another provider.',
    advice: 'Ask signIn in every flow before anything is stored; treat only true as a yes.',
    runs: 60,
    reaches: { throws: 4, text: 4, false: 4, true: 4 },
    input: fc.record({
      door: fc.constantFrom(...doors, 'a request for a link' as const),
      answer: answers,
      isLate: fc.boolean(),
      isKnown: fc.boolean(),
      ownPage: fc.boolean(),
    }),
    async run(base, { door: wanted, answer, isLate, isKnown, ownPage }) {
      const { strategy } = base
      let asked: Answer = { kind: 'true' }
      const config = {
        callbacks: { signIn: () => answerAs(asked, isLate) },
        ...(ownPage && { pages: { error: '/oops' } }),
      }
      const world = await base.another(everyDoor(strategy, base, config), 'own')
      const { ada } = world.people
      const isRequest = wanted === 'a request for a link'
      const door: Door = isRequest ? 'mail' : orElse(world, wanted)
      if (isKnown && door !== 'passkey') await (await approach(world, world.browser('ada'), door))()
      const browser = world.browser('ada')
      const go = isRequest
        ? () => browser.start('mail', { email: ada.address.mail })
        : await approach(world, browser, door)
      const counts = () =>
        [world.rows.users, world.rows.accounts, world.rows.sessions].map((rows) => rows.length)
      const before = [...counts(), world.mailbox.mails.length].join(' ')
      const from = world.told.callbacks.length
      asked = answer
      const reply = await go()
      asked = { kind: 'true' }
      const what = `signIn, which answers ${answer.kind} for ${isRequest ? wanted : door},`
      const isIn = isSignedIn(await browser.readSession())
      const page = ownPage ? '/oops' : `${world.basePath}/error`
      world.hold('CB-01', callsOf(world, 'signIn', from).length > 0, `${what} is not asked`)
      await holdAnswer(world, reply, answer, { signsIn: !isRequest, isIn, page, what })
      const after = [...counts(), world.mailbox.mails.length].join(' ')
      if (answer.kind !== 'true')
        world.hold('CB-01', after === before, `${what} does not keep rows or mails from being made`)
      else if (isRequest) world.hold('CB-01', after !== before, `${what} brings no mail`)
      world.reach(answer.kind)
      world.reach(isRequest ? wanted : door)
    },
  }),

  property({
    proves: ['CB-02'],
    name: 'for a link signIn is asked twice: when it is wanted, and when it is followed',
    story: 'A ban between the two is not seen, or mails go out to addresses that signIn would refuse.',
    advice: 'Ask with email.verificationRequest before the mail is sent, and without it at the callback.',
    needs: ['hooks'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 30,
    input: fc.record({
      isKnown: fc.boolean(),
      isIn: fc.boolean(),
      elsewhere: fc.boolean(),
      pause: fc.constantFrom(0, 60, 86_000),
    }),
    async run(world, { isKnown, isIn, elsewhere, pause }) {
      const { ada } = world.people
      if (isKnown) await world.browser('ada').signIn('mail', ada)
      const browser = world.browser('ada')
      if (isIn) await browser.signIn('alpha', ada)
      const from = world.told.callbacks.length
      const mail = await browser.askLink(ada.address.mail)
      const wanted = callsOf(world, 'signIn', from)
      const isMarked = (params: Given | undefined) => member(params?.email, 'verificationRequest') === true
      world.hold(
        'CB-02',
        wanted.length === 1 && isMarked(wanted[0]),
        `when a link is wanted, signIn is asked ${wanted.length} times, ${isMarked(wanted[0]) ? 'and' : 'but not'} with email.verificationRequest`,
      )
      if (world.features.has('clock')) world.pass(pause)
      const between = world.told.callbacks.length
      const reader = elsewhere ? world.browser('ada') : browser
      await reader.followLink(mail)
      const followed = callsOf(world, 'signIn', between)
      world.hold(
        'CB-02',
        followed.length === 1 && !isMarked(followed[0]),
        `when the link is followed, signIn is asked ${followed.length} times, ${isMarked(followed[0]) ? 'with' : 'without'} email.verificationRequest`,
      )
      world.demand((await reader.whoAmI()) === ada.name, 'the link signs nobody in')
      world.reach(isKnown ? 'known' : 'new')
    },
  }),

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
          ofAda(world, member(holder, 'email')),
          `${what} is given the ${wanted[1] ?? ''} of nobody`,
        )
        world.hold(
          'CB-04',
          ofAda(world, member(params.session, 'user', 'email')),
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

  property({
    proves: ['CB-06'],
    name: 'a wrong password leads to the sign-in page, and nothing tells whether the name is known',
    story: 'Whoever tries names learns which of them have an account.',
    advice: 'Answer null from authorize with the code credentials, whatever was wrong.',
    setups: {
      form: { strategy: 'jwt', providers: ['form'] },
      'own page': { strategy: 'jwt', providers: ['form'], config: { pages: { signIn: '/enter' } } },
    },
    runs: 40,
    input: fc.record({
      known: fc.string({ maxLength: 20 }),
      unknown: fc
        .string({ minLength: 1, maxLength: 20 })
        .filter((name) => !['ada', 'bob', 'eve'].includes(name)),
      password: fc.string({ maxLength: 20 }),
      byScript: fc.boolean(),
    }),
    async run(world, { known, unknown, password, byScript }) {
      const { ada } = world.people
      const enter = async (username: string, secret: string) => {
        const browser = world.browser('eve')
        const csrfToken = await browser.csrfToken()
        const reply = await browser.send(`${world.basePath}/callback/${world.idOf('form') ?? ''}`, {
          form: { csrfToken, username, password: secret },
          ...(byScript && { headers: { 'x-auth-return-redirect': '1' } }),
        })
        world.hold('CB-06', !isSignedIn(await browser.readSession()), 'a wrong password signs somebody in')
        const to = ledTo(reply)
        const error = to?.searchParams.get('error')
        const [came, code] = [
          `${reply.failure ?? reply.status} ${to?.href ?? ''}`,
          to?.searchParams.get('code'),
        ]
        world.hold(
          'CB-06',
          error === 'CredentialsSignin' && Boolean(code),
          `a wrong password leads to ${came}`,
        )
        if (world.features.has('setup')) {
          const pages = [`${world.basePath}/signin`, '/enter']
          world.hold(
            'CB-06',
            pages.includes(to?.pathname ?? ''),
            `a wrong password leads to ${came}, which is no sign-in page`,
          )
        }
        return `${reply.status} ${error ?? ''} ${code ?? ''}`
      }
      const wrong = await enter(ada.name, known === ada.password ? '' : known)
      const nobody = await enter(unknown, password)
      world.hold(
        'CB-06',
        wrong === nobody,
        `a wrong password is answered ${wrong}, an unknown name ${nobody}`,
      )
      await world.browser('ada').signIn('form', ada)
    },
  }),

  property({
    proves: ['CB-07'],
    name: 'of a token response and of a profile only the usual members are stored',
    story:
      'A provider adds members to its answers, and they become columns: a role, an owner, a proof of an address.',
    advice: 'Pick members by name; never spread what a provider sent into a row.',
    needs: ['store'],
    setups: Object.fromEntries(
      (['database', 'jwt'] as const).map((strategy) => [
        strategy,
        {
          strategy,
          ...(strategy === 'jwt' && { config: { adapter: true } }),
          provider: { plain: { profile: undefined } },
          idp: {
            alpha: { users: [...usersOf('alpha'), richUser] },
            plain: { users: [...usersOf('plain'), richUser] },
          },
        },
      ]),
    ),
    runs: 20,
    input: fc.record({ provider: fc.constantFrom('alpha', 'plain'), more: fc.boolean(), rich: fc.boolean() }),
    async run(world, { provider, more, rich }) {
      const idp = world.idps[provider]
      const browser = world.browser('ada')
      idp.misbehave(...(more ? (['more-than-usual'] as const) : []))
      const { location } = await browser.start(provider)
      world.demand(location !== undefined && location.origin !== world.origin, 'no sign-in is started')
      idp.choose(rich ? 'rich' : `ada-at-${provider}`)
      const { parameters, mode } = await idp.authorize(location?.href ?? '')
      world.prove(browser, world.people.ada, provider)
      await browser.arrive({ provider, parameters, mode })
      idp.misbehave()
      const [account] = world.rows.accounts
      const [user] = world.rows.users
      world.demand(account !== undefined && user !== undefined, 'nobody came in')
      const surplus = Object.keys(account ?? {}).filter(
        (name) => ![...ofEveryAccount, ...storedOfTokens].includes(name),
      )
      world.hold('CB-07', surplus.length === 0, `an account is stored with ${surplus.join(', ')}`)
      const expected = [
        'access_token',
        'token_type',
        'scope',
        'expires_at',
        ...(provider === 'alpha' ? ['id_token'] : []),
        ...(more ? ['refresh_token', 'session_state'] : []),
      ]
      const lacking = expected.filter((name) => account?.[name] === undefined || account[name] === null)
      world.hold('CB-07', lacking.length === 0, `an account is stored without ${lacking.join(', ')}`)
      const strange = Object.keys(user ?? {}).filter(
        (name) => !['id', 'email', 'name', 'image', 'emailVerified'].includes(name),
      )
      world.hold('CB-07', strange.length === 0, `a user is stored with ${strange.join(', ')}`)
      const address = rich ? 'rich@alpha.example' : `ada@${provider}.example`
      world.hold(
        'CB-07',
        user?.email === address && user.name === (rich ? 'Rich' : 'ada'),
        'a user is stored without name or address',
      )
      if (rich)
        world.hold(
          'CB-07',
          user?.image === 'https://alpha.example/rich.png',
          'a user is stored without picture',
        )
      world.hold('CB-07', account?.userId === user?.id, 'a provider names the owner of an account')
      const isDated = String(user?.emailVerified ?? '').includes('2020')
      world.hold('CB-07', !isDated, 'a provider says itself when an address was proven')
    },
  }),
]

const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function ofAda({ people }: World, address: unknown): boolean {
  return Object.values(people.ada.address).some((each) => each === address)
}
