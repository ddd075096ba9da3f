import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import {
  answerTo,
  requireOptions,
  enrol,
  foreignFrames,
  openDevice,
  perform,
  postAnswer,
  signInWith,
  wrongPlaces,
} from '../../world/passkeys.ts'
import { openAuthenticator, type Faults } from '../../world/webauthn/authenticator.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { checkNobody, passkeySetup, seeRows, withPasskeys } from '../support/passkeys.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)
type Action = 'authenticate' | 'register'

/** The application's public origin; a proxy sends it requests under another one. */
const declared = 'https://www.public.example'

/** Ada already has a passkey for signing in, and is new for registration. */
async function prepare(world: World, action: Action) {
  const device = openDevice(world, world.people.ada)
  if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
  const email = action === 'register' ? { email: world.people.ada.address.passkey } : {}
  return { device, fields: { action, ...email } }
}

/** Checks that a response with these faults signs nobody in and stores nothing, while a valid one works. */
async function checkFaultsRefused(world: World, action: Action, faults: Faults, says: string) {
  const { device, fields } = await prepare(world, action)
  const before = seeRows(world)
  const browser = world.browser('ada')
  await perform(world, browser, device, action, { fields, faults })
  await checkNobody(world, 'WA-03', browser, before, `a passkey response to ${action} from ${says}`)
  if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
  else await enrol(world, world.browser('ada'), openDevice(world, device.owner))
}

