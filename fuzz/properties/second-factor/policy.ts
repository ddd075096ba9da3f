import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import { enrol as enrolPasskey, openDevice } from '../../world/passkeys.ts'
import { people } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentAs, withAccounts } from '../support/identities.ts'
import { managedSetups } from '../support/managed-flows.ts'
import { passkeysAndSessions } from '../support/passkeys.ts'
import { choose, receiveReset } from '../support/passwords.ts'
import { enrol, enterCode, hasFactor, period } from '../support/second-factor.ts'

/** Minutes after which a sign-in no longer suffices for a change. */
const fresh = 15

/** An account of Ada at a provider that does not say whether it verified the address. */
const claimed = { sub: 'ada-by-claim', claims: { name: 'ada', email: people.ada.address.mail } }

/** The same applications, with sign-in by mail and accounts that are linked by their address. */
const linking = {
  providers: ['alpha', 'beta', 'mail'],
  provider: { beta: { allowDangerousEmailAccountLinking: true } },
  idp: withAccounts([claimed]),
} as const
const provingSetups = {
  database: { ...managedSetups.database, ...linking },
  jwt: { ...managedSetups.jwt, ...linking },
} as const

const passkeySetups = {
  database: { ...passkeysAndSessions.database, with: { 'second-factor': true } },
  jwt: { ...passkeysAndSessions.jwt, with: { 'second-factor': true } },
} as const

const password = 'a password that is long enough'

/** Ways to prove an address. Each returns a function that finishes after the code, if something is left to do. */
const proofs = {
  async 'a mailed link'(_: World, browser: Browser, email: string) {
    await browser.followLink(await browser.requestLink(email))
    return async () => {}
  },
  async 'a provider'(world: World, browser: Browser) {
    await browser.arrive(await browser.visit('alpha', world.people.ada))
    return async () => {}
  },
  async 'an account with the address'(world: World, browser: Browser) {
    await browser.arrive(await browser.visit('beta', world.people.ada))
    return async () => {}
  },
  async 'an account that names the address'(world: World, browser: Browser) {
    world.prove(browser, people.ada, 'mail')
    await browser.arrive(await consentAs(world, browser, 'beta', claimed.sub))
    return async () => {}
  },
  async 'a link that sets a password'(world: World, browser: Browser, email: string) {
    const mail = await receiveReset(world, browser, email)
    await choose(world, browser, mail, password)
    // A target may demand the code before the form.
    return async () => void ((await hasFactor(browser)) || (await choose(world, browser, mail, password)))
  },
} as const
type Proof = keyof typeof proofs
const proofNames = Object.keys(proofs) as Proof[]
/** Those that change the account, if its address is not verified. */
const changingProofs = proofNames.filter((by) => by !== 'a provider')

async function openAda(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.arrive(await browser.visit('alpha', world.people.ada))
  return browser
}

async function authTimeOf(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'auth_time')
}

/** The data that a proof before the second factor must not change. The tokens of an account are the provider's. */
function snapshot({ rows }: World): string {
  const accounts = rows.accounts.map(({ userId, providerAccountId }) => [userId, providerAccountId])
  return JSON.stringify([rows.users, accounts, rows.factors, rows.passwords])
}

