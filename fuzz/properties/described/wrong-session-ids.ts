import { eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

/** What a browser sends instead of the id of a session. */
const wrongIds = {
  'the beginning of an id': (value) => value.slice(0, Math.ceil(value.length / 2)),
  'the first characters of an id': (value) => value.slice(0, 4),
  'an id with its end replaced': (value) => `${value.slice(0, -8)}xxxxxxxx`,
  'a pattern of SQL': () => '%25',
  'a pattern of a file': () => '*',
  'a condition of SQL': () => '%27%20OR%20%271%27=%271',
  'a condition of a document database': () => 'j:%7B%22$ne%22:%22%22%7D',
  'the word undefined': () => 'undefined',
  'the word null': () => 'null',
  'the word true': () => 'true',
  'a zero': () => '0',
  'a one': () => '1',
  nothing: () => '',
} as const satisfies Readonly<Record<string, (value: string) => string>>

export const wrongSessionIdProperties: readonly Property[] = [
  property({
    proves: ['SE-26'],
    name: 'signs nobody in with an incomplete session id, a pattern or an empty text',
    story: 'An attacker sends a part of a session id, or a text that matches every one, and is another user.',
    advice: 'Look up exactly the id of the request, as a text, and refuse an empty one.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, bob } = world.people
      const { sessionCookie } = describedBy(world)
      const owner = world.browser('ada')
      await owner.signIn(provider, ada)
      const held = Object.entries(owner.cookies()).filter(([name]) => sessionCookie({ [name]: 'x' }) !== '')
      if (held.length === 0) throw new Absent('a signed-in browser has no session cookie of the description')
      for (const [wrong, change] of Object.entries(wrongIds)) {
        const browser = world.browser('eve')
        for (const person of [ada, bob]) world.prove(browser, person, provider)
        for (const [name, value] of held)
          browser.setCookie(`${name}=${change(value)}; Path=/${name.startsWith('__') ? '; Secure' : ''}`)
        const shown = await browser.whoAmI()
        const says = `a session cookie with ${wrong} signs in ${shown}`
        world.check('SE-26', shown === undefined, says, { observed: 'another user' })
      }
      const isIn = (await owner.whoAmI()) === ada.name
      world.check('SE-26', isIn, 'a wrong session id ends a session', { observed: 'a sign-out' })
    },
  }),
]
