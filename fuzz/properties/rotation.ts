import fc from 'fast-check'
import { secret as first } from '../targets/configure.ts'
import type { TokenFunctions } from '../targets/target.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { sealClaims } from './support/seal.ts'
import { isSignedIn, moveTo, readWith, refuses, sessionOf } from './support/sessions.ts'

const salt = '__Secure-authjs.session-token'
const names = ['zero', 'one', 'two', 'three', 'four', 'five'].map(
  (name) => `secret ${name}, which is long enough for all`,
)
const listed = fc.shuffledSubarray(names.slice(0, 5), { minLength: 1 })

const functionsOf = ({ tokens }: World): TokenFunctions => {
  if (!tokens) throw new Error('a property over tokens runs without them')
  return tokens
}
const row = { needs: ['tokens'], setups: { jwt: { strategy: 'jwt', providers: ['alpha'] } } } as const
const next: string = 'the next secret of the oracle, long enough too'
/** What may be listed after a rotation. */
const rotations = fc.constantFrom<readonly string[]>(
  [next, first],
  [first, next],
  [next, names[0] ?? '', first],
  [next],
)

export const rotationProperties: readonly Property[] = [
  property({
    ...row,
    proves: ['RO-01', 'RO-02'],
    name: 'a token under any listed secret opens, in whatever order they are, and under no other',
    story: 'A rotation signs everybody out; or a secret that leaked goes on being good.',
    advice: 'Seal with the first secret, and try each of them when opening.',
    runs: 100,
    input: fc.record({ secrets: listed, by: fc.nat({ max: 5 }), hasKid: fc.boolean() }),
    async run(world, { secrets, by, hasKid }) {
      const { encode, decode } = functionsOf(world)
      const sealing = names[by] ?? ''
      const now = Math.floor(world.clock.now() / 1000)
      const token = hasKid
        ? await encode({ token: { sub: 'ada' }, secret: sealing, salt })
        : await sealClaims(JSON.stringify({ sub: 'ada', iat: now, exp: now + 100, jti: 'x' }), sealing, salt)
      if (!hasKid) {
        const alone = await decode({ token, secret: sealing, salt }).catch(() => null)
        world.demand(alone?.sub === 'ada', 'tokens of the ecosystem are none to it')
      }
      const claims = await decode({ token, secret: secrets, salt }).catch(() => null)
      const isListed = secrets.includes(sealing)
      const kid = hasKid ? '' : ' that names no key'
      if (isListed)
        world.hold(
          'RO-02',
          claims?.sub === 'ada',
          `a token${kid} under secret ${secrets.indexOf(sealing) + 1} of ${secrets.length} does not open`,
        )
      else world.hold('RO-01', claims === null, `a token${kid} under a secret that is not listed opens`)
      const own = await encode({ token: { sub: 'bob' }, secret: secrets, salt })
      const opened = await decode({ token: own, secret: secrets[0], salt }).catch(() => null)
      world.hold('RO-01', opened?.sub === 'bob', 'a new token is not under the first secret')
    },
  }),
  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: ['RO-03'],
      name: `what was issued before a rotation stays good while its secret is listed (${strategy})`,
      story: 'A rotation breaks every sign-in that is under way, and every link that was mailed.',
      advice: 'Check CSRF cookies, check cookies and links against each listed secret.',
      needs: ['setup', 'store'],
      setups: { [strategy]: { strategy, config: { adapter: true } } },
      runs: 60,
      input: fc.record({
        what: fc.constantFrom('csrf', 'checks', 'state', 'link'),
        // More than one is a rotation that is under way: what is new is under the first of them.
        secretsBefore: fc.constantFrom<readonly string[]>([first], [first, next], [next, first]),
        secrets: rotations,
      }),
      async run(world, { what, secretsBefore, secrets }) {
        const { ada } = world.people
        const config = { adapter: true, secret: secretsBefore }
        const earlier = await world.another({ strategy, config }, 'same')
        const browser = earlier.browser('ada')
        const isListed = secrets.includes(secretsBefore[0] ?? '')
        const door = what === 'state' ? 'plain' : 'alpha'
        const csrfToken = await browser.csrfToken()
        const arrival = what === 'checks' || what === 'state' ? await browser.visit(door, ada) : undefined
        const mail = what === 'link' ? await browser.askLink(ada.address.mail) : undefined
        const later = await world.another({ strategy, config: { adapter: true, secret: secrets } }, 'same')
        const moved = moveTo(later, browser, ada)
        if (arrival ?? mail) {
          const reply = arrival ? await moved.arrive(arrival) : mail ? await moved.openLink(mail) : undefined
          const isIn = reply !== undefined && !refuses(reply) && isSignedIn(await moved.readSession())
          world.hold(
            'RO-03',
            isIn === isListed,
            `after a rotation to ${secrets.length} secrets, ${isListed ? 'the old one among them, ' : ''}${what} ${isIn ? 'is good' : 'is refused'}`,
          )
        } else {
          const reply = await moved.send(`${later.basePath}/signin/alpha`, { form: { csrfToken } })
          const isAway = reply.location !== undefined && reply.location.origin !== later.origin
          world.hold(
            'RO-03',
            isAway === isListed,
            `after a rotation the CSRF token ${isAway ? 'is good' : 'is refused'}`,
          )
        }
        await later.browser('ada').signIn('alpha', ada)
      },
    }),
  ),
  property({
    proves: ['RO-01'],
    name: 'a session from before a rotation stays good while its secret is listed, and no longer',
    story: 'A rotation signs everybody out; or a secret that leaked goes on being good.',
    advice: 'Open session tokens with each listed secret, and with no other.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    input: rotations,
    async run(world, secrets) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const later = await world.another({ strategy: 'jwt', config: { secret: secrets } }, 'same')
      const moved = moveTo(later, browser, ada)
      const isIn = isSignedIn(await readWith(later, sessionOf(moved.cookies())))
      const says = `after a rotation the session ${isIn ? 'is good' : 'is none'}`
      world.hold('RO-01', isIn === secrets.includes(first), says)
      const fresh = later.browser('ada')
      await fresh.signIn('alpha', ada)
      const alone = await world.another({ strategy: 'jwt', config: { secret: secrets[0] } }, 'same')
      const isByFirst = isSignedIn(await readWith(alone, sessionOf(fresh.cookies())))
      world.hold('RO-01', isByFirst, 'a new session is not under the first secret')
    },
  }),
  property({
    proves: ['RO-04'],
    name: 'what is sealed for one purpose opens for no other',
    story: 'A cookie of a sign-in that was broken off is renamed, and is a session.',
    advice: 'Derive a key for each purpose.',
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    input: fc.constantFrom('alpha', 'plain'),
    async run(world, door) {
      const { ada } = world.people
      const other = world.browser('ada')
      await other.signIn(door, ada)
      const [name = ''] = Object.keys(sessionOf(other.cookies()))
      const browser = world.browser('ada')
      const arrival = await browser.visit(door, ada)
      const sealed = [
        ...Object.values(browser.cookies()),
        arrival.parameters.get('state') ?? 'x',
        arrival.parameters.get('code') ?? 'x',
      ]
      for (const value of sealed) {
        const reply = await readWith(world, { [name]: value })
        world.hold('RO-04', reply.text === 'null', 'a cookie of another purpose opens as a session')
      }
    },
  }),
  ...Object.entries({
    empty: '',
    blank: '   ',
    'an empty one in a list': [''],
    'an empty list': [],
    'a blank second one': [first, ' '],
  }).map(([name, secret]) =>
    property({
      proves: ['RO-05'],
      name: `a secret that is none (${name}) is refused from the start`,
      story: 'A deployment whose secret got lost seals its sessions with nothing.',
      advice: 'Refuse empty and blank secrets, wherever they stand in the list.',
      needs: ['setup'],
      setups: { database: { config: { secret } }, jwt: { strategy: 'jwt', config: { secret } } },
      runs: 3,
      async run(world) {
        for (const path of ['session', 'csrf', 'providers']) {
          const reply = await world.send(new Request(world.url(path)))
          world.hold(
            'RO-05',
            reply.status >= 500,
            `with a secret that is none ${path} is answered with ${reply.status}`,
          )
        }
      },
    }),
  ),
  property({
    proves: ['RO-05'],
    name: 'a short secret is warned of, once',
    story: 'Somebody guesses a secret of eight letters, and signs in as anybody.',
    advice: 'Warn of a secret under 32 bytes when the configuration is read.',
    needs: ['setup', 'hooks'],
    setups: { database: {} },
    runs: 20,
    input: fc.record({
      length: fc.integer({ min: 1, max: 40 }),
      requests: fc.integer({ min: 1, max: 5 }),
      isListed: fc.boolean(),
    }),
    async run(world, { length, requests, isListed }) {
      const secret = 'x'.repeat(length)
      const other = await world.another({ config: { secret: isListed ? [secret, first] : secret } }, 'own')
      for (let n = 0; n < requests; n++)
        for (const each of [world, other]) await each.send(new Request(each.url('session')))
      const more = other.told.warnings.length - world.told.warnings.length
      const wanted = length < 32 ? 1 : 0
      world.hold(
        'RO-05',
        more === wanted,
        `a secret of ${length} bytes is warned of ${more} times in ${requests} requests`,
      )
    },
  }),
]
