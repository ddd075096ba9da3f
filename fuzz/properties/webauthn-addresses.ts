import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { answerTo, askOptions, demandOptions, openDevice, perform, postAnswer } from '../world/passkeys.ts'
import type { Person } from '../world/people.ts'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { isSignedIn } from './support/sessions.ts'
import { passkeysAndSessions } from './support/passkeys.ts'

/** One mailbox, written down in many ways. */
const writings = [
  'ann@mail.example',
  'ANN@MAIL.EXAMPLE',
  'Ann@mail.Example',
  ' ann@mail.example',
  'ann@mail.example\t',
  '\uff41\uff4e\uff4e@mail.example',
  'ann@mail\u3002example',
] as const
const writing = fc.constantFrom(...writings)

/** Somebody comes in with this address, at a provider or by a link. */
async function comeIn(
  world: World,
  person: Person,
  door: 'mail' | 'alpha' | 'plain',
  address: string,
): Promise<Browser> {
  const browser = world.browser(person.name)
  if (door === 'mail') await browser.followLink(await browser.askLink(address))
  else await browser.arrive(await browser.visit(door, person))
  return browser
}

/** The address that a link is sent to, when this is typed. */
async function sentTo(world: World, typed: string): Promise<string | undefined> {
  const before = world.mailbox.mails.length
  await world.browser().start('mail', { email: typed })
  return world.mailbox.mails[before]?.to
}

/** The address that a browser's session shows as its user's. */
async function addressIn(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'user', 'email')
}

/** Whom a row belongs to, by address. */
function addressOf(world: World, userId: string): string | undefined {
  return world.rows.users.find(({ id }) => id === userId)?.email
}

