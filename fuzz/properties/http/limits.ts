import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { isSignedIn } from '../support/sessions.ts'
import { tooLarge } from '../support/limits.ts'
import { pages, posts } from '../support/routes.ts'

/** Sizes in characters, far above any sensible limit. */
const excess = { body: 262_144, 'body of JSON': 262_144, cookies: 81_920, URL: 81_920 }

export const limitProperties: readonly Property[] = [
  property({
    proves: ['LM-01'],
    name: 'refuses requests that are too large',
    story: 'A few requests of many megabytes fill a server’s memory.',
    advice: 'Count while reading, and return 413, 431 or 400 once a limit is exceeded.',
    runs: 80,
    input: fc.record({
      wanted: fc.constantFrom('body', 'body of JSON', 'cookies', 'URL'),
      post: fc.constantFrom(...posts),
      page: fc.constantFrom(...pages),
      // A size just above the limit would show that the limit is too high.
      times: fc.constantFrom(1, 1, 1, 2, 3, 4),
      byMany: fc.boolean(),
      inPath: fc.boolean(),
    }),
    async run(world, { wanted, post, page, times, byMany, inPath }) {
      // The server limits headers before any library sees them.
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
        URL: () => new Request(`${world.url(page)}${inPath ? '/' : '?pad='}${filling.join('&')}`),
      }
      const { status, failure } = await world.send(more[part]())
      const says = `${part} of ${size} characters at ${part.startsWith('body') ? post : page}: ${failure ?? status}`
      world.check('LM-01', tooLarge.includes(status) && failure === undefined, says)
      const small = await browser.send(`${world.basePath}/csrf?pad=${'x'.repeat(512)}`)
      world.check('LM-01', small.status === 200, `a request of ordinary size returns ${small.status}`)
      world.reach(part)
    },
  }),

  property({
    proves: ['LM-09'],
    name: 'refuses requests with thousands of cookies, fields, parameters or values',
    story: 'A small request makes a server parse thousands of cookies repeatedly, and blocks it for seconds.',
    advice: 'Count separators before you parse, and return 400, 413 or 431 above a limit.',
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
      const says = `${count} ${part} return ${failure ?? status}`
      world.check('LM-09', tooLarge.includes(status) && failure === undefined, says)
      const small = await browser.send(`${world.basePath}/csrf?${many('a').slice(0, 100).join('&')}`)
      world.check('LM-09', small.status === 200, `a request with 100 parameters returns ${small.status}`)
      world.reach(part)
    },
  }),

  property({
    proves: ['LM-05'],
    name: 'writes nothing to the store when a sign-in starts',
    story: 'An anonymous client fills the database by starting sign-ins over and over.',
    advice: 'Keep the state of a pending sign-in sealed in the browser.',
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
      world.check(
        'LM-05',
        size() === before,
        `after ${times} started sign-ins, the store has ${size() - before} characters more`,
      )
      await world.browser('ada').signIn('alpha', world.people.ada)
    },
  }),

  property({
    proves: ['LM-06'],
    name: 'caches a provider’s metadata and keys across sign-ins',
    story: 'Anyone who starts many sign-ins makes the application flood its provider.',
    advice: 'Cache the discovery document and the keys, and share pending requests.',
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
        world.assume(isSignedIn(await browser.readSession()), 'a sign-in does not work')
      }
      if (atOnce) await Promise.all(Array.from({ length: times }, one))
      else
        for (let n = 0; n < times; n++) {
          await one()
          if (world.features.has('clock') && pause > 0) world.advance(pause)
        }
      for (const endpoint of ['discovery', 'jwks'] as const) {
        const requests = world.idps[provider].requestsTo(endpoint).length
        world.check('LM-06', requests <= 3, `${times} sign-ins requested ${endpoint} ${requests} times`, {
          observed: 'a request',
        })
      }
    },
  }),
]
