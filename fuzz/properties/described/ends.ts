import { everyOf } from '../../arbitraries/every-of.ts'
import type { Saved } from '../../world/browser.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, withQuery } from '../support/described.ts'

/** Names under which a sign-out may read whose session to end. */
const names: readonly string[] = [
  'user user_id userId uid id sub email mail username login name account sid session session_id',
  'sessionId session_token token logout_hint id_token_hint all everyone everywhere',
].flatMap((line) => line.split(' '))

/** Requests for the session that a sign-out overtakes. */
const overtaken = 4

export const describedEndProperties: readonly Property[] = [
  property({
    proves: ['SE-24'],
    name: 'ends no session of another user whom the request of a sign-out names',
    story: 'Anyone signs another user out, with the address of that user in a parameter.',
    advice: 'End the session of the request alone. Take nothing about it from its parameters.',
    severity: 'denial of service',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, by: ['a user', 'a stranger'] }),
    async run(world, { provider, by }) {
      const { ada, bob, eve } = world.people
      const other = world.browser('bob')
      await other.signIn(provider, bob)
      const { withProof } = describedBy(world)
      for (const value of [bob.address[provider], `${bob.name}-at-${provider}`]) {
        const browser = world.browser('eve')
        if (by === 'a user') await browser.signIn(provider, eve)
        const { path, sending } = await withProof(browser, 'signOut', provider)
        const own = new URL(path, world.origin).searchParams
        const added = Object.fromEntries(names.filter((name) => !own.has(name)).map((name) => [name, value]))
        const form = sending.method === 'POST' && sending.json === undefined
        await browser.send(withQuery(path, added), {
          ...sending,
          ...(form && { form: { ...added, ...Object.fromEntries(new URLSearchParams(sending.form)) } }),
          says: `signs out with parameters that name ${value}`,
        })
        const isIn = (await other.whoAmI()) === bob.name
        const says = `a sign-out of ${by} with parameters that name ${value} signs ${bob.name} out`
        world.check('SE-24', isIn, says, { observed: 'a sign-out' })
      }
      await world.browser('ada').signIn(provider, ada)
      world.reach(by)
    },
  }),

  property({
    proves: ['SE-10'],
    name: 'accepts no copy of the cookies after a sign-out that overtook other requests',
    story:
      'A page sends several requests while its user signs out. One of them stores the session again, and a copied cookie stays signed in.',
    advice:
      'Update a session only if it still exists, in one atomic step, and never write back a whole copy of it.',
    needs: ['description'],
    setups: { database: { strategy: 'database' } },
    runs: 6,
    ...everyOf({ provider: remotes, first: ['the requests', 'the sign-out'] }),
    async run(world, { provider, first }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const copies: Saved[] = [browser.save()]
      // The token of the form is fetched before the race.
      const { path, sending } = await describedBy(world).withProof(browser, 'signOut', provider)
      const readers = Array.from({ length: overtaken }, () => {
        const reader = world.browser('ada')
        world.prove(reader, ada, provider)
        reader.restore(browser.save())
        return reader
      })
      const read = () => readers.map((reader) => reader.readSession())
      const leave = () => browser.send(path, { ...sending, says: 'signs out' })
      await Promise.all(first === 'the requests' ? [...read(), leave()] : [leave(), ...read()])
      copies.push(...readers.map((reader) => reader.save()))
      const isOut = (await browser.whoAmI()) === undefined
      world.assume(isOut, 'the sign-out signs nobody out')
      for (const copy of copies) {
        const reader = world.browser('ada')
        world.prove(reader, ada, provider)
        reader.restore(copy)
        const isRevoked = (await reader.whoAmI()) === undefined
        const says = 'a copy of the cookies is signed in after a sign-out that other requests overlapped'
        world.check('SE-10', isRevoked, says, { observed: 'a session' })
      }
      world.reach(first)
    },
  }),
]
