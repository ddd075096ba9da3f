import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { pages, posts } from './support/routes.ts'
import { isSignedIn } from './support/sessions.ts'

/** Characters, far more than any limit that is worth its name. */
const excess = { body: 262_144, 'body of JSON': 262_144, cookies: 81_920, URL: 81_920 }
const tooMuch = [400, 413, 414, 431]

export const limitProperties: readonly Property[] = [
  property({
    proves: ['LM-01'],
    name: 'requests that are far too large are refused by their size',
    story: 'A few requests of many megabytes fill the memory of a server.',
    advice: 'Count while reading, and answer 413, 431 or 400 as soon as a limit is passed.',
    runs: 40,
    input: fc.record({
      wanted: fc.constantFrom('body', 'body of JSON', 'cookies', 'URL'),
      post: fc.constantFrom(...posts),
      page: fc.constantFrom(...pages),
      times: fc.integer({ min: 1, max: 4 }),
      byMany: fc.boolean(),
    }),
    async run(world, { wanted, post, page, times, byMany }) {
      // Headers are limited by the server, before any library sees them.
      const part = world.capabilities.has('header-limits') || wanted === 'body' ? wanted : 'body of JSON'
      const size = times * excess[part]
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
    proves: ['LM-09'],
    name: 'requests with thousands of cookies, fields, parameters or values are refused',
    story:
      'A small request makes a server parse thousands of cookies, again and again, and stops it for seconds.',
    advice: 'Count separators before you parse, and answer 400, 413 or 431 above a limit.',
    runs: 40,
    input: fc.record({
      part: fc.constantFrom('cookies', 'fields', 'parameters', 'values'),
      post: fc.constantFrom(...posts),
      page: fc.constantFrom(...pages),
      count: fc.constantFrom(3000, 4000, 5000),
    }),
    async run(world, { part, post, page, count }) {
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const held = Object.entries(browser.cookies()).map((pair) => pair.join('='))
      const many = (text: string) => Array.from({ length: count }, () => text)
      const cookie = held.join('; ')
      const send: Record<typeof part, () => Request> = {
        cookies: () =>
          new Request(world.url(page), { headers: { cookie: [...held, ...many('a=')].join(';') } }),
        parameters: () => new Request(`${world.url(page)}?${many('a').join('&')}`),
        fields: () =>
          new Request(world.url(post), {
            method: 'POST',
            headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
            body: [`csrfToken=${csrfToken}`, ...many('a')].join('&'),
          }),
        values: () =>
          new Request(world.url(post), {
            method: 'POST',
            headers: { cookie, 'content-type': 'application/json' },
            body: JSON.stringify({ csrfToken, a: many('') }),
          }),
      }
      const { status, failure } = await world.send(send[part]())
      const says = `${count} ${part} are answered ${failure ?? status}`
      world.hold('LM-09', tooMuch.includes(status) && failure === undefined, says)
      const small = await browser.send(`${world.basePath}/csrf?${many('a').slice(0, 100).join('&')}`)
      world.hold('LM-09', small.status === 200, `a request with 100 parameters is answered ${small.status}`)
      world.reach(part)
    },
  }),

  property({
    proves: ['LM-10'],
    name: 'JSON that is nested thousands of levels deep is a bad request, as a body and in a field',
    story:
      'A body of brackets alone overflows the stack of whoever writes it again, and looks like a server fault.',
    advice: 'Limit the depth in the one place where JSON is parsed.',
    setups: { database: {}, form: { strategy: 'jwt', providers: ['form', 'alpha'] } },
    runs: 40,
    input: fc.record({
      post: fc.constantFrom('callback/form', 'signin/mail', 'session'),
      field: fc.constantFrom('username', 'data', 'csrfToken', 'callbackUrl', 'nested'),
      kind: fc.constantFrom('lists', 'objects'),
      inField: fc.boolean(),
    }),
    async run(world, { post, field, kind, inField }) {
      // As many as fit in a body of 100 KB; how many a stack holds depends on the thread.
      const levels = kind === 'lists' ? 45_000 : 15_000
      const browser = world.browser('ada')
      const csrfToken = await browser.csrfToken()
      const cookie = Object.entries(browser.cookies())
        .map((pair) => pair.join('='))
        .join('; ')
      const [open, close] = kind === 'lists' ? ['[', ']'] : ['{"":', '}']
      const nested = `${open.repeat(levels)}0${close.repeat(levels)}`
      const others = { csrfToken, username: 'ada', action: 'register' }
      const path = post.replace(/\w+$/, (name) => world.idOf(name as 'alpha') ?? name)
      const { status, failure, location } = await world.send(
        new Request(world.url(path), {
          method: 'POST',
          headers: {
            cookie,
            'content-type': inField ? 'application/x-www-form-urlencoded' : 'application/json',
          },
          body: inField
            ? String(new URLSearchParams({ ...others, [field]: nested }))
            : `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(field)}:${nested}}`,
        }),
      )
      const error = location?.searchParams.get('error')
      const says = `${path} with ${levels} ${kind} in ${field} is answered ${failure ?? error ?? status}`
      world.hold('LM-10', status < 500 && failure === undefined && error !== 'Configuration', says)
      world.reach(inField ? 'in a field' : 'as a body')
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
      let isLetGo = false
      const chunk = new TextEncoder().encode('x'.repeat(65_536))
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length
          // What reads on after this would read on for ever.
          if (sent > 33_554_432) controller.close()
          else controller.enqueue(chunk)
        },
        cancel: () => void (isLetGo = true),
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
      world.hold(
        'LM-01',
        isLetGo || !body.locked,
        'the rest of a body without end is held, so that its sender waits for ever',
      )
    },
  }),

  property({
    proves: ['LM-01'],
    name: 'a body that is announced as far too large is refused before it comes',
    story: 'Many clients announce much and send nothing, and each of them holds a request open.',
    advice: 'Look at Content-Length first.',
    needs: ['setup'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 20,
    input: fc.record({
      post: fc.constantFrom(...posts),
      type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
      length: fc.constantFrom(10_000_000, 2_147_483_648, 1e15),
      begins: fc.boolean(),
    }),
    async run(world, { post, type, length, begins }) {
      let client: ReadableStreamDefaultController<Uint8Array> | undefined
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          client = controller
          if (begins) controller.enqueue(new TextEncoder().encode('csrfToken=x'))
        },
      })
      const headers = { 'content-type': type, 'content-length': String(length) }
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      const answer = world.handle(new Request(world.url(post), init)).then(({ status }) => status)
      // The client goes away in the end, lest what waits for it waits for ever.
      const gone = waitLong().then(() => undefined)
      const status = await Promise.race([answer, gone])
      if (status === undefined) client?.error(new Error('the client is gone'))
      await answer.catch(() => undefined)
      world.hold('LM-01', status !== undefined, `a body of ${length} bytes is waited for`)
      world.hold('LM-01', tooMuch.includes(Number(status)), `${length} bytes are answered with ${status}`)
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
]

const { performance } = globalThis

/** Long enough for any answer that waits for nobody, however slow the machine. */
async function waitLong(): Promise<void> {
  const begun = performance.now()
  for (let turn = 0; turn < 50 || performance.now() - begun < 500; turn++) await nextTurn()
}
