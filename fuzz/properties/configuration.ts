import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { furtherProvider, goodSetups, spoils } from './support/configurations.ts'
import { isSignedIn, issuedBy, refuses, sessionOf } from './support/sessions.ts'
import { needs, simple, open } from './support/configured.ts'

const wrongs = Object.keys(spoils)

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

/** Is an error told by a class of its own, or does the one of all errors name an option in its message? */
function isNamed(world: World, names: readonly string[]): boolean {
  const namesOption = ({ name, message }: Error) => name === 'AuthError' && /\b[a-z]+[A-Z]\w*\b/.test(message)
  return names.some((name) => !nameless.includes(name)) || world.told.errors.some(namesOption)
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
    isNamed(world, names),
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
        // Who does not see the error (CF-01) may show a session to whoever has one.
        const isSeen = world.told.errors.length > 0
        base.hold('CF-03', !isUsable || (holds && !isSeen), what)
        base.hold('CF-03', issuedBy(reply).length === 0, `with ${wrong} ${path} issues a session`)
      }
    },
  }),
]
