import fc from 'fast-check'
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

/** Verification is welcome, and not required. */
const lenient = passkeySetup({
  authenticationOptions: { userVerification: 'preferred' },
  registrationOptions: { authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' } },
  verifyAuthenticationOptions: { requireUserVerification: false },
  verifyRegistrationOptions: { requireUserVerification: false },
})

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
        verifyAuthenticationOptions: { requireUserVerification: false },
        verifyRegistrationOptions: { requireUserVerification: false },
      }),
      'waiving presence': passkeySetup({
        verifyAuthenticationOptions: { advancedFIDOConfig: { userVerification: 'discouraged' } },
        verifyRegistrationOptions: { requireUserPresence: false },
      }),
      preferred: lenient,
    },
    runs: 40,
    reaches: { 'as asked for': 1, 'unverified to authenticate': 1, 'unverified to register': 1 },
    input: fc.record({ action: ceremony, userPresent: fc.boolean(), userVerified: fc.boolean() }),
    async run(world, { action, userPresent, userVerified }) {
      const { device, fields } = await prepare(world, action)
      const browser = world.browser('ada')
      const options = await demandOptions(world, browser, action, fields)
      const wish = options.userVerification ?? options.authenticatorSelection?.userVerification
      const before = seeRows(world)
      const answer = answerTo(device, action, options, { userPresent, userVerified })
      if (userPresent && (userVerified || wish !== 'required')) {
        world.reach('as asked for')
        world.prove(browser, device.owner, 'passkey')
        await postAnswer(world, browser, action, answer)
        const me = await browser.whoAmI()
        world.demand(me === 'ada', `who does what the options ask (${wish}) is refused to ${action}`)
        if (!userVerified) world.reach(`unverified to ${action}`)
        return
      }
      await postAnswer(world, browser, action, answer)
      const says = `present: ${userPresent}, verified: ${userVerified}, asked for: ${wish ?? 'nothing'}`
      await holdNobody(world, 'WA-04', browser, before, `a passkey answered to ${action} (${says})`)
      if (userPresent) world.reach(`unverified to ${action}`)
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-04'],
    name: 'an authenticator need not verify its user where the configuration does not require it',
    story: 'An application that takes security keys without a PIN is told that it does, and refuses them.',
    advice: 'Ask for what the provider is configured with, and hold the answer against what was asked for.',
    needs: ['passkey'],
    setups: { preferred: lenient },
    runs: 20,
    reaches: { unverified: 1, verified: 1 },
    input: fc.record({ userVerified: fc.boolean(), again: fc.boolean() }),
    async run(world, { userVerified, again }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device, { userVerified })
      await signInWith(world, world.browser('ada'), device, {
        fields: { action: 'authenticate' },
        faults: { userVerified: again },
      })
      world.reach(userVerified && again ? 'verified' : 'unverified')
      const before = seeRows(world)
      const browser = world.browser('ada')
      await perform(world, browser, device, 'authenticate', { faults: { userPresent: false } })
      await holdNobody(world, 'WA-04', browser, before, 'a passkey answered without its user being present')
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
