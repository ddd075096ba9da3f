import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import {
  answerTo,
  requestOptions,
  requireOptions,
  openDevice,
  perform,
  postAnswer,
} from '../../world/passkeys.ts'
import type { Person } from '../../world/people.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn } from '../support/sessions.ts'
import { passkeysAndSessions } from '../support/passkeys.ts'

/** One mailbox in many spellings. */
const spellings = [
  'ann@mail.example',
  'ANN@MAIL.EXAMPLE',
  'Ann@mail.Example',
  ' ann@mail.example',
  'ann@mail.example\t',
  '\uff41\uff4e\uff4e@mail.example',
  'ann@mail\u3002example',
] as const
const anySpelling = fc.constantFrom(...spellings)

/** Signs a person in with this address, at a provider or by a link. */
async function signInWith(
  world: World,
  person: Person,
  method: 'mail' | 'alpha' | 'plain',
  address: string,
): Promise<Browser> {
  const browser = world.browser(person.name)
  if (method === 'mail') await browser.followLink(await browser.requestLink(address))
  else await browser.arrive(await browser.visit(method, person))
  return browser
}

/** Returns the address that gets the link if this one is typed. */
async function sentTo(world: World, typed: string): Promise<string | undefined> {
  const before = world.mailbox.mails.length
  await world.browser().start('mail', { email: typed })
  return world.mailbox.mails[before]?.to
}

/** Returns the address in a browser's session. */
async function addressIn(browser: Browser): Promise<unknown> {
  return member((await browser.readSession()).json, 'user', 'email')
}

/** Returns the address of a row's owner. */
function addressOf(world: World, userId: string): string | undefined {
  return world.rows.users.find(({ id }) => id === userId)?.email
}

