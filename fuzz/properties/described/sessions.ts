import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

const alive = { observed: 'a session' } as const

export const describedSessionProperties: readonly Property[] = [
  property({
    proves: ['SE-01'],
    name: 'signs nobody in with the cookies from before the sign-in',
    story:
      'An attacker plants cookies in the victim’s browser. The victim signs in, and the attacker’s copies are signed in too.',
    advice: 'Generate a new session id at every sign-in, and ignore the old one from then on.',
    needs: ['description'],
    runs: 20,
    ...everyOf({ provider: remotes, planted: ['of a visitor', 'of a pending sign-in', 'of a session'] }),
    async run(world, { planted, provider }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      await attacker.readSession()
      if (planted === 'of a pending sign-in') await attacker.start(provider)
      if (planted === 'of a session') await attacker.signIn(provider, eve)
      const victim = world.browser('ada')
      victim.restore(attacker.save())
      // The planted session is not a finding; the victim's sign-in must not change it.
      if (planted === 'of a session') world.prove(victim, eve, provider)
      await victim.arrive(await victim.visit(provider, ada))
      world.assume((await victim.whoAmI()) === ada.name, 'a sign-in with planted cookies fails')
      world.check(
        'SE-01',
        (await attacker.whoAmI()) !== ada.name,
        `the cookies ${planted} are signed in as ada, who signed in in another browser`,
        { observed: 'another user' },
      )
      world.reach(planted)
    },
  }),

  property({
    proves: ['SE-10'],
    name: 'accepts no copy of the cookies after a sign-out',
    story: 'Somebody with a copied cookie keeps using the session after its owner signs out.',
    advice: 'Delete the session on the server at sign-out, and look it up in every request.',
    needs: ['description'],
    setups: { database: { strategy: 'database' } },
    runs: 20,
    ...everyOf({ provider: remotes, reads: [0, 1, 2] }),
    async run(world, { provider, reads }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const copies = [browser.save()]
      for (let n = 0; n < reads; n++) {
        await browser.readSession()
        copies.push(browser.save())
      }
      await browser.signOut()
      const isOut = (await browser.whoAmI()) === undefined
      world.check('SE-10', isOut, 'the browser is still signed in after its sign-out', alive)
      for (const copy of copies) {
        browser.restore(copy)
        const isRevoked = (await browser.whoAmI()) === undefined
        world.check('SE-10', isRevoked, 'a copy of the cookies is still signed in after the sign-out', alive)
      }
    },
  }),

  property({
    proves: ['SE-15'],
    name: 'gives every session a different cookie',
    story: 'An attacker guesses a session id, or shares one with the victim.',
    advice: 'Generate at least 16 random bytes for each session.',
    needs: ['description'],
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      // A signed cookie repeats if its content does, and nobody can guess it.
      if (world.strategy === 'jwt') throw new Absent('the cookie alone is the session')
      const values = new Set<string>()
      for (let count = 0; count < 8; count++) {
        const browser = world.browser('ada')
        await browser.signIn(provider, world.people.ada)
        const value = describedBy(world).sessionCookie(browser.cookies())
        world.assume(value !== '', 'a signed-in browser does not have the session cookie of the description')
        const short = `a session cookie has only ${value.length} characters`
        world.check('SE-15', value.length >= 16, short, { observed: 'a broken rule' })
        world.check('SE-15', !values.has(value), 'two sign-ins have the same session cookie', alive)
        values.add(value)
      }
    },
  }),
]
