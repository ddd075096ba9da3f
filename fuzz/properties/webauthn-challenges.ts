import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import {
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
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { challengeOf, holdNobody, passkeySetup, rewrite, seeRows, withPasskeys } from './support/passkeys.ts'
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
]
