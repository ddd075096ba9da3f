import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { managedSetups } from '../support/managed-flows.ts'
import { enrol, enterCode, hasFactor } from '../support/second-factor.ts'

/** Minutes after which a sign-in no longer suffices for a change. */
const fresh = 15

/** The same applications, with sign-in by mail. */
const mailSetups = {
  database: { ...managedSetups.database, providers: ['alpha', 'beta', 'mail'] },
  jwt: { ...managedSetups.jwt, providers: ['alpha', 'beta', 'mail'] },
} as const

async function openAda(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

async function authTimeOf(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'auth_time')
}

/** What a proof before the second factor must leave as it was. The tokens of an account are those of its provider. */
function snapshot({ rows }: World): string {
  const accounts = rows.accounts.map(({ userId, providerAccountId }) => [userId, providerAccountId])
  return JSON.stringify([rows.users, accounts, rows.factors])
}

/** Rules for changes to an account that has a second factor, or whose session is old. */
export const policyProperties: readonly Property[] = [
  property({
    proves: ['POL-01'],
    name: 'changes nothing of a user with a second factor before a code is entered, by a mailed link or a provider',
    story:
      'Ada signed up with a provider and enrolled an app. Eve reads her mailbox, opens a sign-in link, and the second factor is gone.',
    advice:
      'Demand the second factor before any clean-up, and never remove it because an address was proven.',
    needs: ['setup', 'store'],
    setups: mailSetups,
    runs: 12,
    reaches: { mail: 2, 'a provider': 2 },
    input: fc.record({ isMail: fc.boolean() }),
    async run(world, { isMail }) {
      const owner = await openAda(world)
      const app = await enrol(world, owner)
      // A provider created the user with the address, and nobody has proven it.
      const email = world.people.ada.address.mail
      world.rows.users = world.rows.users.map((user) => ({ ...user, email, emailVerified: null }))
      const before = snapshot(world)
      world.reach(isMail ? 'mail' : 'a provider')
      const thief = world.browser('ada')
      if (isMail) await thief.followLink(await thief.requestLink(email))
      else await thief.arrive(await thief.visit('alpha', world.people.ada))
      world.check('POL-01', (await thief.whoAmI()) === undefined, 'a first factor alone signs in')
      world.check('POL-01', snapshot(world) === before, 'a first factor alone changes the account')
      world.check('POL-01', (await owner.whoAmI()) !== undefined, 'a first factor alone ends a session')
      await enterCode(world, thief, app.code())
      world.check('POL-01', await hasFactor(thief), 'the code does not finish the sign-in')
      world.check(
        'POL-01',
        world.rows.factors.length === 1,
        'a proof of the address removes the second factor',
      )
    },
  }),

  property({
    proves: ['POL-02', 'POL-04'],
    name: 'links an account only soon after a sign-in, and linking makes no session fresh',
    story:
      'Eve finds a browser where Ada signed in weeks ago, links her account, and the session counts as a recent sign-in.',
    advice:
      'Demand a recent sign-in before an account is linked, and keep the time of the sign-in in the session.',
    needs: ['setup', 'store'],
    setups: managedSetups,
    runs: 20,
    reaches: { stale: 4, recent: 4 },
    input: fc.record({ minutes: fc.integer({ min: 1, max: 60 }) }),
    async run(world, { minutes }) {
      const browser = await openAda(world)
      const before = await authTimeOf(browser)
      world.clock.advance(minutes * 60)
      await browser.arrive(await browser.visit('beta', world.people.eve, { link: 'true' }))
      const { length } = world.rows.accounts
      const isStale = minutes > fresh
      world.reach(isStale ? 'stale' : 'recent')
      const says = `${minutes} minutes after the sign-in, there are ${length} accounts`
      world.check('POL-02', length === (isStale ? 1 : 2), says)
      world.check('POL-02', world.rows.users.length === 1, `one person has ${world.rows.users.length} users`)
      world.check('POL-04', (await authTimeOf(browser)) === before, 'linking renews auth_time')
    },
  }),

  property({
    proves: ['POL-03', 'POL-04'],
    name: 'ends the other sessions when an app is enrolled, and enrolling makes no session fresh',
    story: 'Ada enrols an app because another person may be signed in, and that person still is.',
    advice: 'End the other sessions of a user after each change of the second factor.',
    needs: ['setup', 'store'],
    setups: { database: managedSetups.database },
    runs: 6,
    input: fc.record({ minutes: fc.integer({ min: 1, max: 14 }) }),
    async run(world, { minutes }) {
      const [owner, other] = [await openAda(world), await openAda(world)]
      const before = await authTimeOf(owner)
      world.clock.advance(minutes * 60)
      await enrol(world, owner)
      world.check('POL-03', (await other.whoAmI()) === undefined, 'another session outlives an enrolment')
      world.check('POL-03', (await owner.whoAmI()) !== undefined, 'the session in use ended')
      world.check('POL-04', (await authTimeOf(owner)) === before, 'an enrolment renews auth_time')
    },
  }),
]
