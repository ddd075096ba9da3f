import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { Browser } from '../world/browser.ts'
import type { Person, RemoteName } from '../world/people.ts'
import type { Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { furtherProvider } from './support/configurations.ts'
import { isSignedIn, update } from './support/sessions.ts'

const deeds = [
  'alpha',
  'plain',
  'mail',
  'be denied',
  'come back twice',
  'read',
  'update',
  'sign out',
  'look',
] as const
type Deed = (typeof deeds)[number]
type Name = Person['name']

/** What two people do, each in a browser of their own, and in which order. */
const scripts = fc.array(
  fc.record({ who: fc.constantFrom('ada' as const, 'bob' as const), deed: fc.constantFrom(...deeds) }),
  {
    minLength: 2,
    maxLength: 7,
  },
)
type Script = readonly { readonly who: Name; readonly deed: Deed }[]

/** What is changed, though it should change nothing. */
const changes = [
  'another order',
  'other names',
  'another time',
  'more providers',
  'another order of providers',
] as const

const others = { ada: 'bob', bob: 'ada', eve: 'eve' } as const

/** Those of one person first, then those of the other: nobody’s own order is changed. */
const sorted = (script: Script): Script => [
  ...script.filter(({ who }) => who === 'bob'),
  ...script.filter(({ who }) => who !== 'bob'),
]

async function act(world: World, browser: Browser, person: Person, deed: Deed): Promise<Reply> {
  const come = async (door: RemoteName, change?: (query: URLSearchParams) => void) => {
    const arrival = await browser.visit(door, person)
    change?.(arrival.parameters)
    return [await browser.arrive(arrival), arrival] as const
  }
  switch (deed) {
    case 'alpha':
    case 'plain':
      return (await come(deed))[0]
    case 'be denied':
      return (
        await come('alpha', (query) => {
          query.delete('code')
          query.set('error', 'access_denied')
        })
      )[0]
    case 'come back twice':
      return browser.arrive((await come('plain'))[1])
    case 'mail':
      return browser.followLink(await browser.askLink(person.address.mail))
    case 'read':
      return browser.readSession()
    case 'update':
      return update(world, browser, 'news')
    case 'sign out':
      return browser.signOut()
    case 'look':
      return browser.send(`${world.basePath}/csrf`)
  }
}

/** What comes of a script, for each person: nothing in it tells names or times. */
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
  for (const { who, deed } of script) {
    const person = world.people[naming(who)]
    const reply = await act(world, browsers[who], person, deed)
    const session = await browsers[who].readSession()
    const me = isSignedIn(session) ? await browsers[who].whoAmI() : undefined
    const signedIn = me === undefined ? 'nobody' : me === person.name ? 'themselves' : 'somebody else'
    const to = `${reply.location?.pathname ?? ''} ${reply.location?.searchParams.get('error') ?? ''}`
    const cookies = reply.cookies.map(({ key, value }) => `${key}${value === '' ? ' away' : ''}`).toSorted()
    outcomes[who]?.push(`${deed}: ${reply.status} ${to}, ${cookies.join(' ')}, ${signedIn}`)
  }
  const { users, accounts, sessions } = world.rows
  outcomes.store = [`${users.length} users, ${accounts.length} accounts, ${sessions.length} sessions`]
  return outcomes
}

export const metamorphicProperties: readonly Property[] = [
  property({
    proves: ['MD-04'],
    name: 'order, names, the time and other providers make no difference',
    story: 'Somebody comes in because of who was there before, what they are called, or what day it is.',
    advice: 'Keep nothing between requests but the store, and look at nothing that a decision does not need.',
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
      if (change === 'another time') base.pass(days * 86_400 + 12_345)
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
        world.hold(
          'MD-04',
          differs < 0,
          `${change}: for ${who} it was "${outcomes[differs] ?? ''}", and is "${second[who]?.[differs] ?? ''}"`,
        )
      }
      base.reach(change)
    },
  }),
]
