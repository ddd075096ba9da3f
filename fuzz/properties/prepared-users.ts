import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { answerTo, askOptions, openDevice, perform, postAnswer } from '../world/passkeys.ts'
import type { Person } from '../world/people.ts'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentAs, withAccounts } from './support/identities.ts'
import { withPasskeys } from './support/passkeys.ts'
import { isSignedIn } from './support/sessions.ts'

type Door = 'mail' | 'alpha' | 'plain'
const door = fc.constantFrom<Door>('mail', 'alpha', 'plain')

const byAddress = { allowDangerousEmailAccountLinking: true }
const linking = { provider: { alpha: byAddress, plain: byAddress } }
const inTokens = {
  ...withPasskeys,
  strategy: 'jwt',
  config: { ...withPasskeys.config, adapter: true },
} as const

/** Applications that link accounts by their address, and others, with both ways to keep sessions. */
const setups = {
  database: withPasskeys,
  jwt: inTokens,
  linking: { ...withPasskeys, ...linking },
  'linking, jwt': { ...inTokens, ...linking },
}

/** Ada's mailbox, as an account of Eve claims it at a provider that nobody has to prove it to. */
const claim = { sub: 'eve-as-ada', claims: { name: 'eve', email: 'ada@mail.example', email_verified: false } }

/** Somebody comes in with an address that this proves to be theirs. */
async function comeIn(world: World, person: Person, by: Door): Promise<Browser> {
  const browser = world.browser(person.name)
  if (by === 'mail') await browser.followLink(await browser.askLink(person.address.mail))
  else await browser.arrive(await browser.visit(by, person))
  return browser
}

/** The address that a browser's session shows as its user's. */
async function addressIn(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'user', 'email')
}

export const preparedUserProperties: readonly Property[] = [
  property({
    proves: ['WA-10', 'AL-04'],
    name: 'a passkey that was registered with an address opens nothing of whoever proves that address',
    story:
      'Eve registers a passkey with a victim’s address. Later the victim comes in by a link, or by a provider: Eve’s session and passkey open the victim’s account, or the victim is turned away.',
    advice:
      'Do not store an address before it is proven; where one is stored, let it identify nobody, and give it to whoever proves it.',
    needs: ['passkey'],
    setups,
    runs: 40,
    reaches: { mail: 2, alpha: 2, plain: 2, 'stored before': 2, 'answered late': 2 },
    input: fc.record({
      by: door,
      isLate: fc.boolean(),
      isStoredBefore: fc.boolean(),
      isTwice: fc.boolean(),
    }),
    async run(world, { by, isLate, isStoredBefore, isTwice }) {
      const { ada, eve } = world.people
      const email = ada.address[by]
      const [device, browser] = [openDevice(world, eve), world.browser('eve')]
      const asked = await askOptions(world, browser, { action: 'register', email })
      const { options } = asked
      world.demand(asked.action === 'register' && options !== undefined, 'nobody can register a passkey')
      if (isLate) await comeIn(world, ada, by)
      await postAnswer(world, browser, 'register', answerTo(device, 'register', options ?? { challenge: '' }))
      if (isLate) world.reach('answered late')
      const isMade = isSignedIn(await browser.readSession())
      // As rows of earlier versions, and of other libraries: the address is there, and nobody has proven it.
      if (isStoredBefore && !isLate && isMade && world.features.has('store')) {
        const [credential] = world.rows.credentials
        world.rows.users = world.rows.users.map((user) =>
          user.id === credential?.userId ? { ...user, email, emailVerified: null } : user,
        )
        world.reach('stored before')
      }
      const own = await comeIn(world, ada, by)
      world.reach(by)
      const who = await own.whoAmI()
      world.hold('WA-10', who === 'ada', `ada, who proved her address by ${by}, is ${who ?? 'nobody'}`)
      if (isTwice) await comeIn(world, ada, by)
      const after = `after ada proved her address by ${by}`
      const seen = await addressIn(browser)
      world.hold('AL-04', seen !== email, `${after}, eve’s session is one of ${String(seen)}`)
      if (isMade) {
        const thief = world.browser('eve')
        await perform(world, thief, device, 'authenticate', { fields: { action: 'authenticate' } })
        const opened = await addressIn(thief)
        world.hold('AL-04', opened !== email, `${after}, eve’s passkey opens a session of ${String(opened)}`)
      }
      if (!world.features.has('store')) return
      const owners = world.rows.users.filter((user) => user.email === email)
      world.hold('WA-10', owners.length === 1, `${after}, it is the address of ${owners.length} users`)
      const shared = world.rows.credentials.some(({ userId }) => userId === owners[0]?.id)
      world.hold('AL-04', !shared, `${after}, her user has a passkey of eve’s`)
    },
  }),
  property({
    proves: ['AL-04'],
    name: 'the first proof of an address ends the sessions and passkeys from before it',
    story:
      'Eve comes in by an account that claims a victim’s address, adds a passkey, and stays signed in; the victim follows a link, and Eve is in their account.',
    advice: 'When an address is proven for the first time, remove what was added before.',
    needs: ['passkey', 'store'],
    setups: {
      database: { ...withPasskeys, idp: withAccounts([claim]) },
      linking: { ...withPasskeys, ...linking, idp: withAccounts([claim]) },
    },
    runs: 20,
    reaches: { 'a passkey': 2 },
    input: fc.record({ hasPasskey: fc.boolean(), isTwice: fc.boolean() }),
    async run(world, { hasPasskey, isTwice }) {
      const { ada, eve } = world.people
      const [device, browser] = [openDevice(world, eve), world.browser('eve')]
      world.prove(browser, ada, 'plain')
      await browser.arrive(await consentAs(world, browser, 'plain', claim.sub))
      world.demand(isSignedIn(await browser.readSession()), 'a claimed address does not come in')
      if (hasPasskey) {
        await perform(world, browser, device, 'register')
        world.demand(world.rows.credentials.length === 1, 'no passkey can be added')
        world.reach('a passkey')
      }
      const own = await comeIn(world, ada, 'mail')
      const who = await own.whoAmI()
      world.hold('AL-04', who === 'ada', `ada, who followed a link, is ${who ?? 'nobody'}`)
      const held = await addressIn(browser)
      world.hold('AL-04', held === undefined, `eve’s session from before the proof is one of ${String(held)}`)
      if (hasPasskey) {
        const thief = world.browser('eve')
        world.prove(thief, ada, 'plain')
        await perform(world, thief, device, 'authenticate', { fields: { action: 'authenticate' } })
        const opened = await addressIn(thief)
        world.hold('AL-04', opened === undefined, `eve’s passkey opens a session of ${String(opened)}`)
      }
      // A second proof ends nothing.
      if (!isTwice) return
      await comeIn(world, ada, 'mail')
      const still = await own.whoAmI()
      world.demand(still === 'ada', 'the session of the first proof is gone after the second')
    },
  }),
]
