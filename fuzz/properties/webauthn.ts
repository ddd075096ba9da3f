import fc from 'fast-check'
import { losing, rejecting, throwing } from '../world/fault-plan.ts'
import {
  answerTo,
  demandOptions,
  enrol,
  foreignFrames,
  openDevice,
  perform,
  postAnswer,
  signInWith,
  wrongPlaces,
} from '../world/passkeys.ts'
import type { Faults } from '../world/webauthn/authenticator.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { holdNobody, passkeySetup, seeRows, withPasskeys } from './support/passkeys.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)
type Action = 'authenticate' | 'register'

/** Ada has a passkey already where she signs in, and is new where she registers. */
async function prepare(world: World, action: Action) {
  const device = openDevice(world, world.people.ada)
  if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
  const email = action === 'register' ? { email: world.people.ada.address.passkey } : {}
  return { device, fields: { action, ...email } }
}

/** An answer with these faults signs nobody in and stores nothing, while an honest one works. */
async function holdFaultsRefused(world: World, action: Action, faults: Faults, says: string) {
  const { device, fields } = await prepare(world, action)
  const before = seeRows(world)
  const browser = world.browser('ada')
  await perform(world, browser, device, action, { fields, faults })
  await holdNobody(world, 'WA-03', browser, before, `a passkey answered to ${action} from ${says}`)
  if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
  else await enrol(world, world.browser('ada'), openDevice(world, device.owner))
}

const counter = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 3 }), weight: 6 },
  { arbitrary: fc.constantFrom(255, 256, 65_536, 2 ** 31, 2 ** 32 - 1), weight: 1 },
)

