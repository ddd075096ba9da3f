import fc from 'fast-check'
import type { IdpUser } from '../../world/idp/contract.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentAs } from '../support/identities.ts'
import { stored } from '../support/outcome.ts'

const address = 'claim@mail.example'
const remote = fc.constantFrom('alpha' as const, 'plain' as const)

/** A provider's statements about an address. */
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

/** Values of `emailVerified` that `profile` may return. */
const claimed: Readonly<Record<string, unknown>> = {
  'a date': new Date('2020-01-01T00:00:00Z'),
  'a future date': new Date('2099-01-01T00:00:00Z'),
  'a date as text': '2020-01-01T00:00:00.000Z',
  yes: true,
  'a number': 1,
}
const claimers: readonly IdpUser[] = Object.keys(claimed).map((claim) => ({
  sub: `claimer-${claim}`,
  claims: { name: 'eve', email: address, email_verified: true, claim },
}))

/** The profile of a provider that repeats every claim. */
interface Profile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly claim: string
}
const believing = {
  profile: ({ sub, name, email, claim }: Profile) => ({
    id: sub,
    name,
    email,
    emailVerified: claimed[claim],
  }),
  allowDangerousEmailAccountLinking: true,
}

/** Returns when the user's address was verified. */
function provenAt(world: World): number | undefined {
  const proven = world.rows.users.find(({ email }) => email === address)?.emailVerified
  return proven ? new Date(proven).getTime() : undefined
}

export const provenAddressProperties: readonly Property[] = [
  property({
    proves: ['EM-10'],
    name: 'ignores emailVerified in a profile',
    story: 'Anyone who claims a victim’s address at a provider passes for a verified owner of the mailbox.',
    advice: 'Remove emailVerified from the result of profile, for new and linked users.',
    needs: ['store', 'clock', 'setup'],
    setups: stored({
      idp: { alpha: { users: claimers }, beta: { users: claimants }, plain: { users: claimers } },
      provider: { alpha: believing, plain: believing },
    }),
    runs: 50,
    reaches: { 'a new user': 6, 'a user with that address': 6, 'the signed-in user': 6 },
    input: fc.record({
      provider: remote,
      claim: fc.constantFrom(...Object.keys(claimed)),
      whose: fc.constantFrom('a new user', 'a user with that address', 'the signed-in user'),
      isTwice: fc.boolean(),
      pause: fc.integer({ min: 1, max: 100_000 }),
    }),
    async run(world, { provider, claim, whose, isTwice, pause }) {
      const pending = () => world.browser().requestLink(address)
      const early = await pending()
      const browser = world.browser('eve')
      if (whose !== 'a new user')
        await browser.arrive(await consentAs(world, browser, 'beta', 'claimant-missing'))
      const user = whose === 'a user with that address' ? world.browser('eve') : browser
      await user.arrive(await consentAs(world, user, provider, `claimer-${claim}`))
      const other = world.browser('eve')
      if (isTwice) await other.arrive(await consentAs(world, other, provider, `claimer-${claim}`))
      const { users, accounts } = world.rows
      world.assume(users.length === 1, 'the identity has no user, or a separate one')
      if (accounts.some((account) => account.provider === provider)) world.reach(whose)
      world.check('EM-10', !users[0]?.emailVerified, `${claim} of a profile verifies the address of ${whose}`)
      // Following the link is the first proof. What was mailed before a provider proved the address has ended.
      const isEnded = whose === 'a user with that address'
      const later = isEnded || pause >= 80_000 ? await pending() : early
      world.advance(Math.min(pause, 80_000))
      await world.browser().followLink(later)
      const at = provenAt(world)
      world.check('EM-10', at === world.clock.now(), `after a link the address was verified at ${at}`)
    },
  }),
  property({
    proves: ['EM-10', 'AL-09'],
    name: 'verifies an address only by a link sent to it, and only once',
    story: 'An attacker opens an account with a victim’s address at a provider that never verifies it.',
    advice: 'Set emailVerified when a link is consumed and it is not yet set, never from a claim.',
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
        const pending = await world.browser().requestLink(address)
        const browser = world.browser('eve')
        await browser.arrive(await consentAs(world, browser, provider, `claimant-${verdict}`))
        world.assume(world.rows.users.length === 1, 'no user was created')
        world.reach('by a claim')
        world.check('EM-10', !proven(), `email_verified: ${verdict} of a provider counts as a proof`)
        const kept = world.rows.links.length
        world.check('AL-09', kept === 1, 'the sign-in at a provider spent the address’s link')
        const profile = world.recorded.callbacks.findLast(({ name }) => name === 'signIn')?.params.profile
        const verified: unknown = Reflect.get(Object(profile), 'email_verified')
        const isTrusted = verified === true || verified === 'true'
        world.check(
          'AL-09',
          !isTrusted || verdict.startsWith('yes'),
          'the signIn callback receives email_verified for an unverified address',
        )
        return void pending
      }
      const browser = world.browser()
      await browser.followLink(await browser.requestLink(address))
      const first = proven()
      world.reach('by a link')
      world.check('EM-10', first?.getTime() === world.clock.now(), 'a followed link verified nothing')
      world.advance(pause)
      const again = isAgain ? browser : world.browser()
      await again.followLink(await again.requestLink(address))
      const second = proven()
      world.check(
        'EM-10',
        second?.getTime() === first?.getTime(),
        'the date of the first proof was overwritten',
      )
    },
  }),
]
