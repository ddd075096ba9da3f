import fc from 'fast-check'
import {
  addDevice,
  answerTo,
  askOptions,
  demandOptions,
  drawId,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../world/passkeys.ts'
import { property, type Property } from './property.ts'
import { isRefusal, touchesSession } from './support/outcome.ts'
import { challengeOf, passkeySetup, passkeysAndSessions, seeRows, withPasskeys } from './support/passkeys.ts'
import { plant } from './support/sessions.ts'

/** Credentials that need not be found by the authenticator itself, so that options may list them. */
const listed = passkeySetup({
  registrationOptions: { authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' } },
})

export const webauthnOwnerProperties: readonly Property[] = [
  property({
    proves: ['WA-07'],
    name: 'a passkey signs its owner in, and nobody else',
    story: 'An attacker names a victim’s credential, or signs with another key, and is the victim.',
    advice: 'Look the credential up by its id, verify with its stored key, and sign its owner in.',
    needs: ['passkey'],
    setups: passkeysAndSessions,
    runs: 50,
    reaches: { 'a second device': 1, 'the id of another': 1, 'of nobody any more': 1 },
    input: fc.record({
      how: fc.constantFrom(
        'a second device',
        'an unknown id',
        'the id of another',
        'a signature of something else',
        'a signature that is none',
        'of nobody any more',
      ),
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
      if (how === 'of nobody any more') {
        if (!world.features.has('store')) return
        const hers = ada.address.passkey
        world.rows.users = world.rows.users.filter(({ email, name }) => email !== hers && name !== hers)
        world.rows.sessions = []
      }
      const id = adas.authenticator.held[0]?.id ?? ''
      const faults = {
        'an unknown id': { id: drawId() },
        'the id of another': { id },
        'a signature of something else': { challenge: drawId() },
        'a signature that is none': { signature: crypto.getRandomValues(new Uint8Array(70)) },
        'of nobody any more': {},
      }[how]
      const browser = world.browser('eve')
      const fields = { action: 'authenticate', ...named }
      const device = how === 'of nobody any more' ? adas : eves
      const options = await demandOptions(world, browser, 'authenticate', fields)
      const answer = answerTo(device, 'authenticate', options, faults)
      if (how === 'a signature of something else') {
        const honest = answerTo(device, 'authenticate', options)
        answer.response.clientDataJSON = honest.response.clientDataJSON
      }
      await postAnswer(world, browser, 'authenticate', answer)
      const me = await browser.whoAmI()
      world.hold('WA-07', me === undefined, `a passkey with ${how} opened a session of ${me ?? 'nobody'}`)
      await signInWith(world, world.browser('eve'), eves)
    },
  }),
  property({
    proves: ['WA-07'],
    name: 'where credentials were offered, no other one answers',
    story: 'An application asks for one of a user’s devices, and any other device will do.',
    advice: 'Seal the ids that were offered beside the challenge, and look for the one that answers.',
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
      const asked = await askOptions(world, browser, {
        action: 'authenticate',
        email: ada.address.passkey,
      })
      const { options } = asked
      world.demand(options !== undefined, 'the application does not ask to authenticate')
      if (!options || !options.allowCredentials?.length) return
      const isOffered = options.allowCredentials.some(({ id }) => id === first.authenticator.held[0]?.id)
      world.demand(isOffered, 'another credential is offered than the one of ada')
      world.reach('offered')
      if (isOwn) {
        const later = world.browser('ada')
        await signInWith(world, later, first)
        await addDevice(world, later, second)
      } else await enrol(world, world.browser('bob'), second)
      if (isSignedIn) await browser.signOut()
      plant(browser, challengeOf(asked))
      if (!isOwn) world.prove(browser, bob, 'passkey')
      await postAnswer(world, browser, 'authenticate', answerTo(second, 'authenticate', options))
      const me = await browser.whoAmI()
      const says = `a credential of ${second.owner.name} that was not offered opened a session`
      world.hold('WA-07', me === undefined, says)
      await signInWith(world, world.browser('ada'), first)
    },
  }),
  property({
    proves: ['WA-07'],
    name: 'an answer does not speak of another user than its credential',
    story: 'An authenticator says that it answers for one user, and another one is signed in.',
    advice: 'Hold the user handle of the answer against the one that the user was registered under.',
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
      world.demand(isSet, 'the application gives its users no handles')
      const browser = world.browser('ada')
      await perform(world, browser, adas, 'authenticate', { faults: { userHandle } })
      const me = await browser.whoAmI()
      world.hold('WA-07', me === undefined, `an answer for bob opened a session of ${me ?? 'nobody'}`)
    },
  }),
  property({
    proves: ['AL-05', 'WA-07'],
    name: 'a passkey of another user changes nothing for who is signed in',
    story: 'A passkey on a shared machine silently switches users, or is taken away from its owner.',
    advice: 'Refuse, and leave users, accounts, session and cookie as they were.',
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
      const options = await demandOptions(world, browser, 'authenticate', { action: 'authenticate' })
      // The counter of the authenticator goes up all the same.
      const look = () => seeRows(world).replaceAll(/"counter":\d+/g, '')
      const before = look()
      world.prove(browser, ada, 'passkey')
      const reply = await postAnswer(
        world,
        browser,
        'authenticate',
        answerTo(device, 'authenticate', options),
      )
      world.hold('AL-05', isRefusal(reply), 'it was not refused')
      world.hold('AL-05', before === look(), 'rows were changed')
      world.hold('AL-05', !touchesSession(reply), 'the session cookie was changed')
      const me = await browser.whoAmI()
      world.hold('AL-05', me === 'bob', `the browser of bob is now the one of ${me ?? 'nobody'}`)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
]
