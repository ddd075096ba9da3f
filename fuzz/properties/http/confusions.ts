import fc from 'fast-check'
import { people } from '../../world/people.ts'
import { property, type Property } from '../property.ts'
import { pages, posts } from '../support/routes.ts'
import { isSignedIn, sessionOf } from '../support/sessions.ts'

/** Values that are not strings, but contain the right one. */
const wrappings = {
  'a list': (text: string) => [text],
  'a list of two': (text: string) => [text, text],
  'a list of lists': (text: string) => [[text]],
  'an object like a list': (text: string) => ({ 0: text }),
  'an object with toString': (text: string) => ({ toString: text }),
  'an object with a value': (text: string) => ({ value: text }),
  'an object with an operator': (text: string) => ({ $ne: text }),
} satisfies Record<string, (text: string) => unknown>

/** How to confuse a field: the name of a wrapping of the right value, or any other value. */
const confused = fc.oneof(
  fc.record({ wrapping: fc.constantFrom(...(Object.keys(wrappings) as (keyof typeof wrappings)[])) }),
  fc.record({
    value: fc.oneof(
      fc.constantFrom<unknown>([], {}, null, 0, 1, -1, true, false, [[]], [null]),
      fc.jsonValue({ maxDepth: 3 }).filter((value) => typeof value !== 'string'),
    ),
  }),
)
const fields = [
  'csrfToken',
  'callbackUrl',
  'email',
  'username',
  'password',
  'data',
  'json',
  'action',
  'code',
  'state',
] as const
/** The fields without which a request has no effect. */
const required: readonly {
  readonly post: (typeof posts)[number]
  readonly field: (typeof fields)[number]
}[] = [
  { post: 'callback/form', field: 'csrfToken' },
  { post: 'callback/form', field: 'username' },
  { post: 'callback/form', field: 'password' },
  { post: 'signin/alpha', field: 'csrfToken' },
  { post: 'signin/mail', field: 'csrfToken' },
  { post: 'signin/mail', field: 'email' },
]
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'] as const

