import fc from 'fast-check'
import { addDevice, enrol, openDevice, signInWith, type Device } from '../../world/passkeys.ts'
import { people } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentAs, withAccounts } from '../support/identities.ts'
import { passkeysAndSessions } from '../support/passkeys.ts'
import { isSignedIn } from '../support/sessions.ts'

/** The address of a user of `plain`, which verifies nothing. */
const address = people.ada.address.plain

/** Ada's account at a provider that says that it verified the same address. */
const verified = { sub: 'ada-by-address', claims: { name: 'ada', email: address, email_verified: true } }

const linking = {
  provider: { alpha: { allowDangerousEmailAccountLinking: true } },
  idp: withAccounts([verified]),
}
const setups = {
  database: { ...passkeysAndSessions.database, ...linking },
  jwt: { ...passkeysAndSessions.jwt, ...linking },
}

const ways = ['a link', 'a link that asks to add it', 'a provider'] as const
const way = fc.constantFrom<(typeof ways)[number]>('a link', ...ways)

/** Proves Ada's address in a browser. */
async function proveAddress(world: World, browser: Browser, by: (typeof ways)[number]): Promise<void> {
  world.prove(browser, people.ada, 'mail')
  if (by === 'a provider') await browser.arrive(await consentAs(world, browser, 'alpha', verified.sub))
  else {
    const form: Record<string, string> = by === 'a link' ? {} : { link: 'true' }
    await browser.followLink(await browser.requestLink(address, form))
  }
  world.assume((await browser.whoAmI()) === 'ada', `${by} does not sign ada in`)
}

/** Returns the id of the user with this passkey. */
function ownerOf({ rows }: World, { authenticator }: Device): string | undefined {
  const [key] = authenticator.held
  const id = key && Buffer.from(key.id, 'base64url').toString('base64')
  return rows.credentials.find(({ credentialID }) => credentialID === id)?.userId
}

/** Rules for proofs of an address after the first one, and for links that another user of the browser opens. */
export const laterProofProperties: readonly Property[] = [
  property({
    proves: ['DEC-39c'],
    name: 'ends sessions and passkeys at the first proof of an address, and at no later one',
    story: 'A user follows a second link, and is signed out everywhere and has lost all passkeys.',
    advice: 'Remove earlier sessions and passkeys only if the address of the user was not verified before.',
    needs: ['passkey', 'store'],
    setups,
    runs: 20,
    reaches: { 'a later proof': 10 },
    input: fc.record({
      first: way,
      later: fc.array(fc.record({ by: way, isInSameBrowser: fc.boolean() }), { minLength: 1, maxLength: 2 }),
    }),
    async run(world, { first, later }) {
      const { ada } = world.people
      const earlier = world.browser('ada')
      await earlier.signIn('plain', ada)
      await addDevice(world, earlier, openDevice(world, ada))
      const own = world.browser('ada')
      await proveAddress(world, own, first)
      const { accounts, users } = world.rows
      world.check('DEC-39c', world.rows.credentials.length === 0, `an earlier passkey outlives ${first}`)
      const isOpen = world.strategy === 'database' && isSignedIn(await earlier.readSession())
      world.check('DEC-39c', !isOpen, `an earlier session outlives ${first}`)
      const isLinked = accounts.some(({ provider }) => provider === 'plain') && users.length === 1
      world.check('DEC-39c', isLinked, `${first} removes the account at the provider`)
      const device = openDevice(world, ada)
      await addDevice(world, own, device)
      const elsewhere = world.browser('ada')
      await signInWith(world, elsewhere, device)
      for (const { by, isInSameBrowser } of later) {
        // The provider's statement is not stored (EM-10), so a later link may be the first proof of the row.
        if (first === 'a provider' && by !== first) continue
        await proveAddress(world, isInSameBrowser ? own : world.browser('ada'), by)
        world.reach('a later proof')
        for (const browser of [own, elsewhere])
          world.check(
            'DEC-39c',
            isSignedIn(await browser.readSession()),
            `after ${first}, ${by} ends a session`,
          )
        const isKept = world.rows.credentials.length === 1
        world.check('DEC-39c', isKept, `after ${first}, ${by} removes a passkey`)
      }
    },
  }),

  property({
    proves: ['AL-10', 'DEC-39e'],
    name: 'gives no address and no account to another passkey user of the browser that requested it',
    story: 'Two people share a browser. One requests a link, the other one opens it and gets the address.',
    advice: 'Compare the user who requested the link with the user who is signed in when it is opened.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 60,
    reaches: { 'another user': 20 },
    input: fc.record({
      method: fc.constantFrom('mail' as const, 'mail' as const, 'alpha' as const, 'plain' as const),
      requester: fc.constantFrom('ada' as const, 'ada' as const, 'nobody' as const),
      opener: fc.constantFrom('bob' as const, 'bob' as const, 'bob' as const, 'ada' as const),
      signsOut: fc.boolean(),
      form: fc.constantFrom<Record<string, string>>({}, { link: 'true' }),
    }),
    async run(world, { method, requester, opener, signsOut, form }) {
      const { ada, bob } = world.people
      const devices = { ada: openDevice(world, ada), bob: openDevice(world, bob) }
      await enrol(world, world.browser(), devices.bob)
      if (requester === 'ada' || opener === 'ada') await enrol(world, world.browser(), devices.ada)
      const browser = world.browser('ada')
      if (requester === 'ada') await signInWith(world, browser, devices.ada)
      const mail = method === 'mail' ? await browser.requestLink(ada.address.mail, form) : undefined
      const arrival = method === 'mail' ? undefined : await browser.visit(method, ada, form)
      if (signsOut) await browser.signOut()
      await signInWith(world, browser, devices[opener])
      world.prove(browser, ada, method)
      if (mail) await browser.followLink(mail)
      if (arrival) await browser.arrive(arrival)
      if (opener === 'ada') return world.reach('the same user')
      world.reach('another user')
      const id = ownerOf(world, devices.bob)
      const what = `${method}, which ${requester} requested and which was opened while bob was signed in,`
      const user = world.rows.users.find((each) => each.id === id)
      const added = world.rows.accounts.filter(({ userId, type }) => userId === id && type !== 'webauthn')
      const later = world.browser('bob')
      await signInWith(world, later, devices.bob)
      const shown = member((await later.readSession()).json, 'user', 'email')
      for (const row of ['AL-10', 'DEC-39e'] as const) {
        world.check(row, user !== undefined, `${what} removes bob’s passkey`)
        world.check(row, user?.email !== ada.address[method], `${what} gives bob the address of ada`)
        world.check(row, shown !== ada.address[method], `${what} opens the address of ada with bob’s passkey`)
        world.check(row, added.length === 0, `${what} adds an account to bob`)
      }
    },
  }),
]
