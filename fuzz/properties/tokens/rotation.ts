import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { secret as first } from '../../targets/configure.ts'
import type { TokenFunctions } from '../../targets/target.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { makeProvider } from '../support/configured.ts'
import { sealClaims } from '../support/seal.ts'
import { isSignedIn, moveTo, readWith, refuses, sessionOf } from '../support/sessions.ts'

const salt = '__Secure-authjs.session-token'
const names = ['zero', 'one', 'two', 'three', 'four', 'five'].map(
  (name) => `secret ${name}, which is long enough for all`,
)
const listed = fc.shuffledSubarray(names.slice(0, 5), { minLength: 1 })

const functionsOf = ({ tokens }: World): TokenFunctions => {
  if (!tokens) throw new Error('The token functions are missing')
  return tokens
}
const row = { needs: ['tokens'], setups: { jwt: { strategy: 'jwt', providers: ['alpha'] } } } as const
const next: string = 'the next secret of the oracle, long enough too'
/** Possible lists of secrets after a rotation. */
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
    name: 'opens tokens under every listed secret, in any order, and under no other',
    story: 'A rotation signs everyone out, or a leaked secret keeps working.',
    advice: 'Seal with the first secret, and try each of them to open a token.',
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
        world.assume(alone?.sub === 'ada', 'the target does not read Auth.js tokens')
      }
      const claims = await decode({ token, secret: secrets, salt }).catch(() => null)
      const isListed = secrets.includes(sealing)
      const kid = hasKid ? '' : ' without a kid'
      if (isListed)
        world.check(
          'RO-02',
          claims?.sub === 'ada',
          `a token${kid} under secret ${secrets.indexOf(sealing) + 1} of ${secrets.length} is rejected`,
        )
      else
        world.check('RO-01', claims === null, `a token${kid} under a secret that is not listed is accepted`)
      const own = await encode({ token: { sub: 'bob' }, secret: secrets, salt })
      const opened = await decode({ token: own, secret: secrets[0], salt }).catch(() => null)
      world.check('RO-01', opened?.sub === 'bob', 'a new token is not sealed with the first secret')
    },
  }),
  ...(['database', 'jwt'] as const).map((strategy) =>
    property({
      proves: ['RO-03'],
      name: `accepts values issued before a rotation while their secret is listed (${strategy})`,
      story: 'A rotation breaks every pending sign-in and every mailed link.',
      advice: 'Verify CSRF cookies, check cookies and links against each listed secret.',
      needs: ['setup', 'store'],
      setups: { [strategy]: { strategy, config: { adapter: true } } },
      runs: 60,
      input: fc.record({
        what: fc.constantFrom('csrf', 'checks', 'state', 'link'),
        // Several secrets are a rotation in progress: new values use the first one.
        secretsBefore: fc.constantFrom<readonly string[]>([first], [first, next], [next, first]),
        secrets: rotations,
        // A page that is opened after the rotation must not invalidate the forms of earlier ones.
        page: fc.constantFrom('none', 'csrf', 'signin', 'signout'),
      }),
      async run(world, { what, secretsBefore, secrets, page }) {
        const { ada } = world.people
        const config = { adapter: true, secret: secretsBefore }
        const earlier = await world.another({ strategy, config }, 'same')
        const browser = earlier.browser('ada')
        const isListed = secrets.includes(secretsBefore[0] ?? '')
        const method = what === 'state' ? 'plain' : 'alpha'
        const csrfToken = await browser.csrfToken()
        const arrival = what === 'checks' || what === 'state' ? await browser.visit(method, ada) : undefined
        const mail = what === 'link' ? await browser.requestLink(ada.address.mail) : undefined
        const later = await world.another({ strategy, config: { adapter: true, secret: secrets } }, 'same')
        const moved = moveTo(later, browser, ada)
        if (arrival ?? mail) {
          const reply = arrival ? await moved.arrive(arrival) : mail ? await moved.openLink(mail) : undefined
          const isIn = reply !== undefined && !refuses(reply) && isSignedIn(await moved.readSession())
          world.check(
            'RO-03',
            isIn === isListed,
            `after a rotation to ${secrets.length} secrets, ${isListed ? 'including the old one, ' : ''}${what} ${isIn ? 'is accepted' : 'is refused'}`,
          )
        } else {
          if (page !== 'none') await moved.send(`${later.basePath}/${page}`)
          const reply = await moved.send(`${later.basePath}/signin/alpha`, { form: { csrfToken } })
          const isAway = reply.location !== undefined && reply.location.origin !== later.origin
          world.check(
            'RO-03',
            isAway === isListed,
            `after a rotation the CSRF token ${isAway ? 'is accepted' : 'is refused'}`,
          )
        }
        await later.browser('ada').signIn('alpha', ada)
      },
    }),
  ),
  property({
    proves: ['RO-01', 'RO-03', 'TOK-003'],
    name: 'accepts a session from before a rotation only while its secret is listed, with any decoder',
    story: 'A rotation signs everyone out, or a leaked secret keeps working.',
    advice:
      'Open session tokens with each listed secret, and with no other, and pass all to a custom decoder.',
    needs: ['setup', 'tokens'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 30,
    reaches: { 'a custom decoder': 2 },
    input: fc.record({ secrets: rotations, isCustom: fc.boolean() }),
    async run(world, { secrets, isCustom }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const { decode } = functionsOf(world)
      let decoded = 0
      const counting = (params: never) => {
        decoded++
        return decode(params)
      }
      const jwt = isCustom ? { decode: counting } : {}
      const later = await world.another({ strategy: 'jwt', config: { secret: secrets, jwt } }, 'same')
      const moved = moveTo(later, browser, ada)
      const isIn = isSignedIn(await readWith(later, sessionOf(moved.cookies())))
      const says = `after a rotation the session ${isIn ? 'is accepted' : 'is rejected'}`
      const isListed = secrets.includes(first)
      world.check(isListed ? 'RO-03' : 'RO-01', isIn === isListed, says)
      if (isCustom) {
        world.check('TOK-003', decoded > 0, 'the custom decoder is not called')
        world.reach('a custom decoder')
      }
      const fresh = later.browser('ada')
      await fresh.signIn('alpha', ada)
      const alone = await world.another({ strategy: 'jwt', config: { secret: secrets[0] } }, 'same')
      const isByFirst = isSignedIn(await readWith(alone, sessionOf(fresh.cookies())))
      world.check('RO-01', isByFirst, 'a new session is not sealed with the first secret')
    },
  }),
  property({
    proves: ['RO-01'],
    name: 'applies changes to the list of secrets while the application runs',
    story: 'A secret leaks, the application removes it from its list, and sessions under it still work.',
    advice: 'Derive keys again when the list changes, and compare its members, not the array.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    reaches: { removed: 2, 'still listed': 2 },
    input: fc.record({
      before: fc.constantFrom<readonly string[]>([first], [first, next], [first, names[0] ?? '']),
      after: fc.oneof(rotations, fc.constantFrom<readonly string[]>([next], [names[0] ?? '', next])),
    }),
    async run(base, { before, after }) {
      const list = [...before]
      const world = await base.another({ strategy: 'jwt', config: { secret: list } }, 'same')
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      list.splice(0, list.length, ...after)
      const isListed = after.includes(before[0] ?? '')
      world.reach(isListed ? 'still listed' : 'removed')
      const isIn = isSignedIn(await readWith(world, sessionOf(browser.cookies())))
      const says = `while its secret is ${isListed ? 'still listed' : 'removed'}, a session`
      world.check('RO-01', isIn === isListed, `${says} ${isIn ? 'is accepted' : 'is rejected'}`)
      const fresh = world.browser('ada')
      await fresh.signIn('alpha', ada)
      const alone = await world.another({ strategy: 'jwt', config: { secret: after[0] } }, 'same')
      const isByFirst = isSignedIn(await readWith(alone, sessionOf(fresh.cookies())))
      world.check('RO-01', isByFirst, 'a new session is not sealed with the first secret of the new list')
    },
  }),
  property({
    proves: ['RO-04'],
    name: 'opens no value sealed for another purpose',
    story: 'An attacker renames the cookie of an abandoned sign-in, and it works as a session.',
    advice: 'Derive a key for each purpose.',
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    ...eachOf(['alpha', 'plain']),
    async run(world, method) {
      const { ada } = world.people
      const other = world.browser('ada')
      await other.signIn(method, ada)
      const [name = ''] = Object.keys(sessionOf(other.cookies()))
      const browser = world.browser('ada')
      const arrival = await browser.visit(method, ada)
      const sealed = [
        ...Object.values(browser.cookies()),
        arrival.parameters.get('state') ?? 'x',
        arrival.parameters.get('code') ?? 'x',
      ]
      for (const value of sealed) {
        const reply = await readWith(world, { [name]: value })
        world.check('RO-04', reply.text === 'null', 'a cookie of another purpose is accepted as a session')
      }
    },
  }),
  ...Object.entries({
    empty: '',
    blank: '   ',
    'an empty secret in a list': [''],
    'an empty list': [],
    'a blank second secret': [first, ' '],
  }).map(([name, secret]) =>
    property({
      proves: ['RO-05'],
      name: `refuses an invalid secret (${name}) at startup`,
      story: 'A deployment that lost its secret starts as if it had one, and nobody notices.',
      advice: 'Refuse empty and blank secrets anywhere in the list.',
      severity: 'hardening',
      needs: ['setup'],
      setups: { database: { config: { secret } }, jwt: { strategy: 'jwt', config: { secret } } },
      runs: 3,
      async run(world) {
        for (const path of ['session', 'csrf', 'providers']) {
          const reply = await world.send(new Request(world.url(path)))
          world.check('RO-05', reply.status >= 500, `with an invalid secret ${path} returns ${reply.status}`)
        }
      },
    }),
  ),
  property({
    proves: ['ATN-012'],
    name: 'takes a missing secret from AUTH_SECRET',
    story: 'A deployment sets its secret as documented, and nobody can sign in.',
    advice: 'Read AUTH_SECRET if the option is not set.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt', config: { secret: undefined }, env: { AUTH_SECRET: next } } },
    runs: 4,
    ...eachOf(['alpha', 'plain']),
    async run(world, method) {
      const { status } = await world.send(new Request(world.url('csrf')))
      world.check('ATN-012', status === 200, `with AUTH_SECRET, the application returns ${status}`)
      const browser = world.browser('ada')
      await browser.signIn(method, world.people.ada)
      const same = await world.another({ strategy: 'jwt', config: { secret: next } }, 'same')
      const other = await world.another({ strategy: 'jwt', config: { secret: first } }, 'same')
      const session = sessionOf(browser.cookies())
      const isSealed = isSignedIn(await readWith(same, session))
      world.check('ATN-012', isSealed, 'a session is not sealed with the secret of the environment')
      const isOpen = isSignedIn(await readWith(other, session))
      world.check('ATN-012', !isOpen, 'a session is accepted under another secret')
    },
  }),
  property({
    proves: ['RO-05'],
    name: 'warns once about a short secret',
    story: 'An attacker guesses a secret of eight letters, and signs in as anyone.',
    advice: 'Warn about a secret shorter than 32 bytes when you read the configuration.',
    severity: 'hardening',
    needs: ['setup', 'hooks'],
    setups: { database: {} },
    runs: 20,
    input: fc.record({
      length: fc.integer({ min: 1, max: 40 }),
      letter: fc.constantFrom('x', 'ü', '密'),
      requests: fc.integer({ min: 1, max: 5 }),
      isListed: fc.boolean(),
    }),
    async run(base, { length, letter, requests, isListed }) {
      const secret = letter.repeat(length)
      const bytes = new TextEncoder().encode(secret).length
      const openOwn = (config: object) =>
        base.another({ config: { ...config, providers: [makeProvider()] } }, 'own')
      const world = await openOwn({})
      const other = await openOwn({ secret: isListed ? [secret, first] : secret })
      for (let n = 0; n < requests; n++)
        for (const each of [world, other]) await each.send(new Request(each.url('session')))
      const more = other.recorded.warnings.length - world.recorded.warnings.length
      const wanted = bytes < 32 ? 1 : 0
      world.check(
        'RO-05',
        more === wanted,
        `a secret of ${bytes} bytes causes ${more} warnings in ${requests} requests`,
      )
    },
  }),
]
