import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { heldBy, issuedBy } from './support/sessions.ts'

const doors = fc.constantFrom('alpha', 'beta', 'plain', 'mail')

/** Bits that an id can have, by the characters that samples have at each place. */
function bitsOf(samples: readonly string[]): number {
  const places = Array.from(
    { length: Math.min(...samples.map(({ length }) => length)) },
    (_, at) => new Set(samples.map((sample) => sample[at])),
  )
  const varying = places.filter(({ size }) => size > 8)
  const alphabet = new Set(varying.flatMap((place) => [...place])).size
  return places.reduce((bits, { size }) => bits + Math.log2(size > 8 ? alphabet : size), 0)
}

/** The longest piece that two texts share. */
function sharedPiece(a: string, b: string): string {
  let longest = ''
  for (let from = 0; from < a.length; from++)
    while (from + longest.length < a.length && b.includes(a.slice(from, from + longest.length + 1)))
      longest = a.slice(from, from + longest.length + 1)
  return longest
}

/** A text, and what it says if it is encoded. */
function readings(text: string): string {
  const plain = text.split(/[.|:~]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  return [text, decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')), ...plain].join('\n')
}

export const sessionIdsProperties: readonly Property[] = [
  property({
    proves: ['SE-15'],
    name: 'ids of sessions have 128 bits, and never come twice',
    story: 'Somebody guesses the id of a session.',
    advice: 'Draw 16 bytes or more from crypto.getRandomValues; a UUID of version 4 has 122 bits.',
    runs: 3,
    async run(world) {
      const { ada } = world.people
      const { random } = Math
      const ids: string[] = []
      try {
        // Were they drawn from it, they would come again and again.
        Math.random = () => 0.5
        for (let n = 0; n < 64; n++) {
          const browser = world.browser('ada')
          const [issued] = issuedBy(await browser.arrive(await browser.visit('alpha', ada)))
          world.demand(issued !== undefined, 'nobody is signed in')
          ids.push(issued?.value ?? '')
        }
      } finally {
        Math.random = random
      }
      world.hold('SE-15', new Set(ids).size === ids.length, 'two sessions have the same id')
      const bits = bitsOf(ids)
      world.hold(
        'SE-15',
        bits >= 128,
        `the ids of sessions have about ${Math.round(bits)} bits, as ${ids[0] ?? ''}`,
      )
    },
  }),

  property({
    proves: ['SE-16'],
    name: 'the cookie of a stored session holds its id, and nothing about its user',
    story: 'Whoever sees a cookie reads from it who it belongs to, and what else belongs to them.',
    advice: 'Put the session token into the cookie as it is.',
    runs: 30,
    input: fc.record({ door: doors, other: doors }),
    async run(world, { door, other }) {
      const { ada, bob } = world.people
      const come = async (person: typeof ada, by: typeof door) => {
        const browser = world.browser(person.name)
        const reply =
          by === 'mail'
            ? await browser.followLink(await browser.askLink(person.address.mail))
            : await browser.arrive(await browser.visit(by, person))
        world.demand(issuedBy(reply).length > 0, 'a sign-in issued no session')
        return heldBy(browser)
      }
      const first = await come(ada, door)
      const second = await come(ada, door)
      const foreign = await come(bob, other)
      const shared = sharedPiece(first, second)
      world.hold(
        'SE-16',
        shared.length < 12 || foreign.includes(shared),
        `two sessions of one user share ${shared} in their cookies, which that of another user does not`,
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
      const told = known.filter((each) => text.includes(each))
      world.hold('SE-16', told.length === 0, `the session cookie tells ${told.join(', ')}`)
    },
  }),
]
