import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { readTexts, readUser } from '../support/described.ts'
import { identityHeaders } from '../support/identity-headers.ts'

const another = { observed: 'another user' } as const
const stuck = { observed: 'a broken rule' } as const

/** Rounds in which the visitors read their sessions in turn, and then at the same time. */
const rounds = 2

export const describedVisitorProperties: readonly Property[] = [
  property({
    proves: ['CC-12'],
    name: 'shows each of several visitors only their own session, in any order and at the same time',
    story: 'A cache in front of the page answers one visitor with the page of the visitor before.',
    advice:
      'Answer from the session of the request alone. Cache no page that shows a user, or make the session a part of the key.',
    needs: ['custom-routes'],
    runs: 6,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob } = world.people
      const visitors = [ada, bob, undefined].map((person) => ({
        browser: world.browser(person?.name ?? 'eve'),
        name: person?.name,
      }))
      const check = async ({ browser, name }: (typeof visitors)[number]) => {
        const shown = (await browser.whoAmI()) ?? 'nobody'
        const says = `a browser in which ${name ?? 'nobody'} signed in shows ${shown}`
        world.check('CC-12', shown === (name ?? 'nobody'), says, name === undefined ? another : undefined)
      }
      for (const visitor of visitors) await check({ ...visitor, name: undefined })
      for (const { browser, name } of visitors)
        if (name) await browser.arrive(await browser.visit(provider, world.people[name]))
      for (let round = 0; round < rounds; round++) {
        for (const visitor of visitors) await check(visitor)
        await Promise.all(visitors.map(check))
      }
    },
  }),

  property({
    proves: ['HH-06'],
    name: 'takes the user from no header of a request',
    story: 'A client sends the header in which a proxy passes on the user, and is that user.',
    advice: 'Take the user from the session alone, or let the proxy remove the header from every request.',
    needs: ['custom-routes'],
    runs: 8,
    ...everyOf({ provider: remotes, by: ['a stranger', 'a user'] }),
    async run(world, { provider, by }) {
      const { ada, eve } = world.people
      const browser = world.browser('eve')
      if (by === 'a user') await browser.signIn(provider, eve)
      const right = by === 'a user' ? eve.name : undefined
      for (const value of [ada.address[provider], `${ada.name}-at-${provider}`]) {
        const headers = Object.fromEntries(identityHeaders.map((name) => [name, value]))
        const shown = await readUser(world, browser, {
          headers,
          says: 'reads the session with headers that name a user',
        })
        const isOwn = shown === undefined || (right !== undefined && shown === eve.address[provider])
        const says = `a request of ${by} with the headers of ${ada.name} shows ${String(shown)}`
        world.check('HH-06', isOwn, says, another)
      }
      world.check(
        'HH-06',
        (await browser.whoAmI()) === right,
        `the headers of ${ada.name} stay in the session`,
      )
      world.reach(by)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['CC-12'],
    name: 'signs two visitors in as themselves, if their sign-ins overlap',
    story: 'Two users sign in at the same time, and each gets the account of the other.',
    advice:
      'Keep what belongs to a request in local variables and in its session, never in those of a module.',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, overlap: ['their starts', 'their returns'] }),
    async run(world, { provider, overlap }) {
      for (let round = 0; round < rounds; round++) {
        const pairs = [world.people.ada, world.people.bob].map(
          (person) => [world.browser(person.name), person] as const,
        )
        const arrivals = []
        for (const [browser, person] of pairs)
          arrivals.push([browser, person, await browser.visit(provider, person)] as const)
        const order = overlap === 'their starts' ? arrivals.toReversed() : arrivals
        if (overlap === 'their starts')
          for (const [browser, , arrival] of order) await browser.arrive(arrival)
        else await Promise.all(order.map(([browser, , arrival]) => browser.arrive(arrival)))
        for (const [browser, person] of pairs) {
          const shown = await browser.whoAmI()
          const says = `two sign-ins overlap, and that of ${person.name} shows ${shown ?? 'nobody'}`
          world.check('CC-12', shown === person.name, says, shown === undefined ? stuck : another)
        }
      }
      world.reach(overlap)
    },
  }),

  property({
    proves: ['SE-01'],
    name: 'shows the user of the last sign-in, if a second user signs in in the same browser',
    story: 'Bob signs in on a shared computer, and works in the account of Ada, who forgot to sign out.',
    advice: 'Replace the user of the session at every sign-in, or refuse the sign-in with a message.',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, first: ['is signed in', 'has signed out'] }),
    async run(world, { provider, first }) {
      const { ada, bob } = world.people
      const browser = world.browser('bob')
      world.prove(browser, ada, provider)
      const before = await browser.arrive(await browser.visit(provider, ada))
      world.assume((await browser.whoAmI()) === ada.name, 'nobody is signed in')
      const other = world.browser('ada')
      await other.signIn(provider, ada)
      const texts = await readTexts(world, other)
      const ids = (await readTexts(world, browser)).filter((each) => texts.includes(each))
      if (first === 'has signed out') await browser.signOut()
      const reply = await browser.arrive(await browser.visit(provider, bob))
      // A refusal leads elsewhere.
      const isWelcome = reply.status === before.status && reply.location?.href === before.location?.href
      const shown = await browser.whoAmI()
      const fresh = world.browser('bob')
      world.prove(fresh, ada, provider)
      await fresh.arrive(await fresh.visit(provider, bob))
      // An application that links accounts has given the second one to the first user.
      if ((await fresh.whoAmI()) !== bob.name) throw new Absent('a second sign-in links the account')
      const says = `${bob.name} signs in in a browser where ${ada.name} ${first}, and it shows`
      world.check('SE-01', !isWelcome || shown === bob.name, `${says} ${shown ?? 'nobody'}`)
      if (shown !== bob.name) return
      const own = await readTexts(world, fresh)
      const [left] = (await readTexts(world, browser)).filter(
        (each) => ids.includes(each) && !own.includes(each),
      )
      const kept = `${says} ${JSON.stringify(left)}, which is of ${ada.name}`
      world.check('SE-01', left === undefined, kept, { observed: 'a secret' })
      world.reach(first)
    },
  }),
]
