import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { furtherProvider, goodSetups, defects } from '../support/configurations.ts'
import { isSignedIn, issuedBy, refuses, sessionOf } from '../support/sessions.ts'
import { needs, simple, open } from '../support/configured.ts'

const defectNames = Object.keys(defects)

/** Generic names of errors. */
const nameless = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'AuthError', '']

/** Every route, as browsers and scripts request it. */
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

async function request(world: World, route: string, cookie: string): Promise<Reply> {
  const [method = 'GET', path = ''] = route.split(' ')
  const headers = {
    ...(cookie && { cookie }),
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  }
  return world.send(
    new Request(world.url(path), { method, headers, ...(method === 'POST' && { body: '{}' }) }),
  )
}

/** The names of errors that were logged, or that the handler threw. */
function namesOf(world: World, replies: readonly Reply[]): string[] {
  const thrown = replies.flatMap(({ failure }) => failure?.split(':')[0] ?? [])
  return [...world.recorded.errors.map(({ name }) => name), ...thrown]
}

/** Returns whether an error has a specific class, or a message that names an option. */
function isNamed(world: World, names: readonly string[]): boolean {
  const namesOption = ({ name, message }: Error) => name === 'AuthError' && /\b[a-z]+[A-Z]\w*\b/.test(message)
  return names.some((name) => !nameless.includes(name)) || world.recorded.errors.some(namesOption)
}

/** Checks that an application refuses its first request, with a named error. */
export async function checkRefused(
  base: World,
  id: 'CF-01' | 'CF-02' | 'FI-04',
  setup: Setup,
  what: string,
  others: readonly string[] = routes,
): Promise<void> {
  const world = await open(base, setup)
  if (world instanceof Error) {
    base.check(id, !nameless.includes(world.name), `${what} is refused by a generic ${world.name}`)
    return
  }
  const replies: Reply[] = []
  for (const route of new Set(['GET session', ...others])) {
    const reply = await request(world, route, '')
    const isError = route === 'GET error' && reply.status === 200
    // A route may also be missing in a valid application.
    const isRefused = refuses(reply) && (route !== 'GET session' || reply.status !== 404)
    base.check(
      id,
      isRefused || isError,
      `with ${what} ${route} returns ${reply.status}, ${reply.text.slice(0, 80)}`,
    )
    const [thrown = ''] = reply.failure?.split(':') ?? []
    const isGeneric = reply.failure !== undefined && nameless.includes(thrown)
    base.check(id, !isGeneric, `with ${what} ${route} throws ${reply.failure ?? ''}`)
    replies.push(reply)
  }
  const names = namesOf(world, replies)
  base.check(
    id,
    isNamed(world, names),
    `${what} is refused without a named error, but with ${names.join(', ') || 'none'}`,
  )
}

/** Checks that a sign-in works, and all routes respond. */
export async function checkWorks(
  base: World,
  id: 'CF-01' | 'CF-02' | 'FI-04',
  setup: Setup,
  what: string,
): Promise<void> {
  const world = await open(base, setup)
  if (world instanceof Error) {
    base.check(id, false, `${what} is refused: ${world.name}: ${world.message}`)
    return
  }
  for (const route of ['GET session', 'GET csrf', 'GET providers', 'GET signin']) {
    const reply = await request(world, route, '')
    const why = namesOf(world, [reply]).join(', ')
    base.check(id, !refuses(reply), `with ${what} ${route} returns ${reply.status}: ${why}`)
    const isLoop =
      route.endsWith(' signin') && reply.location?.pathname === new URL(world.url('signin')).pathname
    base.check(id, !isLoop, `with ${what} the sign-in page redirects to itself`)
  }
  const browser = world.browser('ada')
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  const why = world.recorded.errors.map(({ name, message }) => `${name}: ${message}`).join(', ')
  base.check(id, isSignedIn(await browser.readSession()), `with ${what} nobody can sign in: ${why}`)
}

const types = fc.constantFrom('oauth', 'oidc', 'email', 'credentials')

const words = (setup: Setup) => `the configuration ${fc.stringify(setup)}`

export const configurationProperties: readonly Property[] = [
  property({
    proves: ['CF-01'],
    name: 'refuses an invalid configuration with a named error, on every route',
    story: 'A configuration mistake surfaces only when the wrong user is signed in, or nobody can sign in.',
    advice: 'Validate the whole configuration before the first request, and throw a dedicated error class.',
    needs,
    runs: 80,
    input: fc.record({
      some: fc.subarray(defectNames, { minLength: 6, maxLength: 6 }),
      good: goodSetups,
      others: fc.subarray([...routes], { minLength: 2, maxLength: 2 }),
    }),
    async run(base, { some, good, others }) {
      for (const wrong of some) {
        const setup = defects[wrong]?.(good) ?? good
        await checkRefused(base, 'CF-01', setup, `a configuration with ${wrong}`, others)
        base.reach(wrong)
      }
    },
  }),

  property({
    proves: ['CF-01'],
    name: 'accepts a valid configuration',
    story: 'An application that follows the manual does not start.',
    advice: 'Refuse only what cannot work. Accept what is merely unusual.',
    needs,
    runs: 60,
    input: goodSetups,
    run: (base, good) => checkWorks(base, 'CF-01', good, words(good)),
  }),

  property({
    proves: ['CF-02'],
    name: 'refuses two providers with the same id, whatever their types',
    story: 'Users of one provider sign in with another one, as a different user.',
    advice: 'Compare the effective ids, after merging the options of each provider.',
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
      await checkRefused(base, 'CF-02', setupOf(second), `a configuration with two providers called ${id}`)
      await checkWorks(
        base,
        'CF-02',
        setupOf(furtherProvider('second', fits(other))),
        'providers with different ids',
      )
    },
  }),

  property({
    proves: ['CF-03'],
    name: 'returns nothing that reads as a session while the configuration is invalid',
    story: 'A page requests the session, gets an error object, and treats it as a session.',
    advice: 'Return status 500 for configuration errors, above all on the session route.',
    needs,
    runs: 80,
    input: fc.record({
      wrong: fc.constantFrom(...defectNames),
      route: fc.constantFrom('GET session', ...routes),
      hasSession: fc.boolean(),
    }),
    async run(base, { wrong, route, hasSession }) {
      const good = await base.another(simple, 'own')
      const browser = good.browser('ada')
      await browser.signIn('alpha', good.people.ada)
      const held = sessionOf(browser.cookies())
      const cookie = hasSession
        ? Object.entries(held)
            .map((pair) => pair.join('='))
            .join('; ')
        : ''
      const world = await open(base, defects[wrong]?.(simple) ?? simple)
      if (world instanceof Error) return
      for (const path of new Set(['GET session', route])) {
        const reply = await request(world, path, cookie)
        const isObject = typeof reply.json === 'object' && reply.json !== null
        const isUsable =
          reply.status === 200 &&
          isObject &&
          (path.endsWith(' session') || member(reply.json, 'user') !== undefined)
        const what = `with ${wrong} ${path} returns 200, ${reply.text.slice(0, 120)}`
        // A target that hides configuration errors (CF-01) may show a session to its owner.
        const isSeen = world.recorded.errors.length > 0
        base.check('CF-03', !isUsable || (hasSession && !isSeen), what)
        base.check('CF-03', issuedBy(reply).length === 0, `with ${wrong} ${path} issues a session`)
      }
    },
  }),
]
