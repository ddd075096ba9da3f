import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { bitsOf } from '../support/entropy.ts'
import { sessionTokenOf, issuedBy } from '../support/sessions.ts'

const signInMethods = fc.constantFrom('alpha', 'beta', 'plain', 'mail')

/** Returns the longest common substring of two strings. */
function sharedText(a: string, b: string): string {
  let longest = ''
  for (let from = 0; from < a.length; from++)
    while (from + longest.length < a.length && b.includes(a.slice(from, from + longest.length + 1)))
      longest = a.slice(from, from + longest.length + 1)
  return longest
}

/** Returns a text with its decoded forms. */
function readings(text: string): string {
  const plain = text.split(/[.|:~]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  return [text, decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')), ...plain].join('\n')
}

export const sessionIdsProperties: readonly Property[] = [
  property({
    proves: ['SE-15'],
    name: 'generates unique session ids with 128 random bits',
    story: 'An attacker guesses a session id, and takes over the session.',
    advice: 'Generate at least 16 bytes with crypto.getRandomValues. A version 4 UUID has 122 bits.',
    runs: 3,
    async run(world) {
      const { ada } = world.people
      const { random } = Math
      const ids: string[] = []
      try {
        // Values derived from the clock or the user would repeat.
        Math.random = () => 0.5
        for (let n = 0; n < 64; n++) {
          const browser = world.browser('ada')
          const [issued] = issuedBy(await browser.arrive(await browser.visit('alpha', ada)))
          world.assume(issued !== undefined, 'nobody is signed in')
          ids.push(issued?.value ?? '')
        }
      } finally {
        Math.random = random
      }
      world.check('SE-15', new Set(ids).size === ids.length, 'two sessions have the same id')
      const bits = bitsOf(ids)
      world.check(
        'SE-15',
        bits >= 128,
        `session ids have about ${Math.round(bits)} random bits, for example ${ids[0] ?? ''}`,
        // OWASP ASVS used to require 64 bits: nobody guesses those online.
        bits >= 64 ? { observed: 'a broken rule' } : undefined,
      )
    },
  }),

  property({
    proves: ['SE-16'],
    name: 'stores only the session id in the cookie of a database session',
    story: 'Anyone who sees a cookie can read who it belongs to, and more of that user’s data.',
    advice: 'Put the session token into the cookie unchanged.',
    runs: 30,
    input: fc.record({ method: signInMethods, other: signInMethods }),
    async run(world, { method, other }) {
      const { ada, bob } = world.people
      const signIn = async (person: typeof ada, by: typeof method) => {
        const browser = world.browser(person.name)
        const reply =
          by === 'mail'
            ? await browser.followLink(await browser.requestLink(person.address.mail))
            : await browser.arrive(await browser.visit(by, person))
        world.assume(issuedBy(reply).length > 0, 'a sign-in issued no session')
        return sessionTokenOf(browser)
      }
      const first = await signIn(ada, method)
      // A session may record how and when its user signed in, which is the same for another user in the meantime.
      const foreign = [await signIn(bob, method), await signIn(bob, other)]
      let shared = sharedText(first, await signIn(ada, method))
      const isPersonal = () => shared.length >= 12 && !foreign.some((each) => each.includes(shared))
      // Random characters beside such a record are equal in some sessions by chance, but not in all.
      for (let n = 0; isPersonal() && n < 6; n++) shared = sharedText(shared, await signIn(ada, method))
      world.check(
        'SE-16',
        !isPersonal(),
        `the sessions of one user share ${shared} in their cookies, unlike another user’s session`,
      )
      const rows = world.features.has('store') ? world.rows : undefined
      const known = [
        ...Object.values(ada.address),
        ...(rows?.users.map(({ id }) => id) ?? []),
        ...(rows?.accounts.flatMap((account) => [
          account.providerAccountId,
          typeof account.access_token === 'string' ? account.access_token : '-',
        ]) ?? []),
      ].filter((text) => text.length > 5)
      const text = readings(first)
      const revealed = known.filter((each) => text.includes(each))
      world.check('SE-16', revealed.length === 0, `the session cookie reveals ${revealed.join(', ')}`)
    },
  }),
]