export const webauthnProperties: readonly Property[] = [
  property({
    proves: ['WA-01'],
    name: 'a challenge is accepted at most once',
    story:
      'An answer that was recorded once, in a log or by malware, signs its thief in as often as they like.',
    advice: 'Take the challenge back with the first answer, whatever becomes of it.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 60,
    reaches: { 'the same answer': 1, 'another answer': 1, 'restored and counting': 1 },
    input: fc.record({
      action: ceremony,
      counts: fc.boolean(),
      again: fc.constantFrom('the same answer', 'another answer', 'restored'),
    }),
    async run(world, { action, counts, again }) {
      const { ada } = world.people
      const device = openDevice(world, ada, { counts })
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      world.prove(browser, ada, 'passkey')
      const email = action === 'register' ? { email: ada.address.passkey } : {}
      const options = await demandOptions(world, browser, action, { action, ...email })
      const answer = answerTo(device, action, options)
      const saved = browser.save()
      await postAnswer(world, browser, action, answer)
      world.demand((await browser.whoAmI()) === 'ada', 'a passkey does not sign in')
      if (again === 'restored') {
        // Without a memory of its own, nothing but the counter tells an application that this was there before.
        const isSeen = world.capabilities.has('server-side-checks') || (counts && action === 'authenticate')
        if (!isSeen) return
        if (counts) world.reach('restored and counting')
        browser.restore(saved)
      } else {
        await browser.signOut()
        world.reach(again)
      }
      const before = seeRows(world)
      await postAnswer(
        world,
        browser,
        action,
        again === 'another answer' ? answerTo(device, action, options) : answer,
      )
      const id = again === 'restored' && !world.capabilities.has('server-side-checks') ? 'WA-05' : 'WA-01'
      await holdNobody(world, id, browser, before, `a challenge was answered twice (${action}, ${again})`)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-03'],
    name: 'an answer for another origin or another site proves nothing',
    story: 'A phishing site passes on what the authenticator answered to it, and is the victim.',
    advice: 'Compare the origin as text, and the hash of the site’s id byte by byte.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 20,
    input: fc.record({
      action: ceremony,
      places: fc.shuffledSubarray(Object.keys(wrongPlaces), { minLength: 8 }),
    }),
    async run(world, { action, places }) {
      const { device, fields } = await prepare(world, action)
      const before = seeRows(world)
      for (const place of places) {
        const browser = world.browser('ada')
        const faults = wrongPlaces[place]?.(new URL(world.origin)) ?? {}
        await perform(world, browser, device, action, { fields, faults })
        await holdNobody(world, 'WA-03', browser, before, `a passkey answered to ${action} with ${place}`)
      }
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), openDevice(world, device.owner))
    },
  }),
  property({
    proves: ['WA-03'],
    name: 'an answer from within a foreign page proves nothing',
    story:
      'A foreign page frames the application and has its visitor confirm with a passkey what they do not see.',
    advice: 'Refuse crossOrigin and topOrigin, unless the configuration names the page around.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 30,
    input: fc.record({ action: ceremony, frame: fc.constantFrom(...Object.keys(foreignFrames)) }),
    run: (world, { action, frame }) => holdFaultsRefused(world, action, foreignFrames[frame] ?? {}, frame),
  }),
  property({
    proves: ['WA-04'],
    name: 'an authenticator answers for its user only while they are there, and verified where that is required',
    story: 'Whoever finds or borrows an authenticator, or malware beside it, signs in without its owner.',
    advice: 'Check the flag UP always, and UV whenever the options say required.',
    needs: ['passkey'],
    setups: {
      passkeys: withPasskeys,
      'told otherwise': passkeySetup({
        verifyAuthenticationOptions: { requireUserVerification: false, advancedFIDOConfig: {} },
        verifyRegistrationOptions: { requireUserVerification: false, requireUserPresence: false },
      }),
      'waiving presence': passkeySetup({
        verifyAuthenticationOptions: { advancedFIDOConfig: { userVerification: 'discouraged' } },
      }),
      preferred: passkeySetup({
        authenticationOptions: { userVerification: 'preferred' },
        registrationOptions: {
          authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        },
      }),
    },
    runs: 40,
    reaches: { verified: 1 },
    input: fc.record({ action: ceremony, userPresent: fc.boolean(), userVerified: fc.boolean() }),
    async run(world, { action, userPresent, userVerified }) {
      const { device, fields } = await prepare(world, action)
      const browser = world.browser('ada')
      const options = await demandOptions(world, browser, action, fields)
      const wish = options.userVerification ?? options.authenticatorSelection?.userVerification
      if (userPresent && (userVerified || wish !== 'required')) return world.reach('verified')
      const before = seeRows(world)
      const answer = answerTo(device, action, options, { userPresent, userVerified })
      await postAnswer(world, browser, action, answer)
      const says = `present: ${userPresent}, verified: ${userVerified}, asked for: ${wish ?? 'nothing'}`
      await holdNobody(world, 'WA-04', browser, before, `a passkey answered to ${action} (${says})`)
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-05'],
    name: 'a counter that does not go up lets nobody in',
    story: 'A copy of an authenticator goes on signing in beside the original, and nobody notices.',
    advice: 'Refuse a counter that is not above the stored one unless both are 0, and store the new one.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 60,
    reaches: { 'gone back': 5, 'stood still': 1, 'never counted': 1, advanced: 5 },
    input: fc.record({
      first: fc.oneof(fc.constant(0), counter),
      next: fc.array(counter, { minLength: 1, maxLength: 4 }),
    }),
    async run(world, { first, next }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device, { counter: first })
      let known = first
      for (const received of next) {
        const isHonest = received > known || (received === 0 && known === 0)
        const browser = world.browser('ada')
        world.prove(browser, ada, 'passkey')
        await perform(world, browser, device, 'authenticate', { faults: { counter: received } })
        const me = await browser.whoAmI()
        if (isHonest) world.demand(me === 'ada', `a counter of ${received} after ${known} is refused`)
        else world.hold('WA-05', me === undefined, `a counter of ${received} after ${known} opened a session`)
        world.reach(
          received > known
            ? 'advanced'
            : received < known
              ? 'gone back'
              : known > 0
                ? 'stood still'
                : 'never counted',
        )
        if (isHonest) known = received
        if (!world.features.has('store')) continue
        const stored = world.rows.credentials[0]?.counter
        world.hold('WA-05', stored === known, `the store has a counter of ${stored}, where it is ${known}`)
      }
    },
  }),
  property({
    proves: ['WA-05'],
    name: 'nobody comes in whose counter could not be stored',
    story:
      'While the database fails, a copy of an authenticator may answer with the same counter again and again.',
    advice: 'Store the counter before the session, and stop when that fails.',
    needs: ['passkey', 'faults'],
    setups: { passkeys: withPasskeys },
    runs: 20,
    input: fc.record({ fault: fc.constantFrom(throwing, rejecting, losing), counts: fc.boolean() }),
    async run(world, { fault, counts }) {
      const { ada } = world.people
      const device = openDevice(world, ada, { counts })
      await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      const options = await demandOptions(world, browser, 'authenticate', { action: 'authenticate' })
      const answer = answerTo(device, 'authenticate', options)
      world.plan.arm('store.updateAuthenticatorCounter', 0, fault)
      await postAnswer(world, browser, 'authenticate', answer)
      const isMet = world.plan.calls.length > 0
      world.plan.arm('none')
      // What does not count need not be stored.
      if (!isMet && !counts) return
      const me = await browser.whoAmI()
      world.hold('WA-05', me === undefined, `the store ${fault.name}, and a session was opened`)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-01'],
    name: 'every challenge is a new one, and long enough not to be guessed',
    story:
      'A challenge that comes again, or can be foreseen, is answered with what was recorded for another.',
    advice: 'Draw at least 16 random bytes for each (WebAuthn L3 13.4.3).',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 10,
    async run(world) {
      const { ada } = world.people
      const seen = new Set<string>()
      for (const action of ['authenticate', 'register'] as const)
        for (let time = 0; time < 3; time++) {
          const fields = { action, email: ada.address.passkey }
          const { challenge } = await demandOptions(world, world.browser('ada'), action, fields)
          const { length } = Buffer.from(challenge, 'base64url')
          world.hold('WA-01', length >= 16, `a challenge has ${length} bytes`)
          world.hold('WA-01', !seen.has(challenge), 'two challenges are the same')
          seen.add(challenge)
        }
    },
  }),
]
