import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { sessionCookie } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import { addDevice, enrol, openDevice, perform, signInWith } from '../../world/passkeys.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { passkeysAndSessions, withPasskeys } from '../support/passkeys.ts'

const explicit: Setup = {
  ...withPasskeys,
  config: { ...withPasskeys.config, accountLinking: 'explicit' },
}

const form = fc.constantFrom<Record<string, string>>({}, { link: 'true' })

/** Copies one browser's session into another, like an attacker who can set cookies there. */
function plantSession(from: Browser, into: Browser): void {
  for (const [name, value] of Object.entries(from.cookies()))
    if (sessionCookie.test(name)) into.setCookie(`${name}=${value}; Path=/; Secure`)
}

async function addressIn(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'user', 'email')
}

/** Rules for an address that is proven while a user without an address is signed in. */
export const gainedAddressProperties: readonly Property[] = [
  property({
    proves: ['SE-03'],
    name: 'gives a link’s address only to the user who was signed in when the link was requested',
    story:
      'Eve, who signed in with a passkey, plants her session in a browser that waits for a link, or sends somebody her own link. One of them gets the other’s address.',
    advice: 'Seal the requesting user into the browser’s cookie, and compare it when the link is followed.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { 'a planted session': 5, 'another user’s link': 5 },
    input: fc.record({ isPlanted: fc.boolean(), isSignedIn: fc.boolean(), form }),
    async run(world, { isPlanted, isSignedIn, form }) {
      const { ada, eve } = world.people
      const [devices, attacker] = [
        { ada: openDevice(world, ada), eve: openDevice(world, eve) },
        world.browser('eve'),
      ]
      await enrol(world, attacker, devices.eve)
      const victim = world.browser('ada')
      if (isSignedIn || !isPlanted) await enrol(world, victim, devices.ada)
      if (isPlanted) {
        const mail = await victim.requestLink(ada.address.mail, form)
        plantSession(attacker, victim)
        await victim.followLink(mail)
        world.reach('a planted session')
      } else {
        // A user who presses the button signs in as the attacker, as the page says, and gives nothing away.
        world.prove(victim, eve, 'mail')
        await victim.followLink(await attacker.requestLink(eve.address.mail, form))
        world.reach('another user’s link')
      }
      const owner = isPlanted ? eve : ada
      const address = isPlanted ? ada.address.mail : eve.address.mail
      const later = world.browser(owner.name)
      await perform(world, later, isPlanted ? devices.eve : devices.ada, 'authenticate')
      const held = await addressIn(later)
      world.check('SE-03', held !== address, `the passkey of ${owner.name} opens the account with ${address}`)
      const now = await addressIn(attacker)
      world.check('SE-03', now !== ada.address.mail, `eve’s session opens the account of ${ada.address.mail}`)
    },
  }),

  property({
    proves: ['AL-04'],
    name: 'removes earlier credentials when an address is proven under a planted session',
    story:
      'Eve leaves a browser signed in with her passkey. The next person signs in there with a link, and Eve’s passkey opens their account.',
    advice:
      'If the signed-in user gets an address without asking to link it, remove the credentials that were added before.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 30,
    input: fc.record({ isWaiting: fc.boolean() }),
    async run(world, { isWaiting }) {
      const { ada, eve } = world.people
      const device = openDevice(world, eve)
      const attacker = world.browser('eve')
      await enrol(world, attacker, device)
      const victim = world.browser('ada')
      plantSession(attacker, victim)
      await victim.followLink(await victim.requestLink(ada.address.mail))
      const who = await victim.whoAmI()
      world.check('AL-04', who === 'ada', `ada, who followed a link, is ${who ?? 'nobody'}`)
      if (isWaiting) {
        const held = await addressIn(attacker)
        world.check('AL-04', held !== ada.address.mail, 'eve’s session opens the account of ada')
      }
      const thief = world.browser('eve')
      await perform(world, thief, device, 'authenticate')
      const opened = await addressIn(thief)
      world.check('AL-04', opened !== ada.address.mail, 'eve’s passkey opens the account of ada')
    },
  }),

  property({
    proves: ['DEC-39e'],
    name: 'removes earlier passkeys when a signed-in user proves an address that its row had before',
    story:
      'Eve’s passkey belongs to a user that was stored with a victim’s address. The victim proves the address in a browser that is signed in as that user, and Eve’s passkey stays.',
    advice: 'Keep the credentials of a user who gains an address only if its row did not have the address.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 12,
    input: form,
    async run(world, form) {
      const { ada, eve } = world.people
      const email = ada.address.mail
      const device = openDevice(world, eve)
      const attacker = world.browser('eve')
      await enrol(world, attacker, device)
      // Rows of earlier versions and of other libraries have the address without a proof.
      world.rows.users = world.rows.users.map((user) => ({ ...user, email, emailVerified: null }))
      const victim = world.browser('ada')
      plantSession(attacker, victim)
      await victim.followLink(await victim.requestLink(email, form))
      const [owner] = world.rows.users.filter((user) => user.email === email && user.emailVerified)
      world.assume(owner !== undefined, 'the address is not proven')
      const isKept = world.rows.credentials.some(({ userId }) => userId === owner?.id)
      world.check('DEC-39e', !isKept, 'eve’s passkey belongs to the user with the proven address')
    },
  }),

  property({
    proves: ['DEC-39e'],
    name: 'adds no address to a passkey user who did not ask for it, under explicit linking',
    story: 'The next person at a browser signs in with a link, and their address goes to the user before.',
    advice: 'Under explicit linking, give a proven address its own user unless the form asks to link it.',
    needs: ['passkey', 'store'],
    setups: { explicit },
    runs: 6,
    input: fc.constantFrom<Record<string, string>>({}, { link: 'false' }),
    async run(world, form) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await enrol(world, browser, openDevice(world, ada))
      const [user] = world.rows.users
      await browser.followLink(await browser.requestLink(ada.address.mail, form))
      const owner = world.rows.users.find(({ email }) => email === ada.address.mail)
      world.assume(owner !== undefined, 'the address has no user')
      world.check('DEC-39e', owner?.id !== user?.id, 'the address was added to the signed-in user')
      const isKept = world.rows.credentials.some(({ userId }) => userId === user?.id)
      world.check('DEC-39e', isKept, 'the passkey of the user before is gone')
    },
  }),

  property({
    proves: ['DEC-39e'],
    name: 'leaves the address of a provider’s user when another one is proven while signed in',
    story: 'A user of a provider follows a link to another mailbox, and loses the address of the account.',
    advice: 'Give a proven address only to users who registered with a passkey and have no verified address.',
    needs: ['passkey', 'store'],
    setups: { ...passkeysAndSessions, explicit },
    runs: 12,
    input: fc.record({
      provider: fc.constantFrom('alpha' as const, 'plain' as const),
      form,
      hasPasskey: fc.boolean(),
    }),
    async run(world, { provider, form, hasPasskey }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      if (hasPasskey) await addDevice(world, browser, openDevice(world, ada))
      const [user] = world.rows.users
      world.assume(user?.email === ada.address[provider], 'the user does not have the address of the account')
      await browser.followLink(await browser.requestLink(ada.address.mail, form))
      const is = world.rows.users.find(({ id }) => id === user?.id)?.email
      world.check('DEC-39e', is === user?.email, `the address of the user was ${user?.email}, and is ${is}`)
    },
  }),

  property({
    proves: ['DEC-39e'],
    name: 'links an address to a passkey user who requests it, and keeps both sign-in methods',
    story:
      'A user registers a passkey, then proves an address, and gets two users, each with half of their data.',
    advice: 'Give the address to the user who requested the link, unless it identifies another user.',
    needs: ['passkey', 'store'],
    setups: { ...passkeysAndSessions, explicit },
    runs: 30,
    input: fc.record({ isTwice: fc.boolean() }),
    async run(world, { isTwice }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      const browser = world.browser('ada')
      await enrol(world, browser, device)
      await browser.followLink(await browser.requestLink(ada.address.mail, { link: 'true' }))
      if (isTwice) await browser.followLink(await browser.requestLink(ada.address.mail, { link: 'true' }))
      const { users, credentials } = world.rows
      world.check('DEC-39e', users.length === 1, `one person has ${users.length} users`)
      world.check('DEC-39e', credentials.length === 1, 'the passkey is gone')
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      const [byMail, byPasskey] = [world.browser('ada'), world.browser('ada')]
      await byMail.followLink(await byMail.requestLink(ada.address.mail))
      await signInWith(world, byPasskey, device)
      for (const each of [byMail, byPasskey])
        world.check(
          'DEC-39e',
          (await addressIn(each)) === ada.address.mail,
          'the session has another address',
        )
    },
  }),

  property({
    proves: ['DEC-39e'],
    name: 'removes earlier passkeys if the user had the proven address before',
    story:
      'Eve enters Ada’s address in the profile of her passkey user. Ada proves it there, and Eve’s passkey still works.',
    advice: 'Keep what was added before only if the address is new to the user who requests the link.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 20,
    input: form,
    async run(world, form) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await enrol(world, browser, openDevice(world, ada))
      // The application stores an address that nobody proved.
      for (const user of world.rows.users)
        Object.assign(user, { email: ada.address.mail, emailVerified: null })
      await browser.followLink(await browser.requestLink(ada.address.mail, form))
      world.check('DEC-39e', (await browser.whoAmI()) === 'ada', 'the link does not sign in its reader')
      const owner = world.rows.users.find(({ email }) => email === ada.address.mail)
      world.check('DEC-39e', Boolean(owner?.emailVerified), 'the proven address is not verified')
      const isKept = world.rows.credentials.some(({ userId }) => userId === owner?.id)
      world.check('DEC-39e', !isKept, 'the passkey from before the proof is kept')
    },
  }),
]
