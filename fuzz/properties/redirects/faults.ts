import fc from 'fast-check'
import { nastyUrl } from '../../arbitraries/nasty-urls.ts'
import { property, type Property } from '../property.ts'
import { redirectingActions, runAction, sources, toWellFormed } from '../support/redirecting-requests.ts'
import { all, checkNotBroken } from '../support/broken-targets.ts'

/** Targets that most parsers reject. */
const malformed = fc.oneof(
  nastyUrl,
  fc.constantFrom(
    '',
    ' ',
    'http://',
    'https://[',
    'http://%',
    '%',
    '%00',
    '\u0000',
    '//',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
  ),
  fc.constantFrom(2000, 2100, 5000, 60_000).map((length) => `/${'a'.repeat(length)}`),
  // A target that a server accepts, but that is too long for a cookie once encoded.
  fc
    .tuple(
      fc.constantFrom('?', '#', ''),
      fc.constantFrom('&', '=', '%'),
      fc.integer({ min: 1200, max: 2000 }),
    )
    .map(([before, text, length]) => `/${before}${text.repeat(length)}`),
  fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('😀', '%F0%9F%98%80', 'ü', '%0d%0aevil: 1'))
    .map(([length, text]) => `/${'a'.repeat(length)}${text.repeat(12)}`),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `/${text}`),
)

/** Values that a form or a script may send instead of a string. */
const notText = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, ['/a', '/b'], { url: '/a' }),
  fc.constantFrom<unknown>(
    ['/a'],
    [['/a']],
    ['https://app.example/a'],
    { toString: '/a' },
    { 0: '/a', length: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** A redirect callback that shortens targets, and returns strings that are not URLs. */
const shortening = {
  config: {
    callbacks: {
      redirect({ url }: { url: string }) {
        try {
          return decodeURIComponent(url).slice(0, 40)
        } catch {
          return url
        }
      },
    },
  },
}

/** A cookie with a long target. */
const oversized = {
  story: 'Browsers drop a cookie that is too long, so the sign-in loses its target.',
  advice: 'Refuse a target whose cookie would have more than 4096 bytes, and use the default one.',
} as const

export const redirectFaultProperties: readonly Property[] = [
  property({
    proves: ['RD-04', 'CK-03'],
    name: 'breaks no page, sign-in or sign-out on an invalid redirect target',
    story: 'One link with a malformed target shows every visitor a server error.',
    advice: 'Treat a target that does not parse as missing.',
    setups: { ...all, 'a redirect callback that shortens': shortening },
    runs: 120,
    input: fc.record({
      action: fc.constantFrom(...redirectingActions),
      source: fc.constantFrom(...sources),
      target: malformed,
      byScript: fc.boolean(),
    }),
    async run(world, input) {
      const browser = world.browser('ada')
      if (input.action === 'signout') await browser.signIn('alpha', world.people.ada)
      const shown = `${JSON.stringify(input.target.slice(0, 40))}${input.target.length > 40 ? '…' : ''}`
      const what = `callbackUrl ${shown}, sent as ${input.source} to ${input.action},`
      const target = toWellFormed(input.target)
      // No server accepts headers of any size.
      if (input.source === 'cookie' && target.length > 3000) return
      for (const reply of await runAction(world, browser, { ...input, target })) {
        checkNotBroken(world, 'RD-04', reply, what)
        const dropped = reply.cookies.find(({ key, value }) => key.length + value.length > 4096)
        world.check(
          'CK-03',
          dropped === undefined,
          `${what} makes ${dropped?.key} too long for a browser`,
          oversized,
        )
        const raw = reply.headers.get('location') ?? ''
        world.check(
          'RD-04',
          /^[\x21-\x7e]*$/.test(raw),
          `${what} returns a Location that is not percent-encoded`,
          { observed: 'a lax check' },
        )
      }
      // A URL or a header of this length may be refused first.
      if (target.length > 3000 && !input.source.startsWith('body')) return world.reach('too long')
      const is = await browser.whoAmI()
      if (input.action === 'signout') world.check('RD-04', is === undefined, `${what} undoes the sign-out`)
      if (input.action === 'alpha') world.check('RD-04', is === 'ada', `${what} undoes the sign-in`)
      world.reach(input.action)
    },
  }),

  property({
    proves: ['RD-04'],
    name: 'ignores a redirect target that is not a string',
    story: 'A script sends an object as the target. The server signs the user in, and returns an error.',
    advice: 'Check the type of every member of a body before you use it.',
    setups: all,
    runs: 60,
    input: fc.record({
      value: notText,
      way: fc.constantFrom('signin', 'form', 'signout', 'mail'),
      array: fc.boolean(),
    }),
    async run(world, { value, way, array }) {
      const { ada } = world.people
      const form = world.idOf('form')
      const mail = world.idOf('mail')
      if ((way === 'form' && !form) || (way === 'mail' && !mail)) return
      const browser = world.browser('ada')
      if (way === 'signout') await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      const path = {
        signin: `signin/${world.idOf('alpha')}`,
        form: `callback/${form}`,
        signout: 'signout',
        mail: `signin/${mail}`,
      }[way]
      const fields = { csrfToken, username: 'ada', password: ada.password, email: ada.address.mail }
      const doubled = new URLSearchParams(fields)
      for (const each of ['/a', '/b']) doubled.append(array ? 'callbackUrl[]' : 'callbackUrl', each)
      const byForm = Array.isArray(value) && value.length === 2
      if (way === 'form') world.prove(browser, ada, 'form')
      const reply = await browser.send(
        `${world.basePath}/${path}`,
        byForm ? { form: doubled } : { json: { ...fields, callbackUrl: value } },
      )
      const what = `callbackUrl ${byForm ? 'twice in a form' : JSON.stringify(value)}, sent to ${world.basePath}/${path},`
      checkNotBroken(world, 'RD-04', reply, what)
      const is = await browser.whoAmI()
      if (way === 'signout') world.check('RD-04', is === undefined, `${what} undoes the sign-out`)
      if (way === 'form') world.check('RD-04', is === 'ada', `${what} undoes the sign-in`)
      // A target that is not a string is replaced by the base URL.
      const isReplaced = typeof value === 'string' || byForm || reply.location?.href === `${world.origin}/`
      if (way === 'form' || way === 'signout')
        world.check('RD-04', isReplaced, `${what} is followed to ${reply.location?.href}`)
      world.reach(way)
    },
  }),
]
