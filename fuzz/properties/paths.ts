import fc from 'fast-check'
import type { ProviderName } from '../world/people.ts'
import { property, type Property } from './property.ts'
import { withPasskeys } from './support/passkeys.ts'
import { refuses } from './support/sessions.ts'
import { holdRefused, takeStock } from './support/stock.ts'

/** Paths that are no route, each from one that is. */
const spoiltPaths: Readonly<Record<string, (base: string, action: string) => string>> = {
  'with a doubled slash': (base, action) => `${base}//${action}`,
  'after a doubled slash': (base, action) => `/${base}/${action}`,
  'with two slashes at its end': (base, action) => `${base}/${action}//`,
  'with its slash encoded': (base, action) => `${base}%2f${action}`,
  'without its slash': (base, action) => `${base}${action}`,
  'in capitals': (base, action) => `${base}/${action.toUpperCase()}`,
  'with its base in capitals': (base, action) => `${base.toUpperCase()}/${action}`,
  'with a capital': (base, action) => `${base}/${action.charAt(0).toUpperCase()}${action.slice(1)}`,
  'with a letter encoded': (base, action) =>
    `${base}/%${action.charCodeAt(0).toString(16)}${action.slice(1)}`,
  'with one more segment': (base, action) => `${base}/${action}/x/y`,
  'with its base twice': (base, action) => `${base}${base}/${action}`,
  'below another path': (base, action) => `/x${base}/${action}`,
  'with a semicolon': (base, action) => `${base}/${action};x=1`,
  'with a space': (base, action) => `${base}/${action}%20`,
  'with a NUL': (base, action) => `${base}/${action}%00`,
  'with a backslash encoded': (base, action) => `${base}%5c${action}`,
  'with a suffix': (base, action) => `${base}/${action}x`,
}

/** What becomes of a path by one slip: a letter more, another one, or one less. */
const slips = fc.record({
  at: fc.nat(),
  letter: fc.constantFrom(...'abexzAS019-._~!$&()*+,;=:@', '%00', '%2e', '%2f', '%61'),
  how: fc.constantFrom('added', 'put in place of another', 'put in place of the last slash', 'left out'),
})

function slip(path: string, { at, letter, how }: { at: number; letter: string; how: string }): string {
  // The first slash is the border of the host.
  const n =
    how === 'put in place of the last slash'
      ? path.lastIndexOf('/')
      : 1 + (at % (path.length - Number(how !== 'added')))
  const rest = path.slice(how === 'added' ? n : n + 1)
  return `${path.slice(0, n)}${how === 'left out' ? '' : letter}${rest}`
}

/** Paths that are no route, each from one that names a provider. */
const spoiltProviders: Readonly<Record<string, (base: string, action: string, id: string) => string>> = {
  'with a doubled slash before its provider': (base, action, id) => `${base}/${action}//${id}`,
  'with two slashes at its end': (base, action, id) => `${base}/${action}/${id}//`,
  'with its slash encoded': (base, action, id) => `${base}/${action}%2f${id}`,
  'with a segment after its provider': (base, action, id) => `${base}/${action}/${id}/x`,
  'with two segments after its provider': (base, action, id) => `${base}/${action}/${id}/x/y`,
  'with its provider twice': (base, action, id) => `${base}/${action}/${id}/${id}`,
  'with its action twice': (base, action, id) => `${base}/${action}/${action}/${id}`,
  'with a segment between': (base, action, id) => `${base}/${action}/x/${id}`,
  'with its action in capitals': (base, action, id) => `${base}/${action.toUpperCase()}/${id}`,
  'with a doubled slash before its action': (base, action, id) => `${base}//${action}/${id}`,
  'with an action that takes no provider': (base, _, id) => `${base}/session/${id}`,
}

const strangeIds = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'valueOf',
  '%5F%5Fproto%5F%5F',
  'Alpha',
  'ALPHA',
  'alpha%20',
  '%61lpha',
  'alpha%00',
  '0',
  'length',
  'null',
  'nobody',
]

type ProviderRoute = readonly ['GET' | 'POST', string, ProviderName]

/** The routes that name a provider, and the applications that have them. */
const providerRoutes: Readonly<
  Record<string, { routes: readonly ProviderRoute[] } & Pick<Property, 'needs' | 'setups'>>
> = {
  'a provider': {
    setups: { database: {}, form: { strategy: 'jwt', providers: ['alpha', 'form'] } },
    routes: [
      ['POST', 'signin', 'alpha'],
      ['GET', 'callback', 'alpha'],
    ],
  },
  'a passkey': {
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    routes: [
      ['GET', 'webauthn-options', 'passkey'],
      ['POST', 'callback', 'passkey'],
    ],
  },
}

