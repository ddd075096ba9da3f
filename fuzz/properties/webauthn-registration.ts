import fc from 'fast-check'
import { hanging, losing, muting, rejecting, throwing } from '../world/fault-plan.ts'
import {
  addDevice,
  answerTo,
  askOptions,
  demandOptions,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../world/passkeys.ts'
import { property, type Property } from './property.ts'
import { challengeOf, passkeysAndSessions, seeRows, withPasskeys } from './support/passkeys.ts'
import { waitFor } from './support/flows.ts'
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
    name: 'asking to sign in with a passkey does not tell whether an address is known, nor its credentials',
    story: 'Anybody finds out who has an account, and which devices they have, by typing addresses.',
    advice: 'Answer a typed address as any other, with credentials that the authenticator finds by itself.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 20,
    input: fc.record({ isRegistered: fc.boolean(), devices: fc.integer({ min: 1, max: 2 }) }),
    async run(world, { isRegistered, devices }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      const own = world.browser('ada')
      if (isRegistered) await enrol(world, own, device)
      else await own.signIn('mail', ada)
      for (let at = isRegistered ? 1 : 0; at < devices; at++) await addDevice(world, own, device)
      const email = isRegistered ? ada.address.passkey : ada.address.mail
      const told = async (fields: { readonly action?: string; readonly email: string }) => {
        const { reply, action, options } = await askOptions(world, world.browser('eve'), fields)
        // Credentials that were made up are as good as none, so long as there are some for every address.
        const lists = (options?.allowCredentials?.length ?? 0) > 0 ? 'a list' : 'no list'
        const cookies = reply.cookies.map(({ key }) => key).toSorted()
        return { text: reply.text, shape: [reply.status, action, lists, ...cookies].join(' ') }
      }
      const known = await told({ action: 'authenticate', email })
      const unknown = await told({ action: 'authenticate', email: 'nobody@passkey.example' })
      const says = `a known address is answered ${known.shape}, and another ${unknown.shape}`
      world.hold('WA-08', known.shape === unknown.shape, says)
      for (const fields of [{ action: 'register', email }, { action: 'authenticate', email }, { email }]) {
        const { text } = await told(fields)
        for (const { id } of device.authenticator.held)
          world.hold('WA-08', !text.includes(id), `a credential of a typed address is told: ${text}`)
      }
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
      const look = () => (isSeen ? JSON.stringify([world.rows.credentials, world.rows.accounts]) : '')
      const before = look()
      await postAnswer(world, browser, 'register', answer)
      // Whoever is gone is no existing user; what becomes of the answer is not what this is about.
      if (how === 'a user who is gone') return
      world.hold('WA-11', look() === before, `a key was stored (${how})`)
      const thief = world.browser('eve')
      await perform(world, thief, device, 'authenticate')
      const who = await thief.whoAmI()
      world.hold('WA-11', who === undefined, `the key that was added (${how}) opens ${who ?? 'nothing'}`)
    },
  }),
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'a registration that fails half-way bars nobody from the next one',
    story:
      'The database fails once, and the user’s address is taken for ever by an account that nobody can enter.',
    advice: 'Take back what was stored for nothing, or let the next attempt find it.',
    needs: ['passkey', 'faults'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { met: 5 },
    input: fc.record({
      call: fc.constantFrom(
        'createUser',
        'linkAccount',
        'createAuthenticator',
        'getAuthenticator',
        'createSession',
      ),
      fault: fc.constantFrom(throwing, rejecting, losing, muting, hanging),
      isSignedIn: fc.boolean(),
    }),
    async run(world, { call, fault, isSignedIn }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      const browser = world.browser('ada')
      if (isSignedIn) await browser.signIn('mail', ada)
      const fields = { action: 'register', ...(!isSignedIn && { email: ada.address.passkey }) }
      const options = await demandOptions(world, browser, 'register', fields)
      const answer = answerTo(device, 'register', options)
      world.prove(browser, ada, 'passkey')
      world.plan.arm(`store.${call}`, 0, fault)
      const answered = postAnswer(world, browser, 'register', answer)
      if (fault.hangs) {
        await Promise.race([world.plan.hung(), answered])
        await waitFor(world, answered)
        world.plan.end()
      }
      await answered
      const isMet = world.plan.calls.length > 0
      world.plan.arm('none')
      if (!isMet) return
      world.reach('met')
      // The credential may be stored, when it was the session that failed; else the next one is.
      const again = world.browser('ada')
      world.prove(again, ada, 'passkey')
      await perform(world, again, device, 'authenticate')
      if ((await again.whoAmI()) === 'ada') return
      const next = openDevice(world, ada)
      if (isSignedIn) await again.signIn('mail', ada)
      const { action, options: second } = await askOptions(world, again, fields)
      if (action === 'register' && second)
        await postAnswer(world, again, action, answerTo(next, action, second))
      const last = world.browser('ada')
      world.prove(last, ada, 'passkey')
      if (next.authenticator.held.length > 0) await perform(world, last, next, 'authenticate')
      const who = await last.whoAmI()
      world.hold('FI-02', who === 'ada', `after ${call} ${fault.name} once, ada cannot register any more`)
    },
  }),
]
