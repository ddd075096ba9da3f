import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { furtherProvider, goodSetups, spoils } from './support/configurations.ts'
import { isSignedIn, issuedBy, refuses, sessionOf } from './support/sessions.ts'

const needs = ['setup', 'hooks'] as const
const wrongs = Object.keys(spoils)
const simple = { strategy: 'jwt', providers: ['alpha', 'plain'] } as const satisfies Setup
/** What errors of no particular kind are called. */
const nameless = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'AuthError', '']

/** Every route, as browsers and scripts ask for it. */
const routes = [
  'GET session',
  'GET csrf',
  'GET providers',
  'GET signin',
  'GET signout',
  'GET error',
  'GET verify-request',
  'GET callback/alpha?code=x',
  'GET callback/mail?token=x&email=ada%40mail.example',
  'POST signin/alpha',
  'POST callback/form',
  'POST signout',
  'POST session',
] as const

/** An application of this configuration; or how it was refused when it was made. */
async function open(base: World, setup: Setup): Promise<World | Error> {
  try {
    return await base.another(setup, 'own')
  } catch (error) {
    base.demand(error instanceof Error && error.name !== 'Unreached', 'there is no second application')
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function ask(world: World, route: string, cookie: string): Promise<Reply> {
  const [method = 'GET', path = ''] = route.split(' ')
  const headers = {
    ...(cookie && { cookie }),
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  }
  return world.send(
    new Request(world.url(path), { method, headers, ...(method === 'POST' && { body: '{}' }) }),
  )
}

/** The names under which errors were told: to the logger, or as what the handler threw. */
function namesOf(world: World, replies: readonly Reply[]): string[] {
  const thrown = replies.flatMap(({ failure }) => failure?.split(':')[0] ?? [])
  return [...world.told.errors.map(({ name }) => name), ...thrown]
}

/** Holds that an application refuses to work from its first request on, and says why by a name. */
export async function holdRefused(
  base: World,
  id: 'CF-01' | 'CF-02' | 'FI-04',
  setup: Setup,
  what: string,
  asked: readonly string[] = routes,
): Promise<void> {
  const world = await open(base, setup)
  if (world instanceof Error) {
    base.hold(id, !nameless.includes(world.name), `${what} is refused by a nameless ${world.name}`)
    return
  }
  const replies: Reply[] = []
  for (const route of new Set(['GET session', ...asked])) {
    const reply = await ask(world, route, '')
    const isError = route === 'GET error' && reply.status === 200
    // Not there is what a route may be in a sound application, too.
    const isRefused = refuses(reply) && (route !== 'GET session' || reply.status !== 404)
    base.hold(
      id,
      isRefused || isError,
      `with ${what} ${route} is answered ${reply.status}, ${reply.text.slice(0, 80)}`,
    )
    replies.push(reply)
  }
  const names = namesOf(world, replies)
  base.hold(
    id,
    names.some((name) => !nameless.includes(name)),
    `${what} is refused without a named error, but with ${names.join(', ') || 'none'}`,
  )
}

/** Holds that a sign-in works, and all routes answer. */
export async function holdWorks(
  base: World,
  id: 'CF-01' | 'CF-02' | 'FI-04',
  setup: Setup,
  what: string,
): Promise<void> {
  const world = await open(base, setup)
  if (world instanceof Error) {
    base.hold(id, false, `${what} is refused: ${world.name}: ${world.message}`)
    return
  }
  for (const route of ['GET session', 'GET csrf', 'GET providers', 'GET signin']) {
    const reply = await ask(world, route, '')
    const why = namesOf(world, [reply]).join(', ')
    base.hold(id, !refuses(reply), `with ${what} ${route} is answered ${reply.status}: ${why}`)
    const isLoop =
      route.endsWith(' signin') && reply.location?.pathname === new URL(world.url('signin')).pathname
    base.hold(id, !isLoop, `with ${what} the sign-in page leads to itself`)
  }
  const browser = world.browser('ada')
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  const why = world.told.errors.map(({ name, message }) => `${name}: ${message}`).join(', ')
  base.hold(id, isSignedIn(await browser.readSession()), `with ${what} nobody can sign in: ${why}`)
}

const types = fc.constantFrom('oauth', 'oidc', 'email', 'credentials')
const words = (setup: Setup) => `the configuration ${fc.stringify(setup)}`

/** What is dangerous, and has to be said. */
const dangers: Readonly<Record<string, Setup>> = {
  'checks off': { ...simple, provider: { plain: { checks: ['none'] } } },
  'linking by address': { ...simple, provider: { alpha: { allowDangerousEmailAccountLinking: true } } },
  'linking by address at a provider without OpenID': {
    ...simple,
    provider: { plain: { allowDangerousEmailAccountLinking: true } },
  },
  'an issuer without TLS': {
    ...simple,
    provider: { alpha: { issuer: 'http://alpha.example', allowInsecureRequests: true } },
  },
  'endpoints without TLS': {
    ...simple,
    provider: { plain: { token: 'http://plain.example/token', allowInsecureRequests: true } },
  },
}

export const configurationProperties: readonly Property[] = [
  property({
    proves: ['CF-01'],
    name: 'a configuration with something wrong in it is refused by name, on every route',
    story: 'A mistake in the settings shows first when somebody is let in, or can’t come in any more.',
    advice:
      'Check the whole configuration before the first request is answered, and throw an error of a class.',
    needs,
    runs: 80,
    input: fc.record({
      some: fc.subarray(wrongs, { minLength: 6, maxLength: 6 }),
      good: goodSetups,
      asked: fc.subarray([...routes], { minLength: 2, maxLength: 2 }),
    }),
    async run(base, { some, good, asked }) {
      for (const wrong of some) {
        const setup = spoils[wrong]?.(good) ?? good
        await holdRefused(base, 'CF-01', setup, `a configuration with ${wrong}`, asked)
        base.reach(wrong)
      }
    },
  }),

  property({
    proves: ['CF-01'],
    name: 'a configuration with nothing wrong in it works',
    story: 'An application that follows the manual does not start.',
    advice: 'Refuse what cannot work, and nothing that is merely unusual.',
    needs,
    runs: 60,
    input: goodSetups,
    run: (base, good) => holdWorks(base, 'CF-01', good, words(good)),
  }),

  property({
    proves: ['CF-02'],
    name: 'two providers of one id are refused, whatever they are',
    story: 'Users of one provider come back through another one, and are taken for somebody else.',
    advice: 'Compare the ids as they are in force, after the options of each provider are merged.',
    needs,
    runs: 30,
    input: fc.record({
      id: fc.constantFrom('alpha', 'plain', 'twice', 'A-1'),
      types: fc.tuple(types, types),
      byOption: fc.boolean(),
      between: fc.boolean(),
      strategy: fc.constantFrom('jwt' as const, 'database' as const),
    }),
    async run(base, { id, types: [one, other], byOption, between, strategy }) {
      const fits = (type: string) => (type === 'credentials' && strategy === 'database' ? 'oauth' : type)
      const first = id === 'alpha' || id === 'plain' ? [] : [furtherProvider(id, fits(one))]
      const second = byOption
        ? { ...furtherProvider('second', fits(other)), options: { id } }
        : furtherProvider(id, fits(other))
      const more = between ? [furtherProvider('between')] : []
      const setupOf = (last: object): Setup => ({
        ...simple,
        strategy,
        config: { adapter: true, providers: [...first, ...more, last] },
      })
      await holdRefused(base, 'CF-02', setupOf(second), `a configuration with two providers called ${id}`)
      await holdWorks(
        base,
        'CF-02',
        setupOf(furtherProvider('second', fits(other))),
        'providers of different ids',
      )
    },
  }),

  property({
    proves: ['CF-03'],
    name: 'with a configuration error nothing answers with what may be taken for a session',
    story: 'A page asks whether there is a session, is answered with an error object, and takes it for one.',
    advice: 'Answer configuration errors with a status of 500, on the session route above all.',
    needs,
    runs: 80,
    input: fc.record({
      wrong: fc.constantFrom(...wrongs),
      route: fc.constantFrom('GET session', ...routes),
      holds: fc.boolean(),
    }),
    async run(base, { wrong, route, holds }) {
      const good = await base.another(simple, 'own')
      const browser = good.browser('ada')
      await browser.signIn('alpha', good.people.ada)
      const held = sessionOf(browser.cookies())
      const cookie = holds
        ? Object.entries(held)
            .map((pair) => pair.join('='))
            .join('; ')
        : ''
      const world = await open(base, spoils[wrong]?.(simple) ?? simple)
      if (world instanceof Error) return
      for (const path of new Set(['GET session', route])) {
        const reply = await ask(world, path, cookie)
        const isObject = typeof reply.json === 'object' && reply.json !== null
        const isUsable =
          reply.status === 200 &&
          isObject &&
          (path.endsWith(' session') || member(reply.json, 'user') !== undefined)
        const what = `with ${wrong} ${path} is answered 200, ${reply.text.slice(0, 120)}`
        base.hold('CF-03', !isUsable, what)
        base.hold('CF-03', issuedBy(reply).length === 0, `with ${wrong} ${path} issues a session`)
      }
    },
  }),

  property({
    proves: ['CF-04'],
    name: 'what is dangerous is said once',
    story: 'A switch that somebody set for a test goes into production, and nobody is told.',
    advice: 'Warn by a code of its own when a configuration is read first.',
    needs,
    runs: 30,
    input: fc.record({
      danger: fc.constantFrom(...Object.keys(dangers)),
      rounds: fc.integer({ min: 1, max: 4 }),
    }),
    async run(base, { danger, rounds }) {
      const warnings = async (setup: Setup) => {
        const world = await open(base, setup)
        if (world instanceof Error) return undefined
        const browser = world.browser('ada')
        for (let round = 0; round < rounds; round++) {
          for (const path of ['session', 'providers', 'signin'])
            await browser.send(`${world.basePath}/${path}`)
          for (const name of ['alpha', 'plain'] as const) {
            const { location } = await browser.start(name)
            // A provider that is refused needs no warning.
            if (location?.origin === world.origin && danger.includes('TLS')) return undefined
          }
        }
        return world.told.warnings.map(String)
      }
      const usual = (await warnings(simple)) ?? []
      const told = await warnings(dangers[danger] ?? simple)
      if (told === undefined) return
      const codes = told.filter((code) => !usual.includes(code))
      base.hold('CF-04', codes.length > 0, `nothing is said of ${danger}`)
      base.hold('CF-04', new Set(codes).size === codes.length, `of ${danger} it is said ${codes.join(', ')}`)
      base.reach(danger)
    },
  }),

  property({
    proves: ['CF-05'],
    name: 'what is not configured is as the specification has it',
    story: 'A default that is laxer than the manual says makes every application laxer that relies on it.',
    advice: 'Keep the defaults in one table, and hold it against the specification.',
    needs: [...needs, 'store', 'clock'],
    setups: { database: {}, jwt: { strategy: 'jwt' } },
    runs: 24,
    reaches: { 'before it is due': 1, 'when it is due': 1 },
    input: fc.record({
      at: fc.constantFrom(0, 60, 86_399, 86_400, 86_401, 200_000, 2_591_999, 2_592_000),
      linkAge: fc.constantFrom(0, 86_399, 86_400),
    }),
    async run(base, { at, linkAge }) {
      const isStored = base.strategy === 'database'
      const undefinedOnes = {
        basePath: undefined,
        debug: undefined,
        cookies: undefined,
        useSecureCookies: undefined,
      }
      const world = await base.another(
        {
          strategy: base.strategy,
          providers: isStored ? ['alpha', 'plain', 'mail'] : ['alpha', 'plain'],
          ...(isStored && { provider: { mail: { maxAge: undefined } } }),
          config: { ...undefinedOnes, session: { strategy: undefined } },
        },
        'own',
      )
      const { ada } = world.people
      const browser = world.browser('ada')
      const csrf = await browser.send('/auth/csrf')
      world.hold('CF-05', csrf.status === 200, `the base path is not /auth by default: ${csrf.status}`)
      await holdPlain(world)
      const started = await browser.start('plain')
      const query = started.location?.searchParams
      const hasPkce = query?.get('code_challenge_method') === 'S256' && query.has('code_challenge')
      world.hold('CF-05', hasPkce, 'a sign-in has no PKCE by default')
      const reply = await browser.arrive(await browser.visit('alpha', ada))
      const [cookie] = issuedBy(reply)
      world.demand(cookie !== undefined, 'nobody is signed in')
      const now = world.clock.now()
      world.hold(
        'CF-05',
        world.rows.sessions.length === Number(isStored),
        `${isStored ? 'with' : 'without'} an adapter, ${world.rows.sessions.length} sessions are stored`,
      )
      world.hold(
        'CF-05',
        isStored || cookie?.value.split('.').length === 5,
        'a token is not encrypted by default',
      )
      holdFlags(world, [...started.cookies, ...reply.cookies])
      const life =
        cookie?.maxAge ??
        (cookie?.expires instanceof Date ? (cookie.expires.getTime() - now) / 1000 : undefined)
      world.hold('CF-05', life === 2_592_000, `the session cookie lives for ${String(life)} s`)
      world.pass(at)
      const read = await browser.readSession()
      if (at >= 2_592_000) {
        world.hold('CF-05', !isSignedIn(read), `after ${at} s there is still a session`)
        world.reach('at its end')
      } else {
        world.hold('CF-05', isSignedIn(read), `after ${at} s there is no session any more`)
        const isDue = at >= 86_400
        const end = isStored
          ? world.rows.sessions[0]?.expires.getTime()
          : Number(new Date(String(member(read.json, 'expires'))))
        const wanted = isStored && !isDue ? now + 2_592_000_000 : world.clock.now() + 2_592_000_000
        world.hold(
          'CF-05',
          end === wanted,
          `a session of ${at} s now ends in ${((end ?? 0) - world.clock.now()) / 1000} s`,
        )
        world.reach(isDue ? 'when it is due' : 'before it is due')
      }
      if (!isStored) return
      const reader = world.browser('ada')
      const mail = await reader.askLink(ada.address.mail)
      world.pass(linkAge)
      await reader.followLink(mail)
      const isIn = isSignedIn(await reader.readSession())
      world.hold(
        'CF-05',
        isIn === linkAge < 86_400,
        `a link of ${linkAge} s ${isIn ? 'opens' : 'opens nothing'}`,
      )
    },
  }),
]

/** Holds that cookies are as they can be without TLS. */
async function holdPlain(world: World): Promise<void> {
  const { cookies } = await world.send(new Request(world.url('csrf').replace('https:', 'http:')))
  for (const { key, secure } of cookies)
    world.hold('CF-05', !secure && !key.startsWith('__'), `without TLS ${key} has Secure ${secure}`)
}

/** The flags that each cookie of the library has by default, over https. */
function holdFlags(world: World, cookies: Reply['cookies']): void {
  for (const { key, value, httpOnly, secure, sameSite, path, domain } of cookies) {
    if (value === '') continue
    const says = `${key} has HttpOnly ${httpOnly}, Secure ${secure}, SameSite ${String(sameSite)}, Path ${String(path)}, Domain ${String(domain)}`
    const isUsual = httpOnly && secure && sameSite?.toLowerCase() === 'lax' && path === '/' && domain === null
    world.hold('CF-05', isUsual && /^__(?:Secure|Host)-/.test(key), says)
  }
}
