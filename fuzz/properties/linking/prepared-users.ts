import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { answerTo, requestOptions, openDevice, perform, postAnswer } from '../../world/passkeys.ts'
import { people, type Person } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentAs, withAccounts } from '../support/identities.ts'
import { stored } from '../support/outcome.ts'
import { withPasskeys } from '../support/passkeys.ts'
import { isSignedIn } from '../support/sessions.ts'

type SignInMethod = 'mail' | 'alpha' | 'plain'
const signInMethod = fc.constantFrom<SignInMethod>('mail', 'alpha', 'plain')

const byAddress = { allowDangerousEmailAccountLinking: true }
const linking = { provider: { alpha: byAddress, plain: byAddress } }
const inTokens = {
  ...withPasskeys,
  strategy: 'jwt',
  config: { ...withPasskeys.config, adapter: true },
} as const

const revoking = { ...inTokens, with: { 'jwt-revocation': true } } as const

/** Applications with and without linking by address, with both session strategies. */
const setups = {
  database: withPasskeys,
  jwt: inTokens,
  linking: { ...withPasskeys, ...linking },
  'linking, jwt': { ...inTokens, ...linking },
}

/** Ada's address, as Eve's account claims it at a provider that does not say whether it verifies addresses. */
const claimOf = (email: string) => ({ sub: 'eve-as-ada', claims: { name: 'eve', email } })

/** Statements of a provider about an address that it has not verified. */
const denials = { no: false, 'no as text': 'false', 'no as null': null, 'no as a number': 0 } as const
const denial = fc.constantFrom<keyof typeof denials>('no', 'no as text', 'no as null', 'no as a number')

/** Ada's addresses, as Eve's accounts claim them at providers that say that they are not verified. */
const deniedClaims = (['mail', 'alpha', 'plain'] as const).flatMap((by) =>
  Object.entries(denials).map(([verdict, email_verified]) => ({
    sub: `eve-as-ada-${by}-${verdict}`,
    claims: { name: 'eve', email: people.ada.address[by], email_verified },
  })),
)
const idpOfDenials = withAccounts(deniedClaims)

/** Signs a person in with a method that proves the address. */
async function signInWith(world: World, person: Person, by: SignInMethod): Promise<Browser> {
  const browser = world.browser(person.name)
  if (by === 'mail') await browser.followLink(await browser.requestLink(person.address.mail))
  else await browser.arrive(await browser.visit(by, person))
  return browser
}

/** Returns the address in a browser's session. */
async function addressIn(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'user', 'email')
}

/** Sign-in methods that prove the address. */
const proofs = { mail: 'by a link', alpha: 'by a provider' } as const

function endsEarlierAccess(by: keyof typeof proofs, setups: Readonly<Record<string, Setup>>): Property {
  const claim = claimOf(people.ada.address[by])
  return property({
    proves: ['AL-04'],
    name: `ends earlier sessions and passkeys when an address is first proven ${proofs[by]}`,
    story:
      'Eve signs in with an account that claims a victim’s address, adds a passkey, and stays signed in. The victim proves the address, and Eve has access to the victim’s account.',
    advice: 'When an address is proven for the first time, remove the credentials that were added before.',
    needs: ['passkey', 'store', 'clock'],
    setups: Object.fromEntries(
      Object.entries(setups).map(([name, setup]) => [name, { ...setup, idp: withAccounts([claim]) }]),
    ),
    runs: 20,
    reaches: { 'a passkey': 2 },
    input: fc.record({ hasPasskey: fc.boolean(), isTwice: fc.boolean() }),
    async run(world, { hasPasskey, isTwice }) {
      const { ada, eve } = world.people
      const [device, browser] = [openDevice(world, eve), world.browser('eve')]
      world.prove(browser, ada, 'plain')
      await browser.arrive(await consentAs(world, browser, 'plain', claim.sub))
      world.assume(isSignedIn(await browser.readSession()), 'a claimed address does not sign in')
      if (hasPasskey) {
        await perform(world, browser, device, 'register')
        world.assume(world.rows.credentials.length === 1, 'no passkey can be added')
        world.reach('a passkey')
      }
      // Tokens of the same moment stay valid.
      world.clock.advance(1)
      const own = await signInWith(world, ada, by)
      const who = await own.whoAmI()
      world.check('AL-04', who === 'ada', `ada, who proved her address by ${by}, is ${who ?? 'nobody'}`)
      const held = await addressIn(browser)
      world.check(
        'AL-04',
        held === undefined,
        `eve’s session from before the proof opens the account of ${String(held)}`,
      )
      if (hasPasskey) {
        const thief = world.browser('eve')
        world.prove(thief, ada, 'plain')
        await perform(world, thief, device, 'authenticate', { fields: { action: 'authenticate' } })
        const opened = await addressIn(thief)
        world.check('AL-04', opened === undefined, `eve’s passkey opens the account of ${String(opened)}`)
      }
      // A second proof ends nothing.
      if (!isTwice) return
      await signInWith(world, ada, by)
      const still = await own.whoAmI()
      world.assume(still === 'ada', 'the session of the first proof ended after the second')
    },
  })
}