export const pathProperties: readonly Property[] = [
  property({
    proves: ['HH-03'],
    name: 'a path that is not exactly a route is none',
    story: 'What guards a path is passed by another writing of it, which the application takes for the same.',
    advice: 'Match routes to the letter, with at most one slash at the end.',
    runs: 120,
    input: fc.record({
      action: fc.constantFrom('session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request'),
      spoilt: fc.constantFrom(...Object.keys(spoiltPaths)),
      slipped: fc.option(slips, { nil: undefined, freq: 2 }),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { action, spoilt, slipped, method }) {
      const browser = world.browser('ada')
      for (const good of [action, `${action}/`]) {
        const { status } = await browser.send(`${world.basePath}/${good}`)
        // What an error page says of itself is another matter.
        const isFine = action === 'error' ? status !== 404 : status < 400
        world.demand(isFine, `${good} is answered with ${status}`)
      }
      const right = `${world.basePath}/${action}`
      const path = slipped ? slip(right, slipped) : (spoiltPaths[spoilt]?.(world.basePath, action) ?? '')
      if (path === right) return
      const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
      const { status } = await browser.send(`${world.origin}${path}`, { method, ...form })
      world.hold('HH-03', status === 404 || status === 400, `${method} ${path} is answered with ${status}`)
      world.reach(slipped ? `a letter ${slipped.how}` : spoilt)
    },
  }),

  ...Object.entries(providerRoutes).map(([name, { routes, ...rest }]) =>
    property({
      ...rest,
      proves: ['HH-03'],
      name: `a route with ${name} is found by its own path, and by no other`,
      story:
        'What guards a path is passed by another writing of it, which the application takes for the same.',
      advice: 'Take exactly one segment after the action, and that only where a provider may be named.',
      runs: 50,
      input: fc.record({
        route: fc.constantFrom(...routes),
        spoilt: fc.constantFrom(...Object.keys(spoiltProviders)),
      }),
      async run(world, { route: [method, action, provider], spoilt }) {
        const browser = world.browser('ada')
        const id = world.idOf(provider) ?? ''
        const send = async (path: string) => {
          const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
          return browser.send(`${world.origin}${path}`, { method, ...form })
        }
        const right = await send(`${world.basePath}/${action}/${id}`)
        world.hold('HH-03', right.status !== 404, `${method} ${action}/${id} is not found`)
        const path = spoiltProviders[spoilt]?.(world.basePath, action, id) ?? ''
        const { status } = await send(path)
        world.hold('HH-03', status === 404 || status === 400, `${method} ${path} is answered with ${status}`)
        world.reach(spoilt)
      },
    }),
  ),

  property({
    proves: ['HH-05'],
    name: 'a provider that is not configured is not found, whatever it is called',
    story: 'A name that every object has is taken for a provider, and breaks or opens what comes after.',
    advice: 'Look providers up in a list or a Map, by the text as it came.',
    runs: 60,
    input: fc.record({
      id: fc.constantFrom(...strangeIds),
      route: fc.constantFrom('signin', 'callback'),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { id, route, method }) {
      const browser = world.browser('ada')
      const before = await takeStock(world, browser)
      const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
      const answer = async (name: string) => {
        const reply = await browser.send(`${world.basePath}/${route}/${name}`, { method, ...form })
        return { reply, told: `${reply.status} ${reply.location?.href ?? ''}` }
      }
      const { reply, told } = await answer(id)
      // Not found, in whatever way an unknown name is not found.
      const isNotFound = reply.status === 404 || (refuses(reply) && told === (await answer('nobody')).told)
      world.hold('HH-05', isNotFound, `${method} ${route}/${id} is answered with ${told}`)
      await holdRefused(world, 'HH-05', browser, before, `${method} ${route}/${id}`)
      world.reach(`like ${id}`)
    },
  }),

  property({
    proves: ['HH-05'],
    name: 'a base path is taken to the letter',
    story: 'A dot in a base path stands for any letter, and other paths reach the application.',
    advice: 'Compare texts, or escape the base path.',
    setups: { dotted: { config: { basePath: '/a.b+c' } } },
    runs: 10,
    input: fc.constantFrom('/axb+c', '/a.bbc', '/a.b', '/abbc', '/a.bc', '/a%2eb+c'),
    async run(world, other) {
      const browser = world.browser('ada')
      const { status } = await browser.send('/a.b+c/session')
      world.hold('HH-05', status === 200, `the right base path is answered with ${status}`)
      const wrong = await browser.send(`${other}/session`)
      world.hold(
        'HH-05',
        wrong.status === 404 || wrong.status === 400,
        `${other} is answered with ${wrong.status}`,
      )
    },
  }),
]