export const webauthnAddressProperties: readonly Property[] = [
  property({
    proves: ['EM-05'],
    name: 'an address is the same one where a passkey is registered, however it is written',
    story:
      'Somebody writes a user’s address in capitals, registers a passkey for it, and two users have one address.',
    advice: 'Canonicalise the address that options are asked with exactly as one that a link is sent to.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { 'one address': 10, 'the passkey first': 1, 'the mail first': 1 },
    input: fc.record({ written: writing, mailed: writing, isMailFirst: fc.boolean() }),
    async run(world, { written, mailed, isMailFirst }) {
      const byMail = async () => {
        const before = world.mailbox.mails.length
        const browser = world.browser()
        await browser.start('mail', { email: mailed })
        const mail = world.mailbox.mails[before]
        if (mail) await browser.followLink(mail)
        world.demand(isSignedIn(await browser.readSession()), `nobody comes in by a link to ${mailed}`)
      }
      const byPasskey = async () => {
        const browser = world.browser()
        const { action, options } = await askOptions(world, browser, { action: 'register', email: written })
        // Whoever is known already need not be asked.
        if (action !== 'register' || !options) return
        const device = openDevice(world, world.people.eve)
        await postAnswer(world, browser, action, answerTo(device, action, options))
      }
      // Which of them are one address is the application's to say; it has to say the same on every path.
      const [canonical, other] = [await sentTo(world, mailed), await sentTo(world, written)]
      world.demand(canonical !== undefined, `${mailed} is refused where it is typed for a link`)
      if (other !== canonical) return
      world.reach('one address')
      if (isMailFirst) await byMail()
      await byPasskey()
      world.reach(isMailFirst ? 'the mail first' : 'the passkey first')
      const isNew = world.rows.users.length > 0
      world.demand(isNew, `nobody can register with ${written}`)
      if (!isMailFirst) await byMail()
      // An application may keep the address of a passkey apart until it is proven, but not in another form.
      const owners = world.rows.users.filter(({ email, name }) => [email, name].includes(canonical ?? ''))
      const addresses = world.rows.users.filter(({ email }) => email === canonical).length
      const says = `${written} of a passkey and ${mailed} of a link`
      world.hold('EM-05', owners.length === world.rows.users.length, `${says} are several addresses`)
      world.hold('EM-05', addresses === 1, `${says} are the address of ${addresses} users`)
      const [proven] = world.rows.users.filter(({ emailVerified }) => emailVerified !== null)
      const shared = world.rows.credentials.some(({ userId }) => userId === proven?.id)
      world.hold('EM-05', !isMailFirst || !shared, `a passkey was added to ${mailed}, as ${written}`)
    },
  }),
  property({
    proves: ['AL-01', 'WA-11'],
    name: 'a passkey and an account at a provider are not linked by their address',
    story:
      'An attacker begins to register a passkey with a victim’s address, before or after the victim comes in, and has both.',
    advice: 'Look for the address again when the answer comes; never link a passkey by it.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { mail: 1, alpha: 1, plain: 1, 'the passkey first': 1, meanwhile: 1 },
    input: fc.record({
      door: fc.constantFrom('mail' as const, 'alpha' as const, 'plain' as const),
      when: fc.constantFrom('before', 'meanwhile', 'meanwhile', 'the passkey first'),
      isTwice: fc.boolean(),
    }),
    async run(world, { door, when, isTwice }) {
      const { ada, eve } = world.people
      const email = ada.address[door]
      const [device, browser] = [openDevice(world, eve), world.browser('eve')]
      if (when === 'before') await comeIn(world, ada, door, email)
      const { action, options } = await askOptions(world, browser, { action: 'register', email })
      if (when === 'meanwhile') await comeIn(world, ada, door, email)
      if (action === 'register' && options)
        await postAnswer(world, browser, action, answerTo(device, action, options))
      world.reach(door)
      world.reach(when)
      const isFirst = when === 'the passkey first'
      // A link proves the address; whoever registered it before without that is another row's matter.
      if (isFirst && door === 'mail') return
      if (isFirst) {
        world.prove(browser, ada, door)
        world.demand(isSignedIn(await browser.readSession()), 'nobody can register with a new address')
        for (let time = 0; time < (isTwice ? 2 : 1); time++) await comeIn(world, ada, door, email)
        const joined = world.rows.accounts.filter(({ provider }) => provider === world.idOf(door))
        const linked = joined.filter(({ userId }) =>
          world.rows.credentials.some((row) => row.userId === userId),
        )
        const says = `${door} was linked to whoever registered a passkey with ${email}`
        return world.hold('AL-01', linked.length === 0, says)
      }
      const owners = world.rows.credentials.map(({ userId }) => addressOf(world, userId))
      const what = `a passkey registered with an address that ada came in with ${when}, by ${door},`
      world.hold('AL-01', !owners.includes(email), `${what} was added to her`)
      const hers = world.rows.users.find((user) => user.email === email)?.id
      const added = world.rows.accounts.filter(
        ({ userId, provider }) => userId === hers && provider === world.idOf('passkey'),
      )
      world.hold('AL-01', added.length === 0, `${what} is an account of hers`)
      const thief = world.browser('eve')
      if (device.authenticator.held.length > 0) {
        await perform(world, thief, device, 'authenticate', { fields: { action: 'authenticate' } })
        const opened = await addressIn(thief)
        world.hold('AL-01', opened !== email, `${what} opens a session of ${String(opened)}`)
      }
      const seen = await addressIn(browser)
      world.hold('AL-01', seen !== email, `${what} signed eve in as ${String(seen)}`)
      // Ada herself comes in as before, and may add one of her own.
      const own = await comeIn(world, ada, door, email)
      world.demand((await own.whoAmI()) === 'ada', `ada does not come in by ${door} any more`)
      const next = await demandOptions(world, own, 'register', { action: 'register' })
      await postAnswer(world, own, 'register', answerTo(openDevice(world, ada), 'register', next))
      const isAdded = world.rows.credentials.some(({ userId }) => addressOf(world, userId) === email)
      world.demand(isAdded, 'ada cannot add a passkey')
    },
  }),
]
