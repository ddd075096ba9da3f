import { eachOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { claimsFor, postLogout } from '../support/provider-logouts.ts'
import { enrol, enterCode, period, withFactor } from '../support/second-factor.ts'

const wanted = { 'second-factor': true, 'back-channel-logout': true } as const

/** Enters the first factor. */
async function signIn(world: World, browser: Browser = world.browser('ada')): Promise<Browser> {
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

/** What ends a sign-in that waits for the second factor. */
const ends = {
  'a sign-out': (_: World, browser: Browser) => browser.signOut(),
  async 'a logout at the provider'(world: World) {
    world.advance(2)
    await postLogout(world, await world.idps.alpha.sign(claimsFor(world, world.people.ada)))
    // Sign-ins of the same second end, too.
    world.advance(2)
  },
  async 'a sign-in of another user'(world: World, browser: Browser) {
    await browser.arrive(await browser.visit('plain', world.people.bob))
  },
} as const satisfies Record<string, (world: World, browser: Browser) => Promise<unknown>>
type End = keyof typeof ends
const names = Object.keys(ends) as End[]

/** A sign-in that waits for the second factor ends with what ends a session of its browser. */
export const waitingSignInProperties: readonly Property[] = [
  property({
    proves: ['POL-06', 'SF-02'],
    name: 'ends a sign-in that waits for a code with the sign-out, the logout and the next sign-in',
    story: 'Ada signs out of a shared computer while it asks for her code, and Eve finishes the sign-in.',
    advice:
      'Remember in the store that the sign-in ended, and clear its cookie at each sign-in and sign-out.',
    needs: ['setup', 'store', 'clock'],
    setups: {
      database: { ...withFactor.database, with: wanted },
      jwt: { ...withFactor.jwt, with: { ...wanted, 'jwt-revocation': true } },
    },
    runs: 12,
    reaches: Object.fromEntries(names.map((name) => [name, 1])),
    ...eachOf(names),
    async run(world, name) {
      const app = await enrol(world, await signIn(world))
      const browser = await signIn(world)
      const copy = browser.save()
      const [witness, kept] = [await signIn(world), world.browser('ada')]
      await ends[name](world, browser)
      const before = await browser.whoAmI()
      // Another person in the browser has no copy of the earlier cookies.
      if (name !== 'a sign-in of another user') browser.restore(copy)
      await enterCode(world, browser, app.code())
      const who = await browser.whoAmI()
      const says = `after ${name}, a code finishes the sign-in that waited, as ${String(who)}`
      for (const id of ['POL-06', 'SF-02'] as const) world.check(id, who === before, says)
      const other = name === 'a logout at the provider' ? await signIn(world, kept) : witness
      world.clock.advance(period)
      await enterCode(world, other, app.code())
      world.check('SF-02', (await other.whoAmI()) !== undefined, `after ${name}, no sign-in waits for a code`)
      world.reach(name)
    },
  }),
]
