import fc from 'fast-check'
import {
  addDevice,
  answerTo,
  askOptions,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../world/passkeys.ts'
import { property, type Property } from './property.ts'
import { challengeOf, passkeySetup, passkeysAndSessions, seeRows, withPasskeys } from './support/passkeys.ts'
import { plant, sessionOf } from './support/sessions.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)
const elsewhere = 'https://app.example/elsewhere?why=callback'

/** What a callback may answer, to every account. */
const verdicts = {
  'a no': () => false,
  'a URL': () => elsewhere,
  'an error': () => {
    throw new Error('not today')
  },
  'a no that comes late': () => Promise.resolve(false),
  'an error that comes late': () => Promise.reject(new Error('not today')),
} as const
type Verdict = keyof typeof verdicts

const short = { session: { maxAge: 600 } }
const { database, jwt } = passkeysAndSessions

export const webauthnRegistrationProperties: readonly Property[] = [
  property({
    proves: ['WA-08'],
    name: 'neither options nor a registration tell whether an address is known, nor its credentials',
    story: 'Anybody finds out who has an account, and which devices they have, by typing addresses.',
    advice:
      'Let the action alone choose the ceremony; answer a typed address as any other, with credentials that the authenticator finds by itself.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys, 'any authenticator': passkeySetup({ registrationOptions: {} }) },
    runs: 20,
    reaches: { registered: 2 },
    input: fc.record({
      isRegistered: fc.boolean(),
      devices: fc.integer({ min: 1, max: 2 }),
      action: fc.constantFrom('authenticate', 'register', undefined),
    }),
    async run(world, { isRegistered, devices, action }) {
      const { ada, eve } = world.people
      const device = openDevice(world, ada)
      const own = world.browser('ada')
      if (isRegistered) await enrol(world, own, device)
      else await own.signIn('mail', ada)
      for (let at = isRegistered ? 1 : 0; at < devices; at++) await addDevice(world, own, device)
      const email = isRegistered ? ada.address.passkey : ada.address.mail
      const told = async (address: string) => {
        const browser = world.browser('eve')
        const asked = await askOptions(world, browser, { action, email: address })
        const { reply, options } = asked
        // Credentials that were made up are as good as none, so long as there are some for every address.
        const lists = [options?.allowCredentials, options?.excludeCredentials].map((list) =>
          (list?.length ?? 0) > 0 ? 'a list' : 'no list',
        )
        const cookies = reply.cookies.map(({ key }) => key).toSorted()
        const shape = [reply.status, asked.action, ...lists, ...cookies].join(' ')
        if (asked.action !== 'register' || !options) return { text: reply.text, shape }
        world.reach('registered')
        const answered = await postAnswer(
          world,
          browser,
          'register',
          answerTo(openDevice(world, eve), 'register', options),
        )
        const led = `${answered.status} ${answered.location?.href ?? ''}`
        return { text: `${reply.text} ${answered.text}`, shape: `${shape}, and a registration ${led}` }
      }
      const known = await told(email)
      const unknown = await told('nobody@passkey.example')
      const says = `a known address is answered ${known.shape}, and another ${unknown.shape}`
      world.hold('WA-08', known.shape === unknown.shape, says)
      for (const { id } of device.authenticator.held)
        world.hold(
          'WA-08',
          !known.text.includes(id),
          `a credential of a typed address is told: ${known.text}`,
        )
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-09', 'CB-01'],
    name: 'what the signIn callback says holds for passkeys as for everything else',
    story: 'A user whom the application bars, or sends elsewhere first, comes in by a passkey all the same.',
    advice: 'Ask the callback in one place for all types, before anything is stored or issued.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { 'a no': 1, 'a URL': 1, 'an error': 1 },
    input: fc.record({
      action: ceremony,
      verdict: fc.constantFrom(...(Object.keys(verdicts) as Verdict[])),
      isSignedIn: fc.boolean(),
    }),
    async run(world, { action, verdict, isSignedIn }) {
      const { ada, bob } = world.people
      const device = openDevice(world, ada)
      const own = world.browser('ada')
      if (action === 'authenticate') await enrol(world, own, device)
      const strict = await world.another(
        {
          ...(world.strategy === 'jwt' ? jwt : database),
          config: {
            ...(world.strategy === 'jwt' ? jwt : database).config,
            callbacks: { signIn: verdicts[verdict] },
          },
        },
        'same',
      )
      const remote = strict.browser('bob')
      const usual = await remote.arrive(await remote.visit('plain', bob))
      const browser = strict.browser('ada')
      strict.prove(browser, ada, 'passkey')
      const isAdding = isSignedIn && action === 'register'
      if (isAdding) {
        await own.signIn('mail', ada)
        strict.prove(browser, ada, 'mail')
        browser.restore(own.save())
      }
      const before = seeRows(world)
      const email = action === 'register' && !isAdding ? { email: ada.address.passkey } : {}
      const fields = { action, ...email }
      const reply = await perform(strict, browser, device, action, { fields })
      world.reach(verdict)
      const says = `the callback said ${verdict} to a passkey (${action})`
      const me = await browser.whoAmI()
      world.hold(
        'WA-09',
        isAdding ? me === 'ada' : me === undefined,
        `${says}: ${me ?? 'nobody'} is signed in`,
      )
      const isSame =
        seeRows(world).replaceAll(/"counter":\d+/g, '') === before.replaceAll(/"counter":\d+/g, '')
      world.hold('WA-09', isSame, `${says}: rows were changed`)
      const [to, usually] = [reply, usual].map(({ location }) =>
        verdict === 'a URL' ? location?.href : location && `${location.pathname}${location.search}`,
      )
      world.hold(
        'WA-09',
        to === usually,
        `${says}, which led to ${to}; with another type it leads to ${usually}`,
      )
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-11'],
    name: 'an authenticator is added to a user only within a live session of theirs',
    story: 'An attacker who knows an address, or finds an old page, adds a key of their own to the account.',
    advice:
      'Ask for a session when the options are asked for, and for the same user’s when the answer comes.',
    needs: ['passkey'],
    setups: {
      database: { ...database, config: { ...database.config, ...short } },
      jwt: { ...jwt, config: { ...jwt.config, ...short } },
    },
    runs: 80,
    reaches: {
      rightly: 1,
      'by the address': 1,
      'signed out': 1,
      expired: 1,
      'an address taken meanwhile': 1,
    },
    input: fc.record({
      how: fc.constantFrom(
        'rightly',
        'by the address',
        'signed out',
        'expired',
        'expired before',
        'an address taken meanwhile',
        'a broken session',
        'a revoked session',
        'a user who is gone',
      ),
      when: fc.constantFrom('before', 'meanwhile'),
      wish: fc.constantFrom({ action: 'register' }, {}),
      age: fc.integer({ min: 700, max: 890 }),
    }),
    async run(world, { how, wish, when, age }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      const own = world.browser('ada')
      const email = ada.address.mail
      world.reach(how)
      if (how === 'rightly') {
        await own.signIn('mail', ada)
        await addDevice(world, own, device)
        return signInWith(world, world.browser('ada'), device).then(() => undefined)
      }
      const isStranger = how === 'by the address' || how === 'an address taken meanwhile'
      const browser = isStranger ? world.browser('eve') : own
      if (how !== 'an address taken meanwhile') await own.signIn('mail', ada)
      const fields = isStranger ? { ...wish, email } : { action: 'register' }
      const session = sessionOf(own.cookies())
      // What is no session any more, though its cookie may still be there.
      const spoil = async () => {
        if (how === 'a broken session')
          for (const [name, value] of Object.entries(session)) plant(own, { [name]: `x${value.slice(1)}x` })
        if (how === 'a revoked session') {
          await own.signOut()
          plant(own, session)
        }
        if (how === 'a user who is gone' && world.features.has('store')) world.rows.users = []
      }
      // A token that was copied before lives on, unless the application remembers what it revoked.
      const isFinal = world.strategy === 'database' || world.capabilities.has('jwt-revocation')
      if (how === 'a revoked session' && !isFinal) return
      if (how === 'expired before' && world.features.has('clock')) {
        world.pass(age)
        plant(own, session)
      }
      if (when === 'before') await spoil()
      const asked = await askOptions(world, browser, fields)
      if (when === 'meanwhile') await spoil()
      if (how === 'an address taken meanwhile') await own.signIn('mail', ada)
      if (how === 'signed out') await own.signOut()
      if (how === 'expired') {
        if (!world.features.has('clock')) return
        world.pass(age)
        plant(own, { ...session, ...challengeOf(asked) })
      }
      const options = asked.options ?? { challenge: '' }
      const { hostname: id } = new URL(world.origin)
      const answer = answerTo(device, 'register', { rp: { id }, user: { id: 'eA', name: email }, ...options })
      const isSeen = world.features.has('store')
      // What a stranger registers for themselves, as somebody new, is their own.
      const look = () => {
        const { users, credentials, accounts } = world.rows
        const hers = users.filter((user) => user.email === email).map(({ id: userId }) => userId)
        const isHers = ({ userId }: { readonly userId: string }) => !isStranger || hers.includes(userId)
        return JSON.stringify([credentials.filter(isHers), accounts.filter(isHers)])
      }
      const see = () => (isSeen ? look() : '')
      const before = see()
      await postAnswer(world, browser, 'register', answer)
      // Whoever is gone is no existing user; what becomes of the answer is not what this is about.
      if (how === 'a user who is gone') return
      world.hold('WA-11', see() === before, `a key was stored (${how})`)
      const thief = world.browser('eve')
      await perform(world, thief, device, 'authenticate')
      const who = await thief.whoAmI()
      const isOpen = isStranger ? who === 'ada' : who !== undefined
      world.hold('WA-11', !isOpen, `the key that was added (${how}) opens ${who ?? 'nothing'}`)
    },
  }),
]
