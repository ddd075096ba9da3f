import fc from 'fast-check'
import { actors, anyCommand, durations, type Actor, type Command } from '../../model/commands.ts'
import { Model, type Expectation } from '../../model/model.ts'
import { shortestWays } from '../../model/prefixes.ts'
import type { Browser, Saved, Arrival } from '../../world/browser.ts'
import { throwing } from '../../world/fault-plan.ts'
import type { Mail } from '../../world/mailbox.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { sessionTokenOf } from '../support/sessions.ts'

const ways = new Map(actors.map((by) => [by, shortestWays(by)]))
const places = [...(ways.get('ada')?.keys() ?? [])]

/** The commands that sign in and out, and restore the earlier cookies. */
const wayBack = (by: Actor): readonly Command[] => [
  { does: 'start', by, at: 'alpha' },
  { does: 'arrive', by },
  { does: 'save', by },
  { does: 'sign-out', by },
  { does: 'restore', by },
]

/** Commands that lead to a place of the journey, followed by any others, at once or when a session is due for extension. */
const plan = fc.record({
  by: fc.constantFrom(...actors),
  place: fc.constantFrom(...places),
  waits: fc.boolean(),
  after: fc.array(anyCommand, { minLength: 1, maxLength: 14 }),
  returns: fc.boolean(),
})

/** The things that an actor keeps for later commands. */
interface Hand {
  browser: Browser
  arrival?: Arrival
  mail?: Mail
  /** Cookies belong to the browser that received them. */
  saved?: { readonly browser: Browser; readonly cookies: Saved }
}

type Act = Exclude<Command, { readonly does: 'pass' | 'break-store' }>

async function act(world: World, hands: ReadonlyMap<Actor, Hand>, hand: Hand, command: Act): Promise<void> {
  const { browser } = hand
  const person = world.people[command.by]
  switch (command.does) {
    case 'start':
      hand.arrival = await browser.visit(command.at, person)
      return
    case 'arrive':
    case 'arrive-as': {
      const arrival = hands.get(command.does === 'arrive' ? command.by : command.of)?.arrival
      if (arrival) await browser.arrive(arrival)
      return
    }
    case 'ask-link':
      hand.mail = await browser.requestLink(person.address.mail)
      return
    case 'follow-link':
      if (hand.mail) await browser.followLink(hand.mail)
      return
    case 'update': {
      const json = { csrfToken: await browser.csrfToken(), data: { email: 'eve@evil.example' } }
      await browser.send(`${world.basePath}/session`, { json, says: 'updates the session' })
      return
    }
    case 'sign-out':
      await browser.signOut()
      return
    case 'save':
      hand.saved = { browser, cookies: browser.save() }
      return
    case 'restore':
      if (!hand.saved) return
      hand.browser = hand.saved.browser
      hand.browser.restore(hand.saved.cookies)
      return
    case 'forget':
      hand.browser = world.browser(command.by)
  }
}

/** Returns whether the command gives its browser a new session of its owner. */
function signsIn({ does }: Act): boolean {
  return does === 'arrive' || does === 'follow-link'
}

export const journeyProperties: readonly Property[] = [
  property<{ by: Actor; place: string; waits: boolean; after: Command[]; returns: boolean }>({
    proves: ['MD-02'],
    name: 'keeps a browser signed in as its owner exactly as long as the rules allow, in any sequence of actions',
    story:
      'A sequence of sign-ins, links, sign-outs and restored cookies leaves a browser signed in when it should not be, or as the wrong user.',
    advice: 'Follow the shortest trace: the application breaks the rules in its last step.',
    needs: ['clock', 'store', 'faults'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 150,
    reaches: Object.fromEntries(places.map((place) => [`starts ${place}`, 3])),
    parts: places.map((place) => ({ place })),
    input: plan,
    async run(world, { by, place, waits, after, returns }) {
      const model = new Model(world.strategy)
      const hands = new Map<Actor, Hand>(actors.map((each) => [each, { browser: world.browser(each) }]))
      world.reach(`starts ${place}`)
      let isBroken = false
      for (const command of [
        ...(ways.get(by)?.get(place) ?? []),
        ...(waits ? [{ does: 'pass', seconds: durations.updateAge } as const] : []),
        ...after,
        ...(returns ? wayBack(by) : []),
      ]) {
        if (command.does === 'pass') {
          world.advance(command.seconds)
          model.pass(command.seconds)
          continue
        }
        if (command.does === 'break-store') {
          world.plan.arm('store', command.call, throwing)
          isBroken = true
          continue
        }
        const hand = hands.get(command.by)
        if (!hand || !model.allows(command)) continue
        const before = model.who(command.by)
        const held = sessionTokenOf(hand.browser)
        const wanted = model.expect(command)
        const expected: Expectation = isBroken ? [...wanted, before, undefined] : wanted
        await act(world, hands, hand, command).catch((error: unknown) => {
          if (!isBroken) throw error
        })
        world.plan.arm('none')
        const me = (await hand.browser.whoAmI()) as Actor | undefined
        const says = `after "${command.does}", ${command.by} is ${me ?? 'nobody'}, and should be ${expected.map((who) => who ?? 'nobody').join(' or ')}`
        world.check('MD-02', expected.includes(me), says)
        model.settle(command.by, me !== undefined, signsIn(command) && sessionTokenOf(hand.browser) !== held)
        if (isBroken) {
          model.doubt(command.by)
          world.reach('with a broken store')
        }
        isBroken = false
      }
    },
  }),
]
