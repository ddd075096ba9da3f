import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import {
  addDevice,
  answerTo,
  askOptions,
  demandOptions,
  drawId,
  enrol,
  openDevice,
  postAnswer,
  signInWith,
  type Asked,
} from '../world/passkeys.ts'
import type { Options } from '../world/webauthn/authenticator.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import {
  challengeOf,
  holdNobody,
  passkeySetup,
  passkeysAndSessions,
  seeRows,
  withPasskeys,
} from './support/passkeys.ts'
import { plant } from './support/sessions.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)
type Action = 'authenticate' | 'register'
const other = { authenticate: 'register', register: 'authenticate' } as const

/** Asks for this ceremony, with the address of somebody new where that needs one. */
async function ask(world: World, browser: Browser, action: Action, provider?: string): Promise<Asked> {
  const fields = { action, ...(action === 'register' && { email: 'new@passkey.example' }) }
  const asked = await askOptions(world, browser, fields, provider)
  world.demand(asked.action === action, `the application does not ask to ${action}`)
  return asked
}

/** Options of the other ceremony with this challenge, as an attacker's page would write them. */
function rewrite(world: World, { options }: Asked): Options {
  const { hostname: id } = new URL(world.origin)
  const user = { id: drawId(), name: 'new@passkey.example' }
  return { challenge: options?.challenge ?? '', rp: { id }, rpId: id, user }
}

