import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { openRace } from '../../world/race.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, refuses } from '../support/sessions.ts'
import { count, scheduler } from '../support/races.ts'

/** Another sign-in may then find a user without an account. */
const byAddress = { allowDangerousEmailAccountLinking: true }

interface Profile {
  readonly sub: string
  readonly name: string
}

/** An application that asks a provider for no address. */
const withoutAddress: Setup = {
  provider: { plain: { profile: ({ sub, name }: Profile) => ({ id: sub, name }) } },
}

/** Checks that at most one of several sign-ins of one user is reported as that of a new user. */
function checkOneNewcomer({ recorded, check }: World): void {
  const flagged = recorded.events.filter(
    ({ event, message }) => event === 'signIn' && message.isNewUser === true,
  ).length
  check('EVT-009', flagged <= 1, `${flagged} signIn events for one user say that it is new`)
  const greeted = recorded.callbacks.filter(
    ({ name, params }) => name === 'jwt' && params.trigger === 'signUp',
  ).length
  check('AL-07', greeted <= 1, `the jwt callback has the trigger signUp ${greeted} times for one user`)
}

/** Checks that the responses match the sessions, and that rows have owners and no duplicates. */
async function expectConsistent(
  world: World,
  browsers: readonly Browser[],
  replies: readonly Reply[],
): Promise<void> {
  for (const [n, browser] of browsers.entries()) {
    const reply = replies[n]
    if (!reply) continue
    const isIn = isSignedIn(await browser.readSession())
    world.check(
      'CC-01',
      isIn !== refuses(reply),
      `a sign-in that ${isIn ? 'failed' : 'succeeded'} left the browser signed ${isIn ? 'in' : 'out'}`,
    )
    world.check('CC-01', reply.status < 500, `a concurrent sign-in returns ${reply.failure ?? reply.status}`)
  }
  const { users, accounts, sessions } = world.rows
  const ids = new Set(users.map(({ id }) => id))
  world.check(
    'CC-01',
    [...accounts, ...sessions].every(({ userId }) => ids.has(userId)),
    'a row has no user',
  )
}

export const raceProperties: readonly Property[] = [
  property({
    proves: ['CC-01', 'AL-02'],
    name: 'creates one user and one account for concurrent first sign-ins',
    story: 'A double click creates two users for one person, one of them unreachable forever.',
    advice:
      'Rely on the unique keys of the store. On a conflict, read again and continue with the existing rows.',
    needs: ['store'],
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
      'linking by address': { provider: { alpha: byAddress, plain: byAddress } },
    },
    runs: 30,
    reaches: { 'many choices': 10 },
    input: fc.record({ count, method: fc.constantFrom('alpha', 'plain'), scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const arrivals = []
      for (const browser of browsers)
        arrivals.push([browser, await browser.visit(input.method, ada)] as const)
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run(
        arrivals.map(
          ([browser, arrival]) =>
            () =>
              browser.arrive(arrival),
        ),
      )
      const { users, accounts } = world.rows
      world.check(
        'CC-01',
        users.length === 1,
        `${input.count} concurrent first sign-ins created ${users.length} users`,
      )
      world.check(
        'CC-01',
        accounts.length === 1,
        `${input.count} concurrent first sign-ins created ${accounts.length} accounts`,
      )
      const owners = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
      world.check('AL-02', owners.size === accounts.length, 'one account belongs to two users')
      await expectConsistent(world, browsers, replies)
      await world.browser('ada').signIn(input.method, ada)
      if (race.choices() > 5) world.reach('many choices')
    },
  }),

  property({
    proves: ['CC-01', 'AL-07', 'EVT-009'],
    name: 'creates one user for concurrent first sign-ins without an address',
    story: 'A double click leaves a user behind that nobody can ever reach.',
    advice: 'Delete the user that was created for an account that could not be linked.',
    needs: ['store', 'setup'],
    setups: {
      database: withoutAddress,
      jwt: { ...withoutAddress, strategy: 'jwt', config: { adapter: true } },
    },
    runs: 30,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const arrivals = []
      for (const browser of browsers) arrivals.push([browser, await browser.visit('plain', ada)] as const)
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run(
        arrivals.map(
          ([browser, arrival]) =>
            () =>
              browser.arrive(arrival),
        ),
      )
      const made = world.rows.users.length
      world.check('CC-01', made === 1, `${input.count} concurrent first sign-ins created ${made} users`)
      await expectConsistent(world, browsers, replies)
      world.check(
        'CC-01',
        replies.some((reply) => !refuses(reply)),
        'no sign-in succeeded',
      )
      if (world.features.has('hooks')) checkOneNewcomer(world)
    },
  }),

  property({
    proves: ['AL-02', 'AL-05'],
    name: 'links an account to only one of two users who link it at once',
    story: 'Two people share a computer, and one’s account is linked to both users.',
    advice: 'Let the store refuse the second link, and report the conflict to the second user.',
    needs: ['store'],
    runs: 25,
    input: fc.record({ isNew: fc.boolean(), scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = [world.browser('ada'), world.browser('ada')] as const
      await browsers[0].signIn('alpha', ada)
      if (!input.isNew) await browsers[1].signIn('plain', ada)
      const arrivals = [await browsers[0].visit('beta', ada), await browsers[1].visit('beta', ada)] as const
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run([
        () => browsers[0].arrive(arrivals[0]),
        () => browsers[1].arrive(arrivals[1]),
      ])
      const owned = world.rows.accounts.filter(({ provider }) => provider === 'beta')
      world.check(
        'AL-02',
        new Set(owned.map(({ userId }) => userId)).size === 1,
        `the account belongs to ${owned.length} users`,
      )
      const linked = replies.filter((reply) => !refuses(reply)).length
      if (!input.isNew) world.check('AL-05', linked === 1, `${linked} users saw a success`)
    },
  }),

  property({
    proves: ['CC-02'],
    name: 'creates one user for concurrent e-mail sign-ins with a new address',
    story: 'A person who requested two links and opened both has two users from then on.',
    advice: 'Rely on the unique address. On a conflict, read again and continue with the existing user.',
    needs: ['store'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 25,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const mails = []
      for (const browser of browsers)
        mails.push([browser, await browser.requestLink(ada.address.mail)] as const)
      const race = openRace(input.scheduler)
      world.enter(race)
      const replies = await race.run(
        mails.map(
          ([browser, mail]) =>
            () =>
              browser.followLink(mail),
        ),
      )
      const made = world.rows.users.length
      world.check('CC-02', made === 1, `${input.count} links to one address created ${made} users`)
      const [row] = world.rows.users
      const announced = world.recorded.events.flatMap(({ event, message }) =>
        event === 'signIn' ? [member(message, 'user', 'id')] : [],
      )
      world.check(
        'CC-02',
        announced.every((id) => id === row?.id),
        'an event names another user than the stored one',
      )
      for (const [n, browser] of browsers.entries()) {
        const reply = replies[n]
        const isIn = isSignedIn(await browser.readSession())
        if (reply)
          world.check('CC-02', isIn !== refuses(reply), 'the response to a sign-in does not match its result')
      }
      world.check(
        'CC-02',
        replies.some((reply) => !refuses(reply)),
        'no link opened a session',
      )
    },
  }),
]