export const preparedUserProperties: readonly Property[] = [
  property({
    proves: ['AL-13'],
    name: 'signs in nobody to a user who was created with their address, which the provider called unverified',
    story:
      'Eve enters a victim’s address at a provider that does not verify it, and signs in before the victim. The victim then signs in to Eve’s user, and she reads everything they store.',
    advice:
      'Do not store an address with an email_verified other than true. The user has no address until they prove one.',
    needs: ['store'],
    setups: {
      ...stored({ idp: idpOfDenials }),
      linking: { ...linking, strategy: 'database', idp: idpOfDenials },
    },
    runs: 40,
    reaches: { mail: 5, alpha: 5, plain: 5 },
    input: fc.record({
      by: signInMethod,
      at: fc.constantFrom('alpha' as const, 'plain' as const),
      verdict: denial,
    }),
    async run(world, { by, at, verdict }) {
      const { ada } = world.people
      const sub = `eve-as-ada-${by}-${verdict}`
      const signInAsEve = async () => {
        const browser = world.browser('eve')
        await browser.arrive(await consentAs(world, browser, at, sub))
        return browser
      }
      const early = await signInAsEve()
      const own = await signInWith(world, ada, by)
      world.reach(by)
      const who = await own.whoAmI()
      world.check('AL-13', who === 'ada', `ada, who proved her address by ${by}, is ${who ?? 'nobody'}`)
      const later = await signInAsEve()
      for (const browser of [early, later]) {
        const seen = await addressIn(browser)
        const which = browser === early ? 'from before the proof' : 'from after the proof'
        world.check(
          'AL-13',
          seen !== ada.address[by],
          `eve’s session ${which} opens the account of ${String(seen)}`,
        )
      }
      const { users, accounts } = world.rows
      const owners = users.filter(({ email }) => email === ada.address[by])
      world.check('AL-13', owners.length === 1, `${owners.length} users have the address`)
      const isShared = accounts.some(
        ({ userId, providerAccountId }) => userId === owners[0]?.id && providerAccountId === sub,
      )
      world.check('AL-13', !isShared, 'eve’s account belongs to the user of ada')
    },
  }),

  property({
    proves: ['WA-10', 'AL-04'],
    name: 'signs in no user whose address was proven later with a passkey that was registered for it earlier',
    story:
      'Eve registers a passkey with a victim’s address. When the victim signs in later, Eve’s session and passkey open the victim’s account, or the victim cannot sign in.',
    advice:
      'Do not store an address before it is proven. If one is stored, do not identify users by it, and give it to the user who proves it.',
    needs: ['passkey'],
    setups,
    runs: 40,
    reaches: { mail: 2, alpha: 2, plain: 2, 'stored before': 2, 'posted late': 2 },
    parts: [
      { by: 'mail' },
      { by: 'alpha' },
      { by: 'plain' },
      { isLate: true },
      { isLate: false, isStoredBefore: true },
    ],
    input: fc.record({
      by: signInMethod,
      isLate: fc.boolean(),
      isStoredBefore: fc.boolean(),
      isFlag: fc.boolean(),
      isTwice: fc.boolean(),
    }),
    async run(world, { by, isLate, isStoredBefore, isFlag, isTwice }) {
      const { ada, eve } = world.people
      const email = ada.address[by]
      const [device, browser] = [openDevice(world, eve), world.browser('eve')]
      const offer = await requestOptions(world, browser, { action: 'register', email })
      const { options } = offer
      world.assume(offer.action === 'register' && options !== undefined, 'nobody can register a passkey')
      if (isLate) await signInWith(world, ada, by)
      await postAnswer(world, browser, 'register', answerTo(device, 'register', options ?? { challenge: '' }))
      if (isLate) world.reach('posted late')
      const isMade = isSignedIn(await browser.readSession())
      // Rows of earlier versions and of other libraries have the address without a proof. If the column is a flag, an
      // adapter may read its 0 as a date.
      const emailVerified = isFlag ? new Date(0) : null
      if (isStoredBefore && !isLate && isMade && world.features.has('store')) {
        const [credential] = world.rows.credentials
        world.rows.users = world.rows.users.map((user) =>
          user.id === credential?.userId ? { ...user, email, emailVerified } : user,
        )
        world.reach('stored before')
      }
      const own = await signInWith(world, ada, by)
      world.reach(by)
      const who = await own.whoAmI()
      world.check('WA-10', who === 'ada', `ada, who proved her address by ${by}, is ${who ?? 'nobody'}`)
      if (isTwice) await signInWith(world, ada, by)
      const after = `after ada proved her address by ${by}`
      const seen = await addressIn(browser)
      world.check('AL-04', seen !== email, `${after}, eve’s session opens the account of ${String(seen)}`)
      if (isMade) {
        const thief = world.browser('eve')
        await perform(world, thief, device, 'authenticate', { fields: { action: 'authenticate' } })
        const opened = await addressIn(thief)
        world.check(
          'AL-04',
          opened !== email,
          `${after}, eve’s passkey opens the account of ${String(opened)}`,
        )
      }
      if (!world.features.has('store')) return
      const owners = world.rows.users.filter((user) => user.email === email)
      world.check('WA-10', owners.length === 1, `${after}, ${owners.length} users have the address`)
      const shared = world.rows.credentials.some(({ userId }) => userId === owners[0]?.id)
      world.check('AL-04', !shared, `${after}, her user has eve’s passkey`)
    },
  }),
  endsEarlierAccess('mail', {
    database: withPasskeys,
    linking: { ...withPasskeys, ...linking },
    jwt: revoking,
  }),
  endsEarlierAccess('alpha', {
    linking: { ...withPasskeys, ...linking },
    'linking, jwt': { ...revoking, ...linking },
  }),
]
