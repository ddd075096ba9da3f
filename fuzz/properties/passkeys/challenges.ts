import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import {
  answerTo,
  requestOptions,
  requireOptions,
  generateId,
  enrol,
  openDevice,
  postAnswer,
  signInWith,
  type Offer,
} from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  challengeOf,
  checkNobody,
  passkeySetup,
  rewrite,
  seeRows,
  withPasskeys,
} from '../support/passkeys.ts'
import { plant } from '../support/sessions.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)
type Action = 'authenticate' | 'register'
const other = { authenticate: 'register', register: 'authenticate' } as const

/** Explains what is wrong with a challenge. */
function explain(how: string, action: Action): string {
  const faults: Readonly<Record<string, string>> = {
    invented: 'that the application never issued',
    'of the other ceremony': `that was issued to ${other[action]}`,
    'of another browser': 'that was issued to another browser',
    'of an earlier request': 'that a later request replaced',
    missing: 'whose cookie is missing',
    broken: 'whose cookie is damaged',
  }
  return faults[how] ?? how
}

/** Requests options of this ceremony, with the address of a new user if it needs one. */
async function requestFor(world: World, browser: Browser, action: Action, provider?: string): Promise<Offer> {
  const fields = { action, ...(action === 'register' && { email: 'new@passkey.example' }) }
  const offer = await requestOptions(world, browser, fields, provider)
  world.assume(offer.action === action, `the application returned no options to ${action}`)
  return offer
}

/** The same text, with another character near its end. */
function damage(text: string): string {
  const at = text.length - 4
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** Seconds after which any ceremony has expired. */
const late = 60 * 60

export const webauthnChallengeProperties: readonly Property[] = [
  property({
    proves: ['WA-02'],
    name: 'accepts a challenge only for its own ceremony and browser',
    story:
      'An authenticator’s signature for one purpose, or for an attacker’s browser, is accepted for another.',
    advice: 'Seal the ceremony beside the challenge, and read it only from this browser’s cookie.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 80,
    reaches: { invented: 1, 'of the other ceremony': 1, 'of another browser': 1 },
    input: fc.record({
      action: ceremony,
      how: fc.constantFrom(
        'invented',
        'of the other ceremony',
        'of another browser',
        'of an earlier request',
        'missing',
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
      const offer = await requestFor(world, browser, how === 'of the other ceremony' ? other[action] : action)
      const options = rewrite(world, offer)
      const answer = answerTo(device, action, options, how === 'invented' ? { challenge: generateId() } : {})
      let sender = browser
      if (how === 'of another browser') {
        sender = world.browser('eve')
        await requestFor(world, sender, action)
      }
      if (how === 'of an earlier request') await requestFor(world, browser, action)
      for (const [name, value] of Object.entries(challengeOf(offer))) {
        if (how === 'missing') sender.dropCookie(name)
        if (how === 'broken') plant(sender, { [name]: damage(value) })
      }
      await postAnswer(world, sender, action, answer)
      await checkNobody(
        world,
        'WA-02',
        sender,
        before,
        `a response to ${action} has a challenge ${explain(how, action)}`,
      )
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['WA-02'],
    name: 'expires a challenge, even if the browser keeps its cookie',
    story: 'An old challenge with its cookie, from a backup or a stolen profile, works forever.',
    advice: 'Seal the expiry into the challenge. Do not rely on the cookie’s Max-Age.',
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
      const offer = await requestOptions(world, browser, fields)
      const { options } = offer
      world.assume(
        offer.action === action && options !== undefined,
        `the application returned no options to ${action}`,
      )
      if (!options) return
      world.reach(isLate ? 'late' : 'in time')
      // A ceremony must work within the timeout in its options.
      world.advance(isLate ? late + seconds : Math.min(seconds, (options.timeout ?? 60_000) / 1000 - 1))
      plant(browser, challengeOf(offer))
      const before = seeRows(world)
      if (!isLate) world.prove(browser, ada, 'passkey')
      await postAnswer(world, browser, action, answerTo(device, action, options))
      if (isLate) return checkNobody(world, 'WA-02', browser, before, 'a challenge was used an hour later')
      world.assume((await browser.whoAmI()) === 'ada', 'a response in time is refused')
    },
  }),
  property({
    proves: ['WA-02'],
    name: 'accepts a challenge only for its own provider',
    story: 'A response to a lenient passkey provider is accepted by a stricter one.',
    advice: 'Seal the provider’s id beside the challenge.',
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
      const options = await requireOptions(keys, first, 'register', fields, 'keys')
      await postAnswer(keys, first, 'register', answerTo(device, 'register', options), 'keys')
      world.assume((await first.whoAmI()) === 'ada', 'the other provider registers nobody')

      const browser = world.browser('ada')
      const offer = await requestFor(world, browser, action)
      const moved = keys.browser('ada')
      moved.restore(browser.save())
      const before = seeRows(world)
      const answer = answerTo(device, action, rewrite(world, offer))
      await postAnswer(keys, moved, action, answer, 'keys')
      await checkNobody(
        keys,
        'WA-02',
        moved,
        before,
        `a challenge of another provider was used, to ${action}`,
      )

      const honest = keys.browser('ada')
      keys.prove(honest, ada, 'passkey')
      const right = await requireOptions(keys, honest, 'authenticate', { action: 'authenticate' }, 'keys')
      await postAnswer(keys, honest, 'authenticate', answerTo(device, 'authenticate', right), 'keys')
      world.assume((await honest.whoAmI()) === 'ada', 'the other provider signs nobody in')
    },
  }),
]