/** User verification is preferred, not required. */
const lenient = passkeySetup({
  authenticationOptions: { userVerification: 'preferred' },
  registrationOptions: { authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' } },
  verifyAuthenticationOptions: { requireUserVerification: false },
  verifyRegistrationOptions: { requireUserVerification: false },
})

export const webauthnProperties: readonly Property[] = [
  property({
    proves: ['WA-01'],
    name: 'accepts a challenge at most once',
    story: 'An attacker signs in repeatedly with a response that malware or a log recorded.',
    advice: 'Consume the challenge with the first response, whatever its result.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 60,
    reaches: { 'the same response': 1, 'another response': 1, 'restored and counting': 1 },
    input: fc.record({
      action: ceremony,
      counts: fc.boolean(),
      again: fc.constantFrom('the same response', 'another response', 'restored'),
    }),
    async run(world, { action, counts, again }) {
      const { ada } = world.people
      const device = openDevice(world, ada, { counts })
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      world.prove(browser, ada, 'passkey')
      const email = action === 'register' ? { email: ada.address.passkey } : {}
      const options = await requireOptions(world, browser, action, { action, ...email })
      const answer = answerTo(device, action, options)
      const saved = browser.save()
      await postAnswer(world, browser, action, answer)
      world.assume((await browser.whoAmI()) === 'ada', 'a passkey does not sign in')
      if (again === 'restored') {
        // An application without a record of challenges can detect a replay only by the counter.
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
        again === 'another response' ? answerTo(device, action, options) : answer,
      )
      const id = again === 'restored' && !world.capabilities.has('server-side-checks') ? 'WA-05' : 'WA-01'
      await checkNobody(world, id, browser, before, `a challenge was used twice (${action}, ${again})`)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-03'],
    name: 'rejects a response for another origin or site',
    story: 'A phishing site relays an authenticator’s response, and signs in as the victim.',
    advice: 'Compare the origin as a string, and the hash of the RP id byte by byte.',
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
        await checkNobody(world, 'WA-03', browser, before, `a passkey response to ${action} with ${place}`)
      }
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), openDevice(world, device.owner))
    },
  }),
  property({
    proves: ['WA-03'],
    name: 'accepts only responses for the declared origin, whatever host the request names',
    story:
      'Behind a proxy, the application accepts responses for the name of an internal server, and refuses those of its users.',
    advice: 'Take the origin and the RP id from the configured URL, not from the request.',
    needs: ['passkey'],
    setups: { declared: { ...withPasskeys, env: { AUTH_URL: `${declared}/auth` } } },
    runs: 20,
    reaches: { register: 1, authenticate: 1 },
    input: fc.record({ action: ceremony, hasDeclaredId: fc.boolean() }),
    async run(world, { action, hasDeclaredId }) {
      const owner = world.people.ada
      const openDeclared = () => ({ owner, authenticator: openAuthenticator(declared, { counts: true }) })
      const device = openDeclared()
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const email = action === 'register' ? { email: owner.address.passkey } : {}
      const { origin, hostname } = new URL(world.origin)
      const faults = { origin, ...(!hasDeclaredId && { rpId: hostname }) }
      const browser = world.browser('ada')
      const before = seeRows(world)
      await perform(world, browser, device, action, { fields: { action, ...email }, faults })
      await checkNobody(world, 'WA-03', browser, before, `a passkey response to ${action} for ${origin}`)
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), openDeclared())
      world.reach(action)
    },
  }),
  property({
    proves: ['WA-03'],
    name: 'rejects a response from a frame in a page of another site',
    story:
      'A page of another site frames the application, and its visitor confirms a request that they cannot see.',
    advice: 'Reject crossOrigin and topOrigin, unless the configuration names the top-level page.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 30,
    input: fc.record({ action: ceremony, frame: fc.constantFrom(...Object.keys(foreignFrames)) }),
    run: (world, { action, frame }) => checkFaultsRefused(world, action, foreignFrames[frame] ?? {}, frame),
  }),
  property({
    proves: ['WA-04'],
    name: 'requires user presence, and user verification where configured',
    story:
      'Anyone who finds or borrows an authenticator, or malware on its device, signs in without its owner.',
    advice: 'Always check the UP flag, and check UV whenever the options say required.',
    needs: ['passkey'],
    setups: {
      passkeys: withPasskeys,
      'configured otherwise': passkeySetup({
        verifyAuthenticationOptions: { requireUserVerification: false },
        verifyRegistrationOptions: { requireUserVerification: false },
      }),
      'without presence': passkeySetup({
        verifyAuthenticationOptions: { advancedFIDOConfig: { userVerification: 'discouraged' } },
        verifyRegistrationOptions: { requireUserPresence: false },
      }),
      preferred: lenient,
    },
    runs: 40,
    reaches: { 'as requested': 1, 'unverified to authenticate': 1, 'unverified to register': 1 },
    ...everyOf({
      action: ['authenticate', 'register'],
      userPresent: [true, false],
      userVerified: [true, false],
    }),
    async run(world, { action, userPresent, userVerified }) {
      const { device, fields } = await prepare(world, action)
      const browser = world.browser('ada')
      const options = await requireOptions(world, browser, action, fields)
      const wish = options.userVerification ?? options.authenticatorSelection?.userVerification
      const before = seeRows(world)
      const answer = answerTo(device, action, options, { userPresent, userVerified })
      if (userPresent && (userVerified || wish !== 'required')) {
        world.reach('as requested')
        world.prove(browser, device.owner, 'passkey')
        await postAnswer(world, browser, action, answer)
        const me = await browser.whoAmI()
        world.assume(me === 'ada', `a user who follows the options (${wish}) is refused to ${action}`)
        if (!userVerified) world.reach(`unverified to ${action}`)
        return
      }
      await postAnswer(world, browser, action, answer)
      const says = `present: ${userPresent}, verified: ${userVerified}, requested: ${wish ?? 'nothing'}`
      await checkNobody(world, 'WA-04', browser, before, `a passkey response to ${action} (${says})`)
      if (userPresent) world.reach(`unverified to ${action}`)
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-04'],
    name: 'accepts an authenticator without user verification where the configuration does not require it',
    story:
      'An application accepts security keys without a PIN in its configuration, and refuses them in practice.',
    advice: 'Request what the provider is configured with, and check the response against it.',
    severity: 'denial of service',
    needs: ['passkey'],
    setups: { preferred: lenient },
    runs: 20,
    reaches: { unverified: 1, verified: 1 },
    input: fc.record({ userVerified: fc.boolean(), again: fc.boolean() }),
    async run(world, { userVerified, again }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device, { userVerified })
      const own = world.browser('ada')
      world.prove(own, ada, 'passkey')
      const fields = { action: 'authenticate' }
      await perform(world, own, device, 'authenticate', { fields, faults: { userVerified: again } })
      const who = again ? 'verified' : 'did not verify'
      world.check('WA-04', (await own.whoAmI()) === 'ada', `a passkey that ${who} its user is refused`)
      world.reach(userVerified && again ? 'verified' : 'unverified')
      const before = seeRows(world)
      const browser = world.browser('ada')
      await perform(world, browser, device, 'authenticate', { faults: { userPresent: false } })
      await checkNobody(world, 'WA-04', browser, before, 'a passkey responded without its user being present')
    },
  }),
  property({
    proves: ['WA-01'],
    name: 'generates a new, unguessable challenge each time',
    story:
      'A challenge is repeated or predictable, and an attacker uses a response that was recorded earlier.',
    advice: 'Generate at least 16 random bytes for each challenge (WebAuthn L3 13.4.3).',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 10,
    async run(world) {
      const { ada } = world.people
      const seen = new Set<string>()
      for (const action of ['authenticate', 'register'] as const)
        for (let time = 0; time < 3; time++) {
          const fields = { action, email: ada.address.passkey }
          const { challenge } = await requireOptions(world, world.browser('ada'), action, fields)
          const { length } = Buffer.from(challenge, 'base64url')
          world.check('WA-01', length >= 16, `a challenge has ${length} bytes`)
          world.check('WA-01', !seen.has(challenge), 'two challenges are the same')
          seen.add(challenge)
        }
    },
  }),
]
