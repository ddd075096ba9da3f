import fc from 'fast-check'
import { people } from '../world/people.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, sessionOf } from './support/sessions.ts'

/** Far more than any limit that is worth its name. */
const excess = fc.integer({ min: 1, max: 4 }).map((times) => times * 262_144)
const tooMuch = [400, 413, 414, 431]
const pages = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request'] as const
const posts = [
  'signin/alpha',
  'signin/mail',
  'callback/form',
  'callback/alpha',
  'signout',
  'session',
] as const

/** What no text is, and what looks like the right one inside. */
const confused = fc.oneof(
  fc.constantFrom<readonly unknown[]>(
    [],
    {} as never,
    null as never,
    0 as never,
    1 as never,
    -1 as never,
    true as never,
    false as never,
    [[]],
    [null],
  ),
  fc
    .constantFrom('ada@mail.example', people.ada.password, 'ada', '/here')
    .chain((text) =>
      fc.constantFrom<unknown>(
        [text],
        [text, text],
        { 0: text },
        { toString: text },
        { value: text },
        { $ne: text },
        [[text]],
      ),
    ),
  fc.jsonValue({ maxDepth: 3 }).filter((value) => typeof value !== 'string'),
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
const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'] as const

export const limitProperties: readonly Property[] = [
  property({
    proves: ['LM-01'],
    name: 'requests that are far too large are refused by their size',
    story: 'A few requests of many megabytes fill the memory of a server.',
    advice: 'Count while reading, and answer 413, 431 or 400 as soon as a limit is passed.',
    runs: 40,
    input: fc.record({
      part: fc.constantFrom('body', 'body of JSON', 'cookies', 'URL'),
      post: fc.constantFrom(...posts),
      page: fc.constantFrom(...pages),
      size: excess,
      byMany: fc.boolean(),
    }),
    async run(world, { part, post, page, size, byMany }) {
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const filling = byMany
        ? Array.from({ length: size / 64 }, (_, n) => `f${n}=${'x'.repeat(58)}`)
        : ['x'.repeat(size)]
      const cookie = Object.entries(browser.cookies()).map((pair) => pair.join('='))
      const more: Record<typeof part, () => Request> = {
        body: () =>
          new Request(world.url(post), {
            method: 'POST',
            headers: { cookie: cookie.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
            body: [`csrfToken=${csrfToken}`, `pad=${filling.join('&')}`].join('&'),
          }),
        'body of JSON': () =>
          new Request(world.url(post), {
            method: 'POST',
            headers: { cookie: cookie.join('; '), 'content-type': 'application/json' },
            body: JSON.stringify({ csrfToken, filling }),
          }),
        cookies: () =>
          new Request(world.url(page), {
            headers: { cookie: [...cookie, `pad=${filling.join('; ')}`].join('; ') },
          }),
        URL: () => new Request(`${world.url(page)}?pad=${filling.join('&')}`),
      }
      const { status, failure } = await world.send(more[part]())
      const says = `${part} of ${size} characters at ${part.startsWith('body') ? post : page}: ${failure ?? status}`
      world.hold('LM-01', tooMuch.includes(status) && failure === undefined, says)
      const small = await browser.send(`${world.basePath}/csrf?pad=${'x'.repeat(512)}`)
      world.hold('LM-01', small.status === 200, `a request of ordinary size is answered ${small.status}`)
      world.reach(part)
    },
  }),

  property({
    proves: ['LM-01'],
    name: 'a body that does not end is not waited for',
    story: 'A client sends for ever, and is listened to for ever.',
    advice: 'Stop reading at the limit, whatever Content-Length says.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    input: fc.record({
      post: fc.constantFrom(...posts),
      type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
    }),
    async run(world, { post, type }) {
      let sent = 0
      const chunk = new TextEncoder().encode('x'.repeat(65_536))
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length
          // What reads on after this would read on for ever.
          if (sent > 33_554_432) controller.close()
          else controller.enqueue(chunk)
        },
      })
      const headers = { 'content-type': type, 'content-length': '10' }
      const request = new Request(world.url(post), {
        method: 'POST',
        headers,
        body,
        duplex: 'half',
      } as RequestInit)
      const { status } = await world.handle(request)
      world.hold(
        'LM-01',
        tooMuch.includes(status) && sent < 8_388_608,
        `${sent} bytes of a body without end were read, and answered ${status}`,
      )
    },
  }),

  property({
    proves: ['LM-05'],
    name: 'starting sign-ins leaves nothing in the store',
    story: 'Somebody who is nobody fills the database by pressing a button again and again.',
    advice: 'Keep what belongs to a pending sign-in in the browser, sealed.',
    needs: ['store'],
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 20,
    input: fc.record({
      times: fc.integer({ min: 1, max: 12 }),
      providers: fc.array(fc.constantFrom('alpha', 'beta', 'plain', 'form'), { minLength: 1, maxLength: 4 }),
    }),
    async run(world, { times, providers }) {
      const size = () => JSON.stringify(world.rows).length
      const before = size()
      for (let n = 0; n < times; n++)
        for (const name of providers) {
          const browser = world.browser('eve')
          if (name !== 'form') await browser.start(name)
          else if (world.idOf('form') !== undefined) await browser.enterPassword(world.people.eve, 'wrong')
          await browser.send(`${world.basePath}/callback/${name}?code=x&state=y`)
        }
      world.hold(
        'LM-05',
        size() === before,
        `after ${times} sign-ins that were started, the store has ${size() - before} characters more`,
      )
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['LM-06'],
    name: 'many sign-ins ask a provider for its metadata and its keys a few times',
    story: 'Whoever presses the button often makes the application flood its provider.',
    advice: 'Keep the discovery document and the keys for a while, and share requests that are under way.',
    setups: { jwt: { strategy: 'jwt', providers: ['alpha', 'beta'] } },
    runs: 15,
    input: fc.record({
      times: fc.integer({ min: 6, max: 14 }),
      provider: fc.constantFrom('alpha', 'beta'),
      atOnce: fc.boolean(),
      pause: fc.constantFrom(0, 1, 30),
    }),
    async run(world, { times, provider, atOnce, pause }) {
      const { ada } = world.people
      const one = async () => {
        const browser = world.browser('ada')
        await browser.arrive(await browser.visit(provider, ada))
        world.demand(isSignedIn(await browser.readSession()), 'a sign-in does not work')
      }
      if (atOnce) await Promise.all(Array.from({ length: times }, one))
      else
        for (let n = 0; n < times; n++) {
          await one()
          if (world.features.has('clock') && pause > 0) world.pass(pause)
        }
      for (const endpoint of ['discovery', 'jwks'] as const) {
        const asked = world.idps[provider].requestsTo(endpoint).length
        world.hold('LM-06', asked <= 3, `${times} sign-ins asked for ${endpoint} ${asked} times`)
      }
    },
  }),

  property({
    proves: ['LM-07'],
    name: 'what is no text where one is expected opens nothing, and breaks nothing',
    story: 'A field of a request is a list or an object, and slips past a check that was written for texts.',
    advice: 'Take texts only, into objects without prototype, and refuse the rest as a bad request.',
    setups: {
      database: {},
      jwt: { strategy: 'jwt', config: { adapter: true } },
      form: { strategy: 'jwt', providers: ['form', 'alpha'] },
    },
    runs: 90,
    input: fc.record({
      post: fc.constantFrom(...posts),
      field: fc.constantFrom(...fields),
      value: confused,
      key: fc.option(fc.constantFrom(...keys), { nil: undefined }),
      whole: fc.boolean(),
    }),
    async run(world, { post, field, value, key, whole }) {
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
      const isInherited = key !== undefined && whole
      // What an object only inherits was not sent.
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
      world.hold(
        'LM-07',
        reply.status < 500 && reply.failure === undefined,
        `${what} is answered ${reply.failure ?? reply.status}`,
      )
      world.hold('LM-07', !('isAdmin' in {}), `${what} gives every object a member`)
      const isIn =
        Object.keys(
          sessionOf(Object.fromEntries(reply.cookies.map(({ key: name, value: text }) => [name, text]))),
        ).length > 0
      const isEntry = post === 'callback/form' && ['csrfToken', 'username', 'password'].includes(field)
      if (isEntry) world.hold('LM-07', !isIn, `${what} signs somebody in`)
      if (field === 'csrfToken') {
        const isAway = reply.location !== undefined && reply.location.origin !== world.origin
        world.hold(
          'LM-07',
          !isAway && world.mailbox.mails.length === mails,
          `${what} passes for the right CSRF token`,
        )
      }
      if (field === 'email') world.hold('LM-07', world.mailbox.mails.length === mails, `${what} sends a mail`)
      world.reach(field)
    },
  }),

  property({
    proves: ['LM-07'],
    name: 'a body that is no object, or nothing at all, is refused as any other bad request',
    story: 'One odd byte in a request stops the server, or slips past its checks.',
    advice: 'Parse inside a try, take objects only, and answer the rest with 400.',
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
      const says = `${post}, with the body ${body} of ${type}, is answered ${failure ?? status}`
      world.hold('LM-07', status < 500 && failure === undefined, says)
    },
  }),

  property({
    proves: ['LM-07'],
    name: 'queries and forms with lists, objects and prototypes are answered as queries are',
    story: 'A parser makes objects of brackets, and an attacker writes to the prototype of all.',
    advice: 'Read queries by name with URLSearchParams, and never build objects of their names.',
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
      world.hold(
        'LM-07',
        reply.status < 500 && reply.failure === undefined,
        `${method} ${path} with ${query} is answered ${reply.failure ?? reply.status}`,
      )
      world.hold('LM-07', !('isAdmin' in {}), `${method} ${path} with ${query} gives every object a member`)
      const session = await world.browser('ada').readSession()
      world.hold(
        'LM-07',
        session.status === 200 && !isSignedIn(session),
        `after ${method} ${path} with ${query} the application is out of order`,
      )
    },
  }),
]
