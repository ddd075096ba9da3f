import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { openRace } from '../world/race.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, refuses } from './support/sessions.ts'
import { count, scheduler } from './support/races.ts'

/** Another sign-in may then find a user who has no account yet. */
const byAddress = { allowDangerousEmailAccountLinking: true }

interface Profile {
  readonly sub: string
  readonly name: string
}

/** Whoever is told to be in is in, and nobody else; rows belong to somebody, and are there once. */
async function expectConsistent(
  world: World,
  browsers: readonly Browser[],
  replies: readonly Reply[],
): Promise<void> {
  for (const [n, browser] of browsers.entries()) {
    const reply = replies[n]
    if (!reply) continue
    const isIn = isSignedIn(await browser.readSession())
    world.hold(
      'CC-01',
      isIn !== refuses(reply),
      `a sign-in that ${isIn ? 'failed' : 'went well'} left the browser ${isIn ? 'in' : 'out'}`,
    )
    world.hold(
      'CC-01',
      reply.status < 500,
      `a sign-in among others is answered with ${reply.failure ?? reply.status}`,
    )
  }
  const { users, accounts, sessions } = world.rows
  const ids = new Set(users.map(({ id }) => id))
  world.hold(
    'CC-01',
    [...accounts, ...sessions].every(({ userId }) => ids.has(userId)),
    'a row is left without its user',
  )
}

export const raceProperties: readonly Property[] = [
  property({
    proves: ['CC-01', 'AL-02'],
    name: 'first sign-ins of one account at once make one user and one account',
    story: 'A double click makes two users of one person, one of whom nobody can ever reach again.',
    advice: 'Rely on the unique keys of the store: on a conflict read again, and go on with what is there.',
    needs: ['store'],
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
      'linking by address': { provider: { alpha: byAddress, plain: byAddress } },
    },
    runs: 30,
    reaches: { 'many choices': 10 },
    input: fc.record({ count, door: fc.constantFrom('alpha', 'plain'), scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const arrivals = []
      for (const browser of browsers) arrivals.push([browser, await browser.visit(input.door, ada)] as const)
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
      world.hold(
        'CC-01',
        users.length === 1,
        `${input.count} first sign-ins at once made ${users.length} users`,
      )
      world.hold(
        'CC-01',
        accounts.length === 1,
        `${input.count} first sign-ins at once made ${accounts.length} accounts`,
      )
      const owners = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
      world.hold('AL-02', owners.size === accounts.length, 'one account belongs to two users')
      await expectConsistent(world, browsers, replies)
      await world.browser('ada').signIn(input.door, ada)
      if (race.choices() > 5) world.reach('many choices')
    },
  }),

  property({
    proves: ['CC-01'],
    name: 'first sign-ins at once of an account without an address make one user',
    story: 'A double click leaves a user behind whom nobody can ever reach.',
    advice: 'Take back the user that was made for an account which could not be linked.',
    needs: ['store', 'setup'],
    setups: {
      database: { provider: { plain: { profile: ({ sub, name }: Profile) => ({ id: sub, name }) } } },
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
      world.hold('CC-01', made === 1, `${input.count} first sign-ins at once made ${made} users`)
      await expectConsistent(world, browsers, replies)
      world.hold(
        'CC-01',
        replies.some((reply) => !refuses(reply)),
        'of many sign-ins none went well',
      )
    },
  }),

  property({
    proves: ['AL-02'],
    name: 'one account that is linked to two users at once ends with one of them',
    story: 'Two people share a computer; the account of one ends with both.',
    advice: 'Let the store refuse the second link, and tell whoever came second.',
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
      world.hold(
        'AL-02',
        new Set(owned.map(({ userId }) => userId)).size === 1,
        `the account belongs to ${owned.length} users`,
      )
      const linked = replies.filter((reply) => !refuses(reply)).length
      if (!input.isNew)
        world.hold('AL-02', linked === 1, `${linked} users were told that the account is theirs`)
    },
  }),

  property({
    proves: ['CC-02'],
    name: 'sign-ins by mail to one new address at once make one user',
    story: 'Somebody who asked for two links, and opened both, is two users from then on.',
    advice: 'Rely on the unique address: on a conflict read again, and go on with who is there.',
    needs: ['store'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 25,
    input: fc.record({ count, scheduler }),
    async run(world, input) {
      const { ada } = world.people
      const browsers = Array.from({ length: input.count }, () => world.browser('ada'))
      const mails = []
      for (const browser of browsers) mails.push([browser, await browser.askLink(ada.address.mail)] as const)
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
      world.hold('CC-02', made === 1, `${input.count} links to one address made ${made} users`)
      const [row] = world.rows.users
      const announced = world.told.events.flatMap(({ event, message }) =>
        event === 'signIn' ? [member(message, 'user', 'id')] : [],
      )
      world.hold(
        'CC-02',
        announced.every((id) => id === row?.id),
        'somebody is signed in who is not the one user',
      )
      for (const [n, browser] of browsers.entries()) {
        const reply = replies[n]
        const isIn = isSignedIn(await browser.readSession())
        if (reply)
          world.hold('CC-02', isIn !== refuses(reply), 'what a sign-in is told is not what came of it')
      }
      world.hold(
        'CC-02',
        replies.some((reply) => !refuses(reply)),
        'of many links none opens a session',
      )
    },
  }),
]
