import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { furtherProvider } from '../support/configurations.ts'
import { isSignedIn, update } from '../support/sessions.ts'

const actions = [
  'alpha',
  'plain',
  'mail',
  'be denied',
  'return twice',
  'read',
  'update',
  'sign out',
  'read csrf',
] as const
type Action = (typeof actions)[number]
type Name = Person['name']

/** Actions of two people, each in a separate browser, and their order. */
const scripts = fc.array(
  fc.record({ who: fc.constantFrom('ada' as const, 'bob' as const), action: fc.constantFrom(...actions) }),
  {
    minLength: 2,
    maxLength: 7,
  },
)
type Script = readonly { readonly who: Name; readonly action: Action }[]

/** Changes that must make no difference. */
const changes = [
  'another order',
  'other names',
  'another time',
  'more providers',
  'another order of providers',
] as const

const others = { ada: 'bob', bob: 'ada', eve: 'eve' } as const

/** Sorts the actions of one person before those of the other, and keeps each person's order. */
const sorted = (script: Script): Script => [
  ...script.filter(({ who }) => who === 'bob'),
  ...script.filter(({ who }) => who !== 'bob'),
]

async function act(world: World, browser: Browser, person: Person, action: Action): Promise<Reply> {
  const signIn = async (method: RemoteName, change?: (query: URLSearchParams) => void) => {
    const arrival = await browser.visit(method, person)
    change?.(arrival.parameters)
    return [await browser.arrive(arrival), arrival] as const
  }
  switch (action) {
    case 'alpha':
    case 'plain':
      return (await signIn(action))[0]
    case 'be denied':
      return (
        await signIn('alpha', (query) => {
          query.delete('code')
          query.set('error', 'access_denied')
        })
      )[0]
    case 'return twice':
      return browser.arrive((await signIn('plain'))[1])
    case 'mail':
      return browser.followLink(await browser.requestLink(person.address.mail))
    case 'read':
      return browser.readSession()
    case 'update':
      return update(world, browser, 'news')
    case 'sign out':
      return browser.signOut()
    case 'read csrf':
      return browser.send(`${world.basePath}/csrf`)
  }
}

/** Runs a script and returns each person's outcomes, without names and times. */
async function play(
  world: World,
  script: Script,
  naming: (name: Name) => Name,
): Promise<Record<string, string[]>> {
  const browsers = {
    ada: world.browser(naming('ada')),
    bob: world.browser(naming('bob')),
    eve: world.browser('eve'),
  }
  const outcomes: Record<string, string[]> = { ada: [], bob: [], eve: [] }
  for (const { who, action } of script) {
    const person = world.people[naming(who)]
    const reply = await act(world, browsers[who], person, action)
    const session = await browsers[who].readSession()
    const me = isSignedIn(session) ? await browsers[who].whoAmI() : undefined
    const signedIn = me === undefined ? 'nobody' : me === person.name ? 'themselves' : 'another user'
    const to = `${reply.location?.pathname ?? ''} ${reply.location?.searchParams.get('error') ?? ''}`
    const cookies = reply.cookies.map(({ key, value }) => `${key}${value === '' ? ' away' : ''}`).toSorted()
    outcomes[who]?.push(`${action}: ${reply.status} ${to}, ${cookies.join(' ')}, ${signedIn}`)
  }
  const { users, accounts, sessions } = world.rows
  outcomes.store = [`${users.length} users, ${accounts.length} accounts, ${sessions.length} sessions`]
  return outcomes
}

export const metamorphicProperties: readonly Property[] = [
  property({
    proves: ['MD-04'],
    name: 'decides independently of order, names, time and other providers',
    story: 'A sign-in succeeds only because of an earlier user, the user’s name, or the date.',
    advice: 'Keep no state between requests except in the store, and read only what a decision needs.',
    needs: ['setup', 'store', 'clock'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 24,
    input: fc.record({
      script: scripts,
      change: fc.constantFrom(...changes),
      days: fc.integer({ min: 1, max: 4000 }),
    }),
    async run(base, { script, change, days }) {
      const setup = (providers: Setup['providers'], config: object = {}): Setup => ({
        strategy: base.strategy,
        ...(providers && { providers }),
        config: { adapter: true, ...config },
      })
      const usual = ['alpha', 'plain', 'mail'] as const
      const first = await play(await base.another(setup(usual), 'own'), script, (name) => name)
      if (change === 'another time') base.advance(days * 86_400 + 12_345)
      const more = { providers: [furtherProvider('further'), furtherProvider('open', 'oidc')] }
      const changed =
        change === 'more providers'
          ? setup(['beta', ...usual], more)
          : setup(change === 'another order of providers' ? usual.toReversed() : usual)
      const world = await base.another(changed, 'own')
      const second = await play(
        world,
        change === 'another order' ? sorted(script) : script,
        change === 'other names' ? (name) => others[name] : (name) => name,
      )
      for (const [who, outcomes] of Object.entries(first)) {
        const differs = outcomes.findIndex((outcome, n) => outcome !== second[who]?.[n])
        world.check(
          'MD-04',
          differs < 0,
          `${change}: for ${who} the outcome was "${outcomes[differs] ?? ''}", and is "${second[who]?.[differs] ?? ''}"`,
        )
      }
      base.reach(change)
    },
  }),
]