export const confusionProperties: readonly Property[] = [
  property({
    proves: ['LM-07'],
    name: 'treats a field that is not a string as missing',
    story: 'A field is an array or an object, and gets past a check that was written for strings.',
    advice: 'Accept only strings, parse into objects without a prototype, and return 400 for the rest.',
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
      form: { strategy: 'jwt', providers: ['form', 'alpha'] },
    },
    runs: 120,
    input: fc.record({
      at: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...required) },
        {
          weight: 1,
          arbitrary: fc.record({ post: fc.constantFrom(...posts), field: fc.constantFrom(...fields) }),
        },
      ),
      how: confused,
      key: fc.option(fc.constantFrom(...keys), { nil: undefined, freq: 1 }),
      whole: fc.boolean(),
    }),
    async run(world, { at: { post, field }, how, key, whole }) {
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const good = {
        csrfToken,
        callbackUrl: world.origin,
        email: people.ada.address.mail,
        username: 'ada',
        password: people.ada.password,
      }
      const { [field as 'email']: right = 'x', ...rest } = good
      const value = 'value' in how ? how.value : wrappings[how.wrapping](right)
      const isInherited = key !== undefined && whole
      // A member of the prototype is not a member of the body.
      const inherited = `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify({ isAdmin: true, [field]: right })}}`
      const member = key
        ? `{${JSON.stringify(key)}:${JSON.stringify({ isAdmin: true, value: right })}}`
        : JSON.stringify(value)
      const text = isInherited
        ? inherited
        : `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(field)}:${member}}`
      const path = post.replace(/\w+$/, (name) => world.idOf(name as 'alpha') ?? name)
      const cookie = Object.entries(browser.cookies())
        .map((pair) => pair.join('='))
        .join('; ')
      const mails = world.mailbox.mails.length
      const reply = await world.send(
        new Request(world.url(path), {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: text,
        }),
      )
      const what = `${path}, with ${text},`
      world.check(
        'LM-07',
        reply.status < 500 && reply.failure === undefined,
        `${what} returns ${reply.failure ?? reply.status}`,
      )
      world.check('LM-07', !('isAdmin' in {}), `${what} adds a member to every object`)
      const isIn =
        Object.keys(
          sessionOf(Object.fromEntries(reply.cookies.map(({ key: name, value: text }) => [name, text]))),
        ).length > 0
      const isEntry = post === 'callback/form' && ['csrfToken', 'username', 'password'].includes(field)
      if (isEntry) world.check('LM-07', !isIn, `${what} signs somebody in`)
      if (field === 'csrfToken') {
        const isAway = reply.location !== undefined && reply.location.origin !== world.origin
        world.check(
          'LM-07',
          !isAway && world.mailbox.mails.length === mails,
          `${what} passes for the right CSRF token`,
        )
      }
      if (field === 'email')
        world.check('LM-07', world.mailbox.mails.length === mails, `${what} sends a mail`)
      world.reach(field)
    },
  }),

  property({
    proves: ['LM-07'],
    name: 'refuses an empty body, or one that is not an object, as a bad request',
    story: 'One odd byte in a request crashes the server, or gets past its checks.',
    advice: 'Parse inside a try block, accept only objects, and return 400 for the rest.',
    runs: 40,
    input: fc.record({
      post: fc.constantFrom(...posts),
      body: fc.constantFrom(
        '[]',
        'null',
        '7',
        '"x"',
        'true',
        '{',
        '{"a":',
        '[{}]',
        '%ff',
        '%',
        'a=%c3%28',
        '',
      ),
      type: fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'application/json; charset=x',
      ),
    }),
    async run(world, { post, body, type }) {
      const request = new Request(world.url(post), {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      const { status, failure } = await world.send(request)
      const says = `${post}, with the body ${body} of ${type}, returns ${failure ?? status}`
      world.check('LM-07', status < 500 && failure === undefined, says)
    },
  }),

  property({
    proves: ['LM-07'],
    name: 'reads bracket and prototype names in queries and forms as plain names',
    story: 'A parser turns brackets into objects, and an attacker writes to Object.prototype.',
    advice: 'Read parameters by name with URLSearchParams. Never build objects from their names.',
    runs: 60,
    input: fc.record({
      path: fc.constantFrom(
        ...pages,
        'signin/alpha',
        'callback/alpha',
        'callback/mail',
        'callback/form',
        'webauthn-options/passkey',
      ),
      name: fc.constantFrom(...fields, ...keys, 'error', 'token'),
      suffix: fc.constantFrom('', '[]', '[isAdmin]', '[__proto__][isAdmin]', '.isAdmin', '[0]'),
      value: fc.constantFrom('true', '', '[]', '{}', 'null', '%00', '__proto__', '[object Object]'),
      times: fc.integer({ min: 1, max: 3 }),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { path, name, suffix, value, times, method }) {
      const query = Array.from(
        { length: times },
        () => `${encodeURIComponent(name + suffix)}=${encodeURIComponent(value)}`,
      ).join('&')
      const isPost = method === 'POST'
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const url = isPost ? world.url(path) : `${world.url(path)}?${query}`
      const reply = await world.send(new Request(url, isPost ? { method, headers, body: query } : {}))
      world.check(
        'LM-07',
        reply.status < 500 && reply.failure === undefined,
        `${method} ${path} with ${query} returns ${reply.failure ?? reply.status}`,
      )
      world.check(
        'LM-07',
        !('isAdmin' in {}),
        `${method} ${path} with ${query} adds a member to every object`,
      )
      const session = await world.browser('ada').readSession()
      world.check(
        'LM-07',
        session.status === 200 && !isSignedIn(session),
        `after ${method} ${path} with ${query} the application fails`,
      )
    },
  }),
]
