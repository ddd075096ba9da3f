import fc from 'fast-check'
import { bothStrategies, property, type Property } from '../property.ts'
import { isSignedIn, moveTo, refuses } from '../support/sessions.ts'
import { createStrictStore } from '../support/strict-store.ts'

export const sessionStrategiesProperties: readonly Property[] = [
  property({
    proves: ['SE-21'],
    name: 'rejects a session of the other strategy',
    story: 'After a redeployment, a token without a row, or an unsigned id, opens a session.',
    advice: 'Look a cookie up only under the configured strategy.',
    needs: ['setup'],
    setups: bothStrategies,
    runs: 30,
    input: fc.record({ method: fc.constantFrom('alpha', 'beta', 'plain'), isStrict: fc.boolean() }),
    async run(world, { method, isStrict }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(method, ada)
      const isStored = world.rows.sessions.length > 0
      const database = isStrict ? { config: { adapter: createStrictStore().adapter } } : {}
      const other = await world.another(
        isStored ? { strategy: 'jwt', config: { adapter: true } } : database,
        'same',
      )
      const moved = moveTo(other, browser, ada)
      const reply = await moved.readSession()
      const from = isStored ? 'the id of a stored session' : 'a signed token'
      world.check(
        'SE-21',
        !isSignedIn(reply) && reply.status < 500,
        `${from} is accepted under the other strategy`,
      )
      await moved.signIn(method, ada)
    },
  }),

  property({
    proves: ['SE-21'],
    name: 'supports passwords with database sessions, or refuses them at startup',
    story: 'An application goes live, nobody can sign in, and no error explains why.',
    advice: 'Store a session for the user that authorize returns, or refuse the configuration.',
    severity: 'denial of service',
    needs: ['store'],
    setups: {
      'only passwords': { providers: ['form'] },
      'with a provider': { providers: ['alpha', 'form'] },
    },
    runs: 15,
    async run(world) {
      const { ada } = world.people
      world.rows.users.push({ id: 'ada-by-form', name: 'ada', email: ada.address.form, emailVerified: null })
      const browser = world.browser('ada')
      const page = await browser.send(`${world.basePath}/providers`)
      if (page.status >= 500) return
      const reply = await browser.enterPassword(ada)
      world.check(
        'SE-21',
        (await browser.whoAmI()) === 'ada',
        `the right password (${reply.location?.href ?? ''}) opens no session`,
      )
      const other = world.browser('eve')
      world.check(
        'SE-21',
        refuses(await other.enterPassword(ada, 'wrong')),
        'a wrong password is not reported as a failure',
      )
      // A user who is not in the store may be signed in or not, but the response must match the result.
      const stranger = world.browser('bob')
      const response = await stranger.enterPassword(world.people.bob)
      const isIn = (await stranger.whoAmI()) !== undefined
      world.check('SE-21', isIn || refuses(response), 'a sign-in reports success, but opens no session')
      const ids = new Set(world.rows.users.map(({ id }) => id))
      const isWhole = world.rows.sessions.every(({ userId }) => ids.has(userId))
      world.check('SE-21', isWhole, 'a session is stored for a user who does not exist')
    },
  }),
]
