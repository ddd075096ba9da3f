import fc from 'fast-check'
import { property, type Property } from './property.ts'

export const transactionProperties: readonly Property[] = [
  property({
    proves: ['TX-01'],
    name: 'a callback opens nothing in a browser that did not start the sign-in',
    story: 'An attacker signs in at the provider, keeps the answer, and has the victim’s browser open it.',
    advice: 'Seal what a callback is checked against in a cookie of the browser that starts the sign-in.',
    runs: 60,
    input: fc.constantFrom('alpha', 'beta', 'plain'),
    async run(world, provider) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const arrival = await attacker.visit(provider, eve)
      const victim = world.browser('ada')
      const before = world.network.sent.length
      await victim.arrive(arrival)
      const asked = world.network.sent.slice(before).filter(({ url }) => url.endsWith('/token'))
      world.hold('TX-01', asked.length === 0, 'the code was sent to the token endpoint')
      world.hold(
        'TX-01',
        (await victim.whoAmI()) === undefined,
        'the browser that started nothing is signed in',
      )
      world.hold('TX-01', world.rows.users.length === 0, 'a user was created')
      await attacker.arrive(arrival)
      world.demand((await attacker.whoAmI()) === eve.name, 'the attacker cannot sign in herself')
      world.reach(`at ${provider}`)
      await victim.signIn(provider, ada)
    },
  }),
]
