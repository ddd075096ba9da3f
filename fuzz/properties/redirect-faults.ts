import fc from 'fast-check'
import { nastyUrl } from '../arbitraries/nasty-urls.ts'
import { property, type Property } from './property.ts'
import { errands, runErrand, sources, toWellFormed } from './support/errands.ts'
import { all, holdUp } from './support/broken-targets.ts'

/** Targets that hardly any parser takes. */
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
  // What a server takes, and a browser does not keep in a cookie, where each of its characters takes three.
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

/** What a form or a script may send instead of a text. */
const noText = fc.oneof(
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

/** A redirect callback that wants targets short and legible, and makes texts of them that are no URLs. */
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

export const redirectFaultProperties: readonly Property[] = [
  property({
    proves: ['RD-04', 'CK-03'],
    name: 'a target that is none breaks no page, and undoes no sign-in or sign-out',
    story: 'One link with a strange target shows everybody who follows it an error page of a broken server.',
    advice: 'Take a target that does not parse for none.',
    setups: { ...all, 'a redirect callback that shortens': shortening },
    runs: 120,
    input: fc.record({
      errand: fc.constantFrom(...errands),
      source: fc.constantFrom(...sources),
      target: malformed,
      byScript: fc.boolean(),
    }),
    async run(world, asked) {
      const browser = world.browser('ada')
      if (asked.errand === 'signout') await browser.signIn('alpha', world.people.ada)
      const what = `${JSON.stringify(asked.target.slice(0, 60))} by ${asked.source} at ${asked.errand}`
      const target = toWellFormed(asked.target)
      // No server takes headers of any size.
      if (asked.source === 'cookie' && target.length > 3000) return
      for (const reply of await runErrand(world, browser, { ...asked, target })) {
        holdUp(world, 'RD-04', reply, what)
        const dropped = reply.cookies.find(({ key, value }) => key.length + value.length > 4096)
        world.hold('CK-03', dropped === undefined, `${what} makes ${dropped?.key} too long for a browser`)
        const raw = reply.headers.get('location') ?? ''
        world.hold(
          'RD-04',
          /^[\x21-\x7e]*$/.test(raw),
          `${what} led to a Location that is not percent-encoded`,
        )
      }
      // A URL or a header of this length may be refused before anything is done.
      if (target.length > 3000 && !asked.source.startsWith('body')) return world.reach('too long')
      const is = await browser.whoAmI()
      if (asked.errand === 'signout') world.hold('RD-04', is === undefined, `${what} undid the sign-out`)
      if (asked.errand === 'alpha') world.hold('RD-04', is === 'ada', `${what} undid the sign-in`)
      world.reach(asked.errand)
    },
  }),

  property({
    proves: ['RD-04'],
    name: 'a target that is not even a text breaks nothing',
    story:
      'A script sends an object for a target, and the server answers with an error, after it has signed in.',
    advice: 'Check the type of every member of a body before it is used.',
    setups: all,
    runs: 60,
    input: fc.record({
      value: noText,
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
      const what = `the target ${JSON.stringify(value)} at ${way}`
      holdUp(world, 'RD-04', reply, what)
      const is = await browser.whoAmI()
      if (way === 'signout') world.hold('RD-04', is === undefined, `${what} undid the sign-out`)
      if (way === 'form') world.hold('RD-04', is === 'ada', `${what} undid the sign-in`)
      // What is no text is replaced by the base URL.
      const isReplaced = typeof value === 'string' || byForm || reply.location?.href === `${world.origin}/`
      if (way === 'form' || way === 'signout')
        world.hold('RD-04', isReplaced, `${what} was followed to ${reply.location?.href}`)
      world.reach(way)
    },
  }),
]
