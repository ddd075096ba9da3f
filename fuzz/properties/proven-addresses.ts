import fc from 'fast-check'
import type { IdpUser } from '../world/idp/contract.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentAs } from './support/identities.ts'
import { stored } from './support/outcome.ts'

const address = 'claim@mail.example'
const remote = fc.constantFrom('alpha' as const, 'plain' as const)

/** What a provider may say of an address. */
const verdicts = {
  missing: undefined,
  no: false,
  yes: true,
  'no as text': 'false',
  'yes as text': 'true',
} as const
const claimants: readonly IdpUser[] = Object.entries(verdicts).map(([name, verdict]) => ({
  sub: `claimant-${name}`,
  claims: { name, email: address, ...(verdict !== undefined && { email_verified: verdict }) },
}))

/** What a `profile` may make of it, by what the provider calls it. */
const sayings: Readonly<Record<string, unknown>> = {
  'a date': new Date('2020-01-01T00:00:00Z'),
  'a date to come': new Date('2099-01-01T00:00:00Z'),
  'a date as text': '2020-01-01T00:00:00.000Z',
  yes: true,
  'a number': 1,
}
const sayers: readonly IdpUser[] = Object.keys(sayings).map((saying) => ({
  sub: `sayer-${saying}`,
  claims: { name: 'eve', email: address, email_verified: true, saying },
}))

/** The profile of a provider that believes what it is told. */
interface Profile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly saying: string
}
const believing = {
  profile: ({ sub, name, email, saying }: Profile) => ({
    id: sub,
    name,
    email,
    emailVerified: sayings[saying],
  }),
  allowDangerousEmailAccountLinking: true,
}

/** When the address was proven, as its user says. */
function provenAt(world: World): number | undefined {
  const proven = world.rows.users.find(({ email }) => email === address)?.emailVerified
  return proven ? new Date(proven).getTime() : undefined
}

export const provenAddressProperties: readonly Property[] = [
  property({
    proves: ['EM-10'],
    name: 'a date of proof that a profile brings is not the user’s',
    story: 'Whoever claims a victim’s address at a provider is taken for somebody who reads its mailbox.',
    advice: 'Take emailVerified out of what a profile makes, for new users and for linked ones.',
    needs: ['store', 'clock', 'setup'],
    setups: stored({
      idp: { alpha: { users: sayers }, beta: { users: claimants }, plain: { users: sayers } },
      provider: { alpha: believing, plain: believing },
    }),
    runs: 50,
    reaches: { 'a new user': 6, 'a user of that address': 6, 'who is signed in': 6 },
    input: fc.record({
      provider: remote,
      saying: fc.constantFrom(...Object.keys(sayings)),
      whose: fc.constantFrom('a new user', 'a user of that address', 'who is signed in'),
      isTwice: fc.boolean(),
      pause: fc.integer({ min: 1, max: 100_000 }),
    }),
    async run(world, { provider, saying, whose, isTwice, pause }) {
      const pending = () => world.browser().askLink(address)
      const early = await pending()
      const browser = world.browser('eve')
      if (whose !== 'a new user') await browser.arrive(await consentAs(world, browser, 'beta', 'claimant-no'))
      const user = whose === 'a user of that address' ? world.browser('eve') : browser
      await user.arrive(await consentAs(world, user, provider, `sayer-${saying}`))
      const other = world.browser('eve')
      if (isTwice) await other.arrive(await consentAs(world, other, provider, `sayer-${saying}`))
      const { users, accounts } = world.rows
      world.demand(users.length === 1, 'the identity has no user, or one of its own')
      if (accounts.some((account) => account.provider === provider)) world.reach(whose)
      world.hold('EM-10', !users[0]?.emailVerified, `${saying} of a profile is the proof of ${whose}`)
      // The first proof is the link that is followed.
      const later = pause < 80_000 ? early : await pending()
      world.pass(Math.min(pause, 80_000))
      await world.browser().followLink(later)
      const at = provenAt(world)
      world.hold('EM-10', at === world.clock.now(), `after a link the address was proven at ${at}`)
    },
  }),
  property({
    proves: ['EM-10', 'AL-09'],
    name: 'an address is proven by a link of its mailbox, once, and by nothing else',
    story: 'An attacker opens an account with a victim’s address at a provider that never checks it.',
    advice: 'Set emailVerified when a link is consumed and it is not set yet; never from a claim.',
    needs: ['store', 'clock', 'hooks'],
    setups: stored({ idp: { alpha: { users: claimants }, plain: { users: claimants } } }),
    runs: 50,
    reaches: { 'by a link': 8, 'by a claim': 8 },
    input: fc.record({
      verdict: fc.constantFrom(...Object.keys(verdicts)),
      provider: remote,
      isByLink: fc.boolean(),
      isAgain: fc.boolean(),
      pause: fc.integer({ min: 1, max: 100_000 }),
    }),
    async run(world, { verdict, provider, isByLink, isAgain, pause }) {
      const proven = () => world.rows.users.find(({ email }) => email === address)?.emailVerified
      if (!isByLink) {
        const pending = await world.browser().askLink(address)
        const browser = world.browser('eve')
        await browser.arrive(await consentAs(world, browser, provider, `claimant-${verdict}`))
        world.demand(world.rows.users.length === 1, 'no user was created')
        world.reach('by a claim')
        world.hold('EM-10', !proven(), `email_verified: ${verdict} of a provider counts as a proof`)
        const kept = world.rows.links.length
        world.hold('AL-09', kept === 1, 'the sign-in at a provider used up the link of the address')
        const told = world.told.callbacks.findLast(({ name }) => name === 'signIn')?.params.profile
        const claim: unknown = Reflect.get(Object(told), 'email_verified')
        const isTrusted = claim === true || claim === 'true'
        world.hold(
          'AL-09',
          !isTrusted || verdict.startsWith('yes'),
          'a rule about domains is told that it is verified',
        )
        return void pending
      }
      const browser = world.browser()
      await browser.followLink(await browser.askLink(address))
      const first = proven()
      world.reach('by a link')
      world.hold('EM-10', first?.getTime() === world.clock.now(), 'a followed link proved nothing')
      world.pass(pause)
      const again = isAgain ? browser : world.browser()
      await again.followLink(await again.askLink(address))
      const second = proven()
      world.hold(
        'EM-10',
        second?.getTime() === first?.getTime(),
        'the date of the first proof was overwritten',
      )
    },
  }),
]
