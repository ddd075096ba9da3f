import fc from 'fast-check'
import {
  addDevice,
  answerTo,
  requestOptions,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { challengeOf, passkeysAndSessions, seeRows } from '../support/passkeys.ts'
import { plant, sessionOf } from '../support/sessions.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)
const elsewhere = 'https://app.example/elsewhere?why=callback'

/** What a signIn callback may return, for every account. */
const verdicts = {
  false: () => false,
  'a URL': () => elsewhere,
  'an error': () => {
    throw new Error('refused')
  },
  'a rejected false': () => Promise.resolve(false),
  'a rejection': () => Promise.reject(new Error('refused')),
} as const
type Verdict = keyof typeof verdicts
const verdictNames = Object.keys(verdicts) as Verdict[]

const short = { session: { maxAge: 600 } }
const { database, jwt } = passkeysAndSessions

const additions = [
  'allowed',
  'by the address',
  'signed out',
  'expired',
  'expired before',
  'an address taken meanwhile',
  'a broken session',
  'a revoked session',
  'a deleted user',
] as const

export const webauthnRegistrationProperties: readonly Property[] = [
  property({
    proves: ['WA-09'],
    name: 'applies the signIn callback to passkeys like to every provider',
    story: 'A user whom the application bans, or redirects first, signs in with a passkey anyway.',
    advice: 'Call signIn in one place for all provider types, before you store or issue anything.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { false: 1, 'a URL': 1, 'an error': 1 },
    parts: verdictNames.map((verdict) => ({ verdict })),
    input: fc.record({
      action: ceremony,
      verdict: fc.constantFrom(...verdictNames),
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
      const says = `the callback returned ${verdict} for a passkey (${action})`
      const me = await browser.whoAmI()
      world.check(
        'WA-09',
        isAdding ? me === 'ada' : me === undefined,
        `${says}: ${me ?? 'nobody'} is signed in`,
      )
      const isSame =
        seeRows(world).replaceAll(/"counter":\d+/g, '') === before.replaceAll(/"counter":\d+/g, '')
      world.check('WA-09', isSame, `${says}: rows were changed`)
      const [to, usually] = [reply, usual].map(({ location }) =>
        verdict === 'a URL' ? location?.href : location && `${location.pathname}${location.search}`,
      )
      world.check(
        'WA-09',
        to === usually,
        `${says}, and redirected to ${to}; other provider types redirect to ${usually}`,
      )
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['DEC-39a', 'WA-10'],
    name: 'shows callbacks the typed address of a new user only as an unverified claim',
    story:
      'Eve types a victim’s address and registers a passkey. The application’s signIn callback looks the user up by address, and gives Eve the victim’s roles.',
    advice:
      'Pass the typed address to signIn in the profile with email_verified: false, and not as the address of the user.',
    needs: ['passkey', 'store', 'hooks'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { known: 1, unknown: 1 },
    input: fc.record({ isKnown: fc.boolean() }),
    async run(world, { isKnown }) {
      const { ada, eve } = world.people
      const email = isKnown ? ada.address.mail : eve.address.passkey
      if (isKnown) await world.browser('ada').signIn('mail', ada)
      const [calls, events] = [world.recorded.callbacks.length, world.recorded.events.length]
      const browser = world.browser('eve')
      world.prove(browser, eve, 'passkey')
      const offer = await requestOptions(world, browser, { action: 'register', email })
      const { action, options = { challenge: '' } } = offer
      // The application need not offer a registration with the address of a known user.
      if (isKnown && action !== 'register') return world.reach('known')
      world.assume(action === 'register', 'no registration is offered')
      await postAnswer(world, browser, 'register', answerTo(openDevice(world, eve), 'register', options))
      const users = [
        ...world.recorded.callbacks.slice(calls).map(({ name, params }) => [name, params.user] as const),
        ...world.recorded.events.slice(events).map(({ event, message }) => [event, message.user] as const),
      ]
      world.assume(
        users.some(([name]) => name === 'signIn'),
        'a registration is not passed to signIn',
      )
      const [shown] = users.find(([, user]) => member(user, 'email') === email) ?? []
      world.check('WA-10', shown === undefined, `${shown} gets a user with the address that eve only typed`)
      const asked = world.recorded.callbacks.slice(calls).find(({ name }) => name === 'signIn')
      const claim = asked?.params.profile
      world.check(
        'DEC-39a',
        member(claim, 'email') === email && member(claim, 'email_verified') === false,
        `signIn gets the profile ${JSON.stringify(claim)} for the typed address ${email}`,
      )
      const rows = world.rows.users.filter((user) => user.email === email)
      world.check('DEC-39a', rows.length === Number(isKnown), `${rows.length} users have the typed address`)
      world.reach(isKnown ? 'known' : 'unknown')
    },
  }),
  property({
    proves: ['WA-11'],
    name: 'adds an authenticator to a user only within their live session',
    story: 'An attacker who knows an address, or finds an open page, adds their own key to the account.',
    advice: 'Require a session for the options, and the same user’s session for the response.',
    needs: ['passkey'],
    setups: {
      database: { ...database, config: { ...database.config, ...short } },
      jwt: { ...jwt, config: { ...jwt.config, ...short } },
    },
    runs: 80,
    reaches: {
      allowed: 1,
      'by the address': 1,
      'signed out': 1,
      expired: 1,
      'an address taken meanwhile': 1,
    },
    parts: additions.map((how) => ({ how })),
    input: fc.record({
      how: fc.constantFrom(...additions),
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
      if (how === 'allowed') {
        await own.signIn('mail', ada)
        await addDevice(world, own, device)
        return signInWith(world, world.browser('ada'), device).then(() => undefined)
      }
      const isStranger = how === 'by the address' || how === 'an address taken meanwhile'
      const browser = isStranger ? world.browser('eve') : own
      if (how !== 'an address taken meanwhile') await own.signIn('mail', ada)
      const fields = isStranger ? { ...wish, email } : { action: 'register' }
      const session = sessionOf(own.cookies())
      // Ends the session; its cookie may remain.
      const invalidate = async () => {
        if (how === 'a broken session')
          for (const [name, value] of Object.entries(session)) plant(own, { [name]: `x${value.slice(1)}x` })
        if (how === 'a revoked session') {
          await own.signOut()
          plant(own, session)
        }
        if (how === 'a deleted user' && world.features.has('store')) world.rows.users = []
      }
      // A copied token still works unless the application tracks revoked ones.
      const isFinal = world.strategy === 'database' || world.capabilities.has('jwt-revocation')
      if (how === 'a revoked session' && !isFinal) return
      if (how === 'expired before' && world.features.has('clock')) {
        world.advance(age)
        plant(own, session)
      }
      if (when === 'before') await invalidate()
      const offer = await requestOptions(world, browser, fields)
      if (when === 'meanwhile') await invalidate()
      if (how === 'an address taken meanwhile') await own.signIn('mail', ada)
      if (how === 'signed out') await own.signOut()
      if (how === 'expired') {
        if (!world.features.has('clock')) return
        world.advance(age)
        plant(own, { ...session, ...challengeOf(offer) })
      }
      const options = offer.options ?? { challenge: '' }
      const { hostname: id } = new URL(world.origin)
      const answer = answerTo(device, 'register', { rp: { id }, user: { id: 'eA', name: email }, ...options })
      const isSeen = world.features.has('store')
      // A stranger may register a passkey for themselves, as a new user.
      const look = () => {
        const { users, credentials, accounts } = world.rows
        const hers = users.filter((user) => user.email === email).map(({ id: userId }) => userId)
        const isHers = ({ userId }: { readonly userId: string }) => !isStranger || hers.includes(userId)
        return JSON.stringify([credentials.filter(isHers), accounts.filter(isHers)])
      }
      const see = () => (isSeen ? look() : '')
      const before = see()
      await postAnswer(world, browser, 'register', answer)
      // Other properties cover the response for a deleted user.
      if (how === 'a deleted user') return
      world.check('WA-11', see() === before, `a key was stored (${how})`)
      const thief = world.browser('eve')
      await perform(world, thief, device, 'authenticate')
      const who = await thief.whoAmI()
      const isOpen = isStranger ? who === 'ada' : who !== undefined
      world.check('WA-11', !isOpen, `the added key (${how}) signs in as ${who ?? 'nobody'}`)
    },
  }),
]
