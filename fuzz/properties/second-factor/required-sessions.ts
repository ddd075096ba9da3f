import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  changeableSetups,
  enterBoth,
  enterFirst,
  isIn,
  type Member,
  openMember,
} from '../support/account-changes.ts'

const kinds = ['with the second factor', 'without the second factor', 'from before the option'] as const
type Kind = (typeof kinds)[number]

/** Opens a session of the user. */
async function openSession(world: World, user: Member, kind: Kind): Promise<Browser> {
  if (kind === 'with the second factor') return enterBoth(world, user)
  if (kind === 'without the second factor') {
    const browser = await enterBoth(world, user, { remember: 'true' })
    await browser.signOut()
    await enterFirst(world, browser, user)
    return browser
  }
  const setup = changeableSetups[world.strategy]
  const { 'second-factor': _, 'account-page': __, ...rest } = setup.with
  // Enrolling has ended the tokens of this moment.
  world.clock.advance(1)
  const before = await world.another({ ...setup, with: rest }, 'same')
  const browser = before.browser()
  await enterFirst(before, browser, user)
  return browser
}

/** Properties of the demands that a page of the application can make on a session. */
export const requiredSessionProperties: readonly Property[] = [
  property({
    proves: ['SF-14'],
    name: 'refuses a session that is older than a page demands, lacks the second factor, or does not say',
    story: 'A page that transfers money demands the second factor, and opens for a session from last week.',
    advice: 'Compare the time and the methods of the session, and refuse a session that has neither.',
    needs: ['setup', 'store', 'clock'],
    setups: changeableSetups,
    runs: 30,
    reaches: { granted: 4, refused: 8, ...Object.fromEntries(kinds.map((kind) => [kind, 3])) },
    input: fc.record({
      kind: fc.constantFrom(...kinds),
      age: fc.integer({ min: 1, max: 1200 }),
      freshness: fc.option(fc.constantFrom(60, 600, 900), { nil: undefined }),
      factor: fc.boolean(),
      isPage: fc.boolean(),
    }),
    async run(world, { kind, age, freshness, factor, isPage }) {
      const browser = await openSession(world, await openMember(world), kind)
      world.assume(await isIn(browser), 'nobody is signed in')
      const isKnown = member((await browser.readSession()).json, 'auth_time') !== undefined
      world.advance(age)
      const cookie = Object.entries(browser.cookies()).map(([name, value]) => `${name}=${value}`)
      const accept = isPage ? 'text/html' : 'application/json'
      const request = new Request(`${world.origin}/page?of=ada`, {
        headers: { cookie: cookie.join('; '), accept },
      })
      const given = await world.operations?.requireSession?.({
        request,
        factor,
        ...(freshness !== undefined && { freshness }),
      })
      world.assume(given !== undefined, 'the application cannot require a session')
      const isGranted =
        (freshness === undefined || (isKnown && age <= freshness)) &&
        (!factor || kind === 'with the second factor')
      world.reach(kind)
      world.reach(isGranted ? 'granted' : 'refused')
      const says = `${age} s old, ${kind}, for ${JSON.stringify({ freshness, factor })}`
      world.check('SF-14', given instanceof Response === !isGranted, `a session is wrongly judged: ${says}`)
      if (!(given instanceof Response)) return
      if (!isPage) {
        const { error } = (await given.json()) as { error?: unknown }
        const isTold = given.status === 401 && error === 'insufficient_user_authentication'
        world.check('SF-14', isTold, `a client gets ${given.status} and ${String(error)}`)
        return
      }
      const to = new URL(given.headers.get('location') ?? world.origin, world.origin)
      const back = to.searchParams.get('callbackUrl') ?? ''
      const isOwn = [world.url('factor'), world.url('signin')].includes(`${to.origin}${to.pathname}`)
      world.check('SF-14', isOwn, `a browser is redirected to ${to.pathname}`)
      world.check('SF-14', new URL(back, world.origin).href === request.url, `the way back is ${back}`)
    },
  }),
]
