import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { property, type Property } from '../property.ts'
import { victim, withApple } from '../support/apple.ts'
import { consentAs, weighLink } from '../support/identities.ts'
import { withParameters } from '../support/consent.ts'

export const appleProperties: readonly Property[] = [
  property({
    proves: ['AL-09'],
    name: 'ignores the address in Apple’s form, and an e-mail flag that says unverified',
    story: 'An attacker changes the form that Apple’s page posts, and adds a victim’s address.',
    advice: 'Take only the name from the form, and read the e-mail flag as a string too.',
    needs: ['store'],
    setups: { apple: withApple },
    runs: 24,
    input: fc.record({
      sub: fc.constantFrom('impostor-0', 'impostor-1', 'eve-at-alpha'),
      said: fc.constantFrom(
        undefined,
        { email: victim },
        { email: victim, email_verified: true },
        { email: victim, email_verified: true, sub: 'ada-at-alpha' },
        { name: { firstName: 'A' }, profile: { email: victim } },
      ),
    }),
    async run(world, { sub, said }) {
      const { ada } = world.people
      await world.browser('ada').signIn('mail', ada)
      const [owner] = world.rows.users
      const attacker = world.browser('eve')
      world.prove(attacker, world.people.eve, 'alpha')
      const arrival = await consentAs(world, attacker, 'alpha', sub)
      await attacker.arrive(
        withParameters(arrival, (form) => {
          if (said) form.set('user', JSON.stringify(said))
        }),
      )
      const linked = world.rows.accounts.filter(({ userId }) => userId === owner?.id)
      const gain = await weighLink(world, attacker, 'alpha')
      world.check('AL-09', linked.length === 0, 'an unverified address linked an account', gain)
      const who = await attacker.whoAmI()
      world.check(
        'AL-09',
        who === undefined || who === 'eve',
        `the attacker is signed in as ${who ?? ''}`,
        gain,
      )
      world.reach(who ?? 'nobody')
    },
  }),

  property({
    proves: ['FI-07'],
    name: 'lets a user of Apple sign in despite an invalid name field',
    story: 'A browser, or Apple, sends a form field that is not JSON, and nobody can sign in.',
    advice: 'Tolerate errors in the field: it contains only the user’s name.',
    severity: 'denial of service',
    setups: { apple: withApple },
    runs: 10,
    ...eachOf([undefined, '', '{', 'null', '7', '{"name":7}', '{"name":{"firstName":{}}}', '[]']),
    async run(world, said) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const arrival = await browser.visit('alpha', ada)
      const reply = await browser.arrive(
        withParameters(arrival, (form) => {
          if (said !== undefined) form.set('user', said)
        }),
      )
      world.check(
        'FI-07',
        reply.failure === undefined,
        `the name field ${said ?? '(missing)'} breaks the application`,
      )
      const who = await browser.whoAmI()
      world.check('FI-07', who === 'ada', `nobody can sign in with the name field ${said ?? '(missing)'}`)
    },
  }),
]
