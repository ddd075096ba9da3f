import fc from 'fast-check'
import { bothStrategies, property, type Property } from './property.ts'
import { isSignedIn, moveTo, refuses } from './support/sessions.ts'

export const sessionStrategiesProperties: readonly Property[] = [
  property({
    proves: ['SE-21'],
    name: 'a session of one strategy is none under the other',
    story:
      'A token that is not in the store, or an id that was never signed, opens a session after a redeployment.',
    advice: 'Look a cookie up in one way only: that of the configured strategy.',
    needs: ['setup'],
    setups: bothStrategies,
    runs: 30,
    input: fc.constantFrom('alpha', 'beta', 'plain'),
    async run(world, door) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(door, ada)
      const isStored = world.rows.sessions.length > 0
      const other = await world.another(
        isStored ? { strategy: 'jwt', config: { adapter: true } } : {},
        'same',
      )
      const moved = moveTo(other, browser, ada)
      const reply = await moved.readSession()
      const from = isStored ? 'the id of a stored session' : 'a signed token'
      world.hold(
        'SE-21',
        !isSignedIn(reply) && reply.status < 500,
        `${from} is a session under the other strategy`,
      )
      await moved.signIn(door, ada)
    },
  }),

  property({
    proves: ['SE-21'],
    name: 'passwords with stored sessions work, or are refused from the start',
    story: 'An application goes live in which nobody can sign in, and nothing says why.',
    advice: 'Store a session for the user that authorize names, or refuse the configuration.',
    needs: ['store'],
    setups: { 'passwords alone': { providers: ['form'] }, 'beside others': { providers: ['alpha', 'form'] } },
    runs: 15,
    async run(world) {
      const { ada } = world.people
      world.rows.users.push({ id: 'ada-by-form', name: 'ada', email: ada.address.form, emailVerified: null })
      const browser = world.browser('ada')
      const page = await browser.send(`${world.basePath}/providers`)
      if (page.status >= 500) return
      const reply = await browser.enterPassword(ada)
      world.hold(
        'SE-21',
        (await browser.whoAmI()) === 'ada',
        `the right password (${reply.location?.href ?? ''}) opens no session`,
      )
      const other = world.browser('eve')
      world.hold('SE-21', refuses(await other.enterPassword(ada, 'wrong')), 'a wrong password is no failure')
      // Whoever the store does not know may be let in, or not; but that has to be said.
      const stranger = world.browser('bob')
      const answer = await stranger.enterPassword(world.people.bob)
      const isIn = (await stranger.whoAmI()) !== undefined
      world.hold('SE-21', isIn || refuses(answer), 'a sign-in that is answered as done opens no session')
      const ids = new Set(world.rows.users.map(({ id }) => id))
      const isWhole = world.rows.sessions.every(({ userId }) => ids.has(userId))
      world.hold('SE-21', isWhole, 'a session is stored of a user who is not')
    },
  }),
]
