import fc from 'fast-check'
import {
  addDevice,
  answerTo,
  requestOptions,
  requireOptions,
  generateId,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import { property, type Property } from '../property.ts'
import { isRefusal, touchesSession } from '../support/outcome.ts'
import { challengeOf, passkeySetup, passkeysAndSessions, seeRows, withPasskeys } from '../support/passkeys.ts'
import { plant } from '../support/sessions.ts'

/** Credentials that the authenticator need not discover, so that options may list them. */
const listed = passkeySetup({
  registrationOptions: { authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' } },
})

const forgeries = [
  'a second device',
  'an unknown id',
  'another user’s id',
  'a signature over another challenge',
  'an invalid signature',
  'a deleted user',
] as const

export const webauthnOwnerProperties: readonly Property[] = [
  property({
    proves: ['WA-07'],
    name: 'signs in only a passkey’s owner',
    story: 'An attacker names a victim’s credential, or signs with another key, and signs in as the victim.',
    advice: 'Look the credential up by its id, verify with its stored key, and sign its owner in.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 50,
    reaches: { 'a second device': 1, 'another user’s id': 1, 'a deleted user': 1 },
    parts: forgeries.map((how) => ({ how })),
    input: fc.record({
      how: fc.constantFrom(...forgeries),
      counts: fc.boolean(),
      names: fc.boolean(),
    }),
    async run(world, { how, counts, names }) {
      const { ada, eve } = world.people
      const [adas, eves] = [openDevice(world, ada, { counts }), openDevice(world, eve, { counts })]
      const registered = world.browser('ada')
      await enrol(world, registered, adas)
      await enrol(world, world.browser('eve'), eves)
      const named = names ? { email: ada.address.passkey } : {}
      world.reach(how)
      if (how === 'a second device') {
        const second = openDevice(world, ada, { counts })
        await addDevice(world, registered, second)
        for (const device of [second, adas])
          await signInWith(world, world.browser('ada'), device, {
            fields: { action: 'authenticate', ...named },
          })
        return signInWith(world, world.browser('eve'), eves).then(() => undefined)
      }
      if (how === 'a deleted user') {
        if (!world.features.has('store')) return
        const hers = ada.address.passkey
        world.rows.users = world.rows.users.filter(({ email, name }) => email !== hers && name !== hers)
        world.rows.sessions = []
      }
      const id = adas.authenticator.held[0]?.id ?? ''
      const faults = {
        'an unknown id': { id: generateId() },
        'another user’s id': { id },
        'a signature over another challenge': { challenge: generateId() },
        'an invalid signature': { signature: crypto.getRandomValues(new Uint8Array(70)) },
        'a deleted user': {},
      }[how]
      const browser = world.browser('eve')
      const fields = { action: 'authenticate', ...named }
      const device = how === 'a deleted user' ? adas : eves
      const options = await requireOptions(world, browser, 'authenticate', fields)
      const answer = answerTo(device, 'authenticate', options, faults)
      if (how === 'a signature over another challenge') {
        const honest = answerTo(device, 'authenticate', options)
        answer.response.clientDataJSON = honest.response.clientDataJSON
      }
      await postAnswer(world, browser, 'authenticate', answer)
      const me = await browser.whoAmI()
      world.check('WA-07', me === undefined, `a passkey with ${how} opened a session of ${me ?? 'nobody'}`)
      await signInWith(world, world.browser('eve'), eves)
    },
  }),
  property({
    proves: ['WA-07'],
    name: 'accepts only the credentials that it offered',
    story: 'An application requests one of a user’s devices, and accepts any other device.',
    advice: 'Seal the offered ids beside the challenge, and check the responding one against them.',
    needs: ['passkey'],
    setups: { listed, passkeys: withPasskeys },
    runs: 30,
    reaches: { offered: 1 },
    input: fc.record({ isOwn: fc.boolean(), isSignedIn: fc.boolean() }),
    async run(world, { isOwn, isSignedIn }) {
      const { ada, bob } = world.people
      const [first, second] = [openDevice(world, ada), openDevice(world, isOwn ? ada : bob)]
      const registered = world.browser('ada')
      await enrol(world, registered, first)
      const browser = isSignedIn ? registered : world.browser('ada')
      const offer = await requestOptions(world, browser, {
        action: 'authenticate',
        email: ada.address.passkey,
      })
      const { options } = offer
      world.assume(options !== undefined, 'the application returned no options to authenticate')
      if (!options || !options.allowCredentials?.length) return
      const isOffered = options.allowCredentials.some(({ id }) => id === first.authenticator.held[0]?.id)
      world.assume(isOffered, 'the options do not list the credential of ada')
      world.reach('offered')
      if (isOwn) {
        const later = world.browser('ada')
        await signInWith(world, later, first)
        await addDevice(world, later, second)
      } else await enrol(world, world.browser('bob'), second)
      if (isSignedIn) await browser.signOut()
      plant(browser, challengeOf(offer))
      if (!isOwn) world.prove(browser, bob, 'passkey')
      await postAnswer(world, browser, 'authenticate', answerTo(second, 'authenticate', options))
      const me = await browser.whoAmI()
      const says = `a credential of ${second.owner.name} that was not offered opened a session`
      world.check('WA-07', me === undefined, says)
      await signInWith(world, world.browser('ada'), first)
    },
  }),
  property({
    proves: ['WA-07'],
    name: 'rejects a user handle that does not belong to the credential’s user',
    story: 'An authenticator responds for one user, and another one is signed in.',
    advice: 'Compare the response’s user handle with the one the user was registered under.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 20,
    reaches: { another: 1, right: 1 },
    input: fc.record({ isRight: fc.boolean() }),
    async run(world, { isRight }) {
      const { ada, bob } = world.people
      const [adas, bobs] = [openDevice(world, ada), openDevice(world, bob)]
      for (const device of [adas, bobs]) {
        const own = world.browser(device.owner.name)
        await own.signIn('mail', device.owner)
        await addDevice(world, own, device)
      }
      world.reach(isRight ? 'right' : 'another')
      if (isRight) return signInWith(world, world.browser('ada'), adas).then(() => undefined)
      const userHandle = bobs.authenticator.held[0]?.userHandle ?? ''
      const isSet = userHandle !== '' && userHandle !== adas.authenticator.held[0]?.userHandle
      world.assume(isSet, 'users have no distinct handles')
      const browser = world.browser('ada')
      await perform(world, browser, adas, 'authenticate', { faults: { userHandle } })
      const me = await browser.whoAmI()
      world.check('WA-07', me === undefined, `a response for bob opened a session of ${me ?? 'nobody'}`)
    },
  }),
  property({
    proves: ['AL-05'],
    name: 'leaves the current session unchanged when the passkey belongs to another user',
    story: 'A passkey on a shared machine silently switches users, or moves to another user.',
    advice: 'Refuse, and leave users, accounts, session and cookie unchanged.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 20,
    input: fc.record({ counts: fc.boolean() }),
    async run(world, { counts }) {
      const { ada, bob } = world.people
      const device = openDevice(world, ada, { counts })
      await enrol(world, world.browser('ada'), device)
      const browser = world.browser('bob')
      await browser.signIn('mail', bob)
      const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
      // The counter of the authenticator increases anyway.
      const look = () => seeRows(world).replaceAll(/"counter":\d+/g, '')
      const before = look()
      world.prove(browser, ada, 'passkey')
      const reply = await postAnswer(
        world,
        browser,
        'authenticate',
        answerTo(device, 'authenticate', options),
      )
      world.check('AL-05', isRefusal(reply), 'the sign-in was not refused')
      world.check('AL-05', before === look(), 'rows were changed')
      world.check('AL-05', !touchesSession(reply), 'the session cookie was changed')
      const me = await browser.whoAmI()
      world.check('AL-05', me === 'bob', `the browser of bob is now signed in as ${me ?? 'nobody'}`)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
]