export const webauthnAddressProperties: readonly Property[] = [
  property({
    proves: ['WA-11'],
    name: 'gives people who register passkeys with one address a user each',
    story: 'An attacker registers a passkey with the address that somebody typed before, and is that user.',
    advice: 'Give every new user a random id, which has nothing to do with the typed address.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 10,
    reaches: { 'two users': 1 },
    input: fc.record({ isMeanwhile: fc.boolean(), spelling: anySpelling }),
    async run(world, { isMeanwhile, spelling }) {
      const { ada, eve } = world.people
      const register = async (person: Person, email: string) => {
        const browser = world.browser(person.name)
        const { action, options } = await requestOptions(world, browser, { action: 'register', email })
        return async () => {
          // The application may not offer a registration with an address that another user typed.
          if (action !== 'register' || !options) return
          await postAnswer(world, browser, action, answerTo(openDevice(world, person), action, options))
        }
      }
      const finish = await register(ada, spellings[0])
      if (!isMeanwhile) await finish()
      const finishOther = await register(eve, spelling)
      if (isMeanwhile) await finish()
      await finishOther()
      const { credentials } = world.rows
      world.assume(credentials.length > 0, 'nobody can register')
      const owners = new Set(credentials.map(({ userId }) => userId))
      world.check('WA-11', owners.size === credentials.length, 'passkeys of two people belong to one user')
      if (owners.size === 2) world.reach('two users')
    },
  }),

  property({
    proves: ['EM-05'],
    name: 'normalises the address when a passkey is registered',
    story:
      'Somebody types a user’s address in capitals and registers a passkey for it, and two users share one address.',
    advice: 'Canonicalise the address in an options request exactly like an address that gets a link.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { 'one address': 10, 'the passkey first': 1, 'the mail first': 1 },
    parts: [{ isMailFirst: true }, { isMailFirst: false }],
    input: fc.record({ spelling: anySpelling, mailed: anySpelling, isMailFirst: fc.boolean() }),
    async run(world, { spelling, mailed, isMailFirst }) {
      const byMail = async () => {
        const before = world.mailbox.mails.length
        const browser = world.browser()
        await browser.start('mail', { email: mailed })
        const mail = world.mailbox.mails[before]
        if (mail) await browser.followLink(mail)
        world.assume(isSignedIn(await browser.readSession()), `nobody can sign in by a link to ${mailed}`)
      }
      const byPasskey = async () => {
        const browser = world.browser()
        const { action, options } = await requestOptions(world, browser, {
          action: 'register',
          email: spelling,
        })
        // The application may not offer a registration to a known user.
        if (action !== 'register' || !options) return
        const device = openDevice(world, world.people.eve)
        await postAnswer(world, browser, action, answerTo(device, action, options))
      }
      // The application decides which spellings are one address, but it must decide consistently.
      const [canonical, other] = [await sentTo(world, mailed), await sentTo(world, spelling)]
      world.assume(canonical !== undefined, `${mailed} is refused for a link`)
      if (other !== canonical) return
      world.reach('one address')
      if (isMailFirst) await byMail()
      await byPasskey()
      world.reach(isMailFirst ? 'the mail first' : 'the passkey first')
      const isNew = world.rows.users.length > 0
      world.assume(isNew, `nobody can register with ${spelling}`)
      if (!isMailFirst) await byMail()
      // An application may store a passkey's address apart until it is proven, but not in another form.
      const owners = world.rows.users.filter(({ email, name }) => [email, name].includes(canonical ?? ''))
      const addresses = world.rows.users.filter(({ email }) => email === canonical).length
      const says = `${spelling} of a passkey and ${mailed} of a link`
      world.check('EM-05', owners.length === world.rows.users.length, `${says} are several addresses`)
      world.check('EM-05', addresses === 1, `${says} are the address of ${addresses} users`)
      const [proven] = world.rows.users.filter(({ emailVerified }) => emailVerified !== null)
      const shared = world.rows.credentials.some(({ userId }) => userId === proven?.id)
      world.check('EM-05', !isMailFirst || !shared, `a passkey was added to ${mailed}, as ${spelling}`)
    },
  }),
  property({
    proves: ['AL-01', 'WA-11'],
    name: 'links no passkey to a provider account by its address',
    story:
      'An attacker starts to register a passkey with a victim’s address, before or after the victim signs in, and gets both.',
    advice: 'Look the address up again when the response arrives, and never link a passkey by it.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { mail: 1, alpha: 1, plain: 1, 'the passkey first': 1, meanwhile: 1 },
    parts: [
      { method: 'mail' },
      { method: 'alpha' },
      { method: 'plain' },
      { when: 'meanwhile' },
      { when: 'the passkey first', method: 'alpha' },
    ],
    input: fc.record({
      method: fc.constantFrom('mail' as const, 'alpha' as const, 'plain' as const),
      when: fc.constantFrom('before', 'meanwhile', 'meanwhile', 'the passkey first'),
      isTwice: fc.boolean(),
    }),
    async run(world, { method, when, isTwice }) {
      const { ada, eve } = world.people
      const email = ada.address[method]
      const [device, browser] = [openDevice(world, eve), world.browser('eve')]
      if (when === 'before') await signInWith(world, ada, method, email)
      const { action, options } = await requestOptions(world, browser, { action: 'register', email })
      if (when === 'meanwhile') await signInWith(world, ada, method, email)
      if (action === 'register' && options)
        await postAnswer(world, browser, action, answerTo(device, action, options))
      world.reach(method)
      world.reach(when)
      const isFirst = when === 'the passkey first'
      // A link proves the address; other properties cover users who registered it without proof.
      if (isFirst && method === 'mail') return
      if (isFirst) {
        world.prove(browser, ada, method)
        world.assume(isSignedIn(await browser.readSession()), 'nobody can register with a new address')
        for (let time = 0; time < (isTwice ? 2 : 1); time++) await signInWith(world, ada, method, email)
        const fromProvider = world.rows.accounts.filter(({ provider }) => provider === world.idOf(method))
        const linked = fromProvider.filter(({ userId }) =>
          world.rows.credentials.some((row) => row.userId === userId),
        )
        const says = `${method} was linked to the user who registered a passkey with ${email}`
        return world.check('AL-01', linked.length === 0, says)
      }
      const owners = world.rows.credentials.map(({ userId }) => addressOf(world, userId))
      const what = `a passkey registered with the address of ada, who signed in with ${method} ${when},`
      world.check('WA-11', !owners.includes(email), `${what} was added to her user`)
      const hers = world.rows.users.find((user) => user.email === email)?.id
      const added = world.rows.accounts.filter(
        ({ userId, provider }) => userId === hers && provider === world.idOf('passkey'),
      )
      world.check('AL-01', added.length === 0, `${what} became her account`)
      const thief = world.browser('eve')
      if (device.authenticator.held.length > 0) {
        await perform(world, thief, device, 'authenticate', { fields: { action: 'authenticate' } })
        const opened = await addressIn(thief)
        world.check('AL-01', opened !== email, `${what} opens a session of ${String(opened)}`)
      }
      const seen = await addressIn(browser)
      world.check('AL-01', seen !== email, `${what} signed eve in as ${String(seen)}`)
      // Ada herself signs in as before, and may add a passkey.
      const own = await signInWith(world, ada, method, email)
      world.assume((await own.whoAmI()) === 'ada', `ada can no longer sign in with ${method}`)
      const next = await requireOptions(world, own, 'register', { action: 'register' })
      await postAnswer(world, own, 'register', answerTo(openDevice(world, ada), 'register', next))
      const isAdded = world.rows.credentials.some(({ userId }) => addressOf(world, userId) === email)
      world.assume(isAdded, 'ada cannot add a passkey')
    },
  }),
]