/** The same text, with another character near its end. */
function damage(text: string): string {
  const at = text.length - 4
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** Seconds after which a ceremony that may take some minutes is over by any measure. */
const late = 60 * 60

export const webauthnChallengeProperties: readonly Property[] = [
  property({
    proves: ['WA-02'],
    name: 'a challenge is good for the ceremony and the browser that it was made for',
    story: 'What an authenticator signed for one thing, or for an attacker’s browser, counts for another.',
    advice: 'Seal the ceremony beside the challenge, and take it from the cookie of this browser alone.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 80,
    reaches: { 'made up': 1, 'of the other ceremony': 1, 'of another browser': 1 },
    input: fc.record({
      action: ceremony,
      how: fc.constantFrom(
        'made up',
        'of the other ceremony',
        'of another browser',
        'of a browser that asked before',
        'none at all',
        'broken',
      ),
    }),
    async run(world, { action, how }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device)
      const before = seeRows(world)
      const browser = world.browser('ada')
      world.reach(how)
      const asked = await ask(world, browser, how === 'of the other ceremony' ? other[action] : action)
      const options = rewrite(world, asked)
      const answer = answerTo(device, action, options, how === 'made up' ? { challenge: drawId() } : {})
      let sender = browser
      if (how === 'of another browser') {
        sender = world.browser('eve')
        await ask(world, sender, action)
      }
      if (how === 'of a browser that asked before') await ask(world, browser, action)
      for (const [name, value] of Object.entries(challengeOf(asked))) {
        if (how === 'none at all') sender.dropCookie(name)
        if (how === 'broken') plant(sender, { [name]: damage(value) })
      }
      await postAnswer(world, sender, action, answer)
      await holdNobody(world, 'WA-02', sender, before, `a challenge was ${how}, to ${action}`)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-02'],
    name: 'a challenge is over after a while, though its cookie is kept',
    story: 'An old challenge with its cookie, from a backup or a stolen profile, can be answered for ever.',
    advice: 'Seal when it ends into the challenge; the age of a cookie is the browser’s to keep.',
    needs: ['passkey', 'clock'],
    setups: { passkeys: withPasskeys },
    runs: 40,
    reaches: { late: 5, 'in time': 1 },
    input: fc.record({
      action: ceremony,
      isLate: fc.boolean(),
      seconds: fc.integer({ min: 0, max: 3 * late }),
    }),
    async run(world, { action, isLate, seconds }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      const fields = { action, ...(action === 'register' && { email: ada.address.passkey }) }
      const asked = await askOptions(world, browser, fields)
      const { options } = asked
      world.demand(
        asked.action === action && options !== undefined,
        `the application does not ask to ${action}`,
      )
      if (!options) return
      world.reach(isLate ? 'late' : 'in time')
      // Within the time that the options themselves give a ceremony it has to work.
      world.pass(isLate ? late + seconds : Math.min(seconds, (options.timeout ?? 60_000) / 1000 - 1))
      plant(browser, challengeOf(asked))
      const before = seeRows(world)
      if (!isLate) world.prove(browser, ada, 'passkey')
      await postAnswer(world, browser, action, answerTo(device, action, options))
      if (isLate) return holdNobody(world, 'WA-02', browser, before, 'a challenge was answered an hour later')
      world.demand((await browser.whoAmI()) === 'ada', 'an answer in time is refused')
    },
  }),
  property({
    proves: ['WA-02'],
    name: 'a challenge is good for the provider that it was made for',
    story: 'What one passkey provider asks lightly counts for another that asks for more.',
    advice: 'Seal the id of the provider beside the challenge.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 20,
    input: fc.record({ action: ceremony }),
    async run(world, { action }) {
      const { ada } = world.people
      const keys = await world.another(passkeySetup({ id: 'keys' }), 'same')
      const device = openDevice(world, ada)
      const first = keys.browser('ada')
      keys.prove(first, ada, 'passkey')
      const fields = { action: 'register', email: ada.address.passkey }
      const options = await demandOptions(keys, first, 'register', fields, 'keys')
      await postAnswer(keys, first, 'register', answerTo(device, 'register', options), 'keys')
      world.demand((await first.whoAmI()) === 'ada', 'the other provider registers nobody')

      const browser = world.browser('ada')
      const asked = await ask(world, browser, action)
      const moved = keys.browser('ada')
      moved.restore(browser.save())
      const before = seeRows(world)
      const answer = answerTo(device, action, rewrite(world, asked))
      await postAnswer(keys, moved, action, answer, 'keys')
      await holdNobody(
        keys,
        'WA-02',
        moved,
        before,
        `a challenge of another provider was answered, to ${action}`,
      )

      const honest = keys.browser('ada')
      keys.prove(honest, ada, 'passkey')
      const right = await demandOptions(keys, honest, 'authenticate', { action: 'authenticate' }, 'keys')
      await postAnswer(keys, honest, 'authenticate', answerTo(device, 'authenticate', right), 'keys')
      world.demand((await honest.whoAmI()) === 'ada', 'the other provider signs nobody in')
    },
  }),
  property({
    proves: ['WA-02', 'WA-11'],
    name: 'a challenge is good for the user who asked for it',
    story:
      'An attacker asks in a browser, and what the next user’s authenticator answers goes to the attacker.',
    advice: 'Seal who was signed in beside the challenge, and compare when the answer comes.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 40,
    reaches: { 'another user': 1, 'nobody any more': 1, 'somebody by now': 1, 'the same user': 1 },
    input: fc
      .record({
        how: fc.constantFrom('another user', 'nobody any more', 'somebody by now', 'the same user'),
        action: ceremony,
      })
      // Whoever asks to sign in without a session asks for no user in particular.
      .filter(({ how, action }) => how !== 'somebody by now' || action === 'register'),
    async run(world, { how, action }) {
      const { ada, bob } = world.people
      const device = openDevice(world, bob)
      const browser = world.browser('ada')
      for (const person of [ada, bob]) world.prove(browser, person, 'mail')
      const comeIn = async (as: typeof ada) => browser.followLink(await browser.askLink(as.address.mail))
      if (action === 'authenticate') {
        // Bob has a device: if Ada asked, it is not to answer for him.
        const own = world.browser('bob')
        await own.signIn('mail', bob)
        await addDevice(world, own, device)
      }
      const isNew = how === 'somebody by now'
      if (!isNew) await comeIn(ada)
      const asked = await askOptions(world, browser, {
        action,
        ...(isNew && { email: 'new@passkey.example' }),
      })
      world.demand(asked.options !== undefined, 'the application asks nothing')
      const options = rewrite(world, asked)
      const challenge = challengeOf(asked)
      world.reach(how)
      if (how === 'the same user') {
        if (action === 'register') {
          await postAnswer(world, browser, action, answerTo(openDevice(world, ada), action, options))
          world.demand(world.rows.credentials.length === 1, 'who asked cannot register')
        }
        return
      }
      if (!isNew) await browser.signOut()
      if (how === 'another user') await comeIn(bob)
      if (isNew) await comeIn(ada)
      plant(browser, challenge)
      const was = await browser.whoAmI()
      const before = JSON.stringify([world.rows.accounts, world.rows.credentials.map(({ userId }) => userId)])
      await postAnswer(world, browser, action, answerTo(device, action, options))
      const me = await browser.whoAmI()
      const says = `a challenge of one user was answered by ${how} (${action})`
      if (isNew) {
        // The newcomer may come in still, but Ada gets no credential that she did not ask for.
        const adas = world.rows.users.find(({ email }) => email === ada.address.mail)?.id
        const got = world.rows.credentials.filter(({ userId }) => userId === adas).length
        return world.hold('WA-02', got === 0, `${says}: it was added to ada`)
      }
      world.hold('WA-02', me === was, `${says}: ${was ?? 'nobody'} is ${me ?? 'nobody'} now`)
      const after = JSON.stringify([world.rows.accounts, world.rows.credentials.map(({ userId }) => userId)])
      world.hold('WA-02', before === after, `${says}: a credential was stored`)
    },
  }),
]