/** Rules for changes to an account that has a second factor, or whose session is old. */
export const policyProperties: readonly Property[] = [
  property({
    proves: ['POL-01'],
    name: 'changes nothing of a user with a second factor before a code is entered, whatever proves the address',
    story:
      'Ada signed up with a provider and enrolled an app. Eve reads her mailbox, opens a sign-in link, and the second factor is gone.',
    advice:
      'Demand the second factor before any clean-up, and never remove it because an address was proven.',
    needs: ['setup', 'store'],
    setups: provingSetups,
    runs: 30,
    reaches: Object.fromEntries(proofNames.map((by) => [by, 2])),
    ...eachOf(proofNames),
    async run(world, by) {
      const owner = await openAda(world)
      const app = await enrol(world, owner)
      // A provider created the user with the address, and nobody has proven it.
      const { address } = world.people.ada
      const email = by === 'an account with the address' ? address.beta : address.mail
      world.rows.users = world.rows.users.map((user) => ({ ...user, email, emailVerified: null }))
      const before = snapshot(world)
      world.reach(by)
      const thief = world.browser('ada')
      const finish = await proofs[by](world, thief, email)
      world.check('POL-01', (await thief.whoAmI()) === undefined, 'a first factor alone signs in')
      world.check('POL-01', snapshot(world) === before, 'a first factor alone changes the account')
      world.check('POL-01', (await owner.whoAmI()) !== undefined, 'a first factor alone ends a session')
      await enterCode(world, thief, app.code())
      await finish()
      world.check('POL-01', await hasFactor(thief), 'the code does not finish the sign-in')
      world.check(
        'POL-01',
        world.rows.factors.length === 1,
        'a proof of the address removes the second factor',
      )
    },
  }),

  property({
    proves: ['SF-09', 'POL-01'],
    name: 'changes nothing in a remembered browser before a code is entered',
    story:
      'Ada had her browser remembered. Eve uses it, reads a mail there, and resets the password of the account without a code.',
    advice:
      'Let a remembered browser sign in only. Demand the second factor for everything else that a proof does.',
    needs: ['setup', 'store', 'clock'],
    setups: provingSetups,
    runs: 24,
    reaches: Object.fromEntries(changingProofs.map((by) => [by, 2])),
    input: fc.constantFrom(...changingProofs),
    async run(world, by) {
      const app = await enrol(world, await openAda(world))
      const browser = await openAda(world)
      await enterCode(world, browser, app.code(), { remember: 'true' })
      await browser.signOut()
      await browser.arrive(await browser.visit('alpha', world.people.ada))
      world.assume((await browser.whoAmI()) !== undefined, 'the browser is not remembered')
      await browser.signOut()
      const { address } = world.people.ada
      const email = by === 'an account with the address' ? address.beta : address.mail
      world.rows.users = world.rows.users.map((user) => ({ ...user, email, emailVerified: null }))
      const before = snapshot(world)
      world.reach(by)
      const finish = await proofs[by](world, browser, email)
      world.check('SF-09', (await browser.whoAmI()) === undefined, `a remembered browser signs in with ${by}`)
      const says = `a remembered browser changes the account with ${by}`
      world.check('SF-09', snapshot(world) === before, says)
      world.clock.advance(period)
      await enterCode(world, browser, app.code())
      await finish()
      world.check('POL-01', (await browser.whoAmI()) !== undefined, 'the code does not finish the sign-in')
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
    parts: [{ minutes: 1 }, { minutes: 60 }],
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
    proves: ['POL-02'],
    name: 'adds an address to a passkey user only soon after a sign-in',
    story:
      'Eve finds a browser where Ada signed in with a passkey weeks ago, adds her own address there, and signs in at home.',
    advice: 'Demand a recent sign-in when the link is opened, and keep the link until then.',
    needs: ['passkey', 'setup', 'store', 'clock'],
    setups: passkeySetups,
    runs: 20,
    reaches: { stale: 4, recent: 4 },
    input: fc.record({ minutes: fc.integer({ min: 1, max: 60 }) }),
    async run(world, { minutes }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const device = openDevice(world, ada)
      await enrolPasskey(world, browser, device)
      world.clock.advance(minutes * 60)
      await browser.followLink(await browser.requestLink(ada.address.mail, { link: 'true' }))
      const isStale = minutes > fresh
      world.reach(isStale ? 'stale' : 'recent')
      const isAdded = world.rows.users.some(({ email }) => email === ada.address.mail)
      const says = `${minutes} minutes after the sign-in, the address is ${isAdded ? 'added' : 'not added'}`
      world.check('POL-02', isAdded === !isStale, says)
      const { length } = world.rows.credentials
      world.check('POL-02', length === 1, `the user has ${length} passkeys`)
      world.check('POL-02', world.rows.users.length === 1, `one person has ${world.rows.users.length} users`)
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
