import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Browser, Sending } from '../../world/browser.ts'
import type { ProviderName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { withPasskeys } from '../support/passkeys.ts'
import { refuses } from '../support/sessions.ts'
import { checkRefused, takeSnapshot } from '../support/snapshot.ts'
import { isUnrouted } from '../support/unrouted.ts'

/** Changes to a route that make it an invalid path. */
const invalidPaths: Readonly<Record<string, (base: string, action: string) => string>> = {
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

/** Changes of one character in a path. */
const typos = fc.record({
  at: fc.nat(),
  letter: fc.constantFrom(...'abexzAS019-._~!$&()*+,;=:@', '%00', '%2e', '%2f', '%61'),
  how: fc.constantFrom('added', 'replaced', 'written for the last slash', 'removed'),
})

function makeTypo(path: string, { at, letter, how }: { at: number; letter: string; how: string }): string {
  // The first slash ends the host.
  const n =
    how === 'written for the last slash'
      ? path.lastIndexOf('/')
      : 1 + (at % (path.length - Number(how !== 'added')))
  const rest = path.slice(how === 'added' ? n : n + 1)
  return `${path.slice(0, n)}${how === 'removed' ? '' : letter}${rest}`
}

/** Changes to a provider route that make it an invalid path. */
const invalidProviderPaths: Readonly<Record<string, (base: string, action: string, id: string) => string>> = {
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

interface Attempt {
  readonly path: string
  readonly right: string
  readonly sending: Sending
}

/** Checks that a path does not reach the route of the right one. */
async function checkUnmatched(
  world: World,
  browser: Browser,
  { path, right, sending }: Attempt,
): Promise<void> {
  if (path.includes('//') && !world.capabilities.has('exact-paths')) return
  const reply = await browser.send(`${world.origin}${path}`, sending)
  const { status, location } = reply
  const says = `${sending.method ?? 'POST'} ${path} returns ${status}`
  // A guard sees the exact path in the next request.
  const isExact = location?.origin === world.origin && [right, `${right}/`].includes(location.pathname)
  if (isExact && (status === 301 || status === 308)) return
  const isRefused = status === 404 || status === 400
  world.check('HH-03', isRefused || (await isUnrouted(browser, reply, path, sending)), says)
}

type ProviderRoute = readonly ['GET' | 'POST', string, ProviderName]

/** The routes with a provider, and applications with these routes. */
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
    name: 'matches only exact route paths',
    story: 'An alternative spelling of a path bypasses a guard in front of the application.',
    advice: 'Match routes exactly, with at most one trailing slash.',
    runs: 120,
    input: fc.record({
      action: fc.constantFrom('session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request'),
      change: fc.constantFrom(...Object.keys(invalidPaths)),
      typo: fc.option(typos, { nil: undefined, freq: 2 }),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { action, change, typo, method }) {
      const browser = world.browser('ada')
      for (const good of [action, `${action}/`]) {
        const { status } = await browser.send(`${world.basePath}/${good}`)
        // The status of the error page is a different one.
        const isFine = action === 'error' ? status !== 404 : status < 400
        world.assume(isFine, `${good} returns ${status}`)
      }
      const right = `${world.basePath}/${action}`
      const path = typo ? makeTypo(right, typo) : (invalidPaths[change]?.(world.basePath, action) ?? '')
      if (path === right) return
      const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
      await checkUnmatched(world, browser, { path, right, sending: { method, ...form } })
      world.reach(typo ? `a letter ${typo.how}` : change)
    },
  }),

  ...Object.entries(providerRoutes).map(([name, { routes, ...rest }]) =>
    property({
      ...rest,
      proves: ['HH-03'],
      name: `matches a route with ${name} only by its own path`,
      story: 'An alternative spelling of a path bypasses a guard in front of the application.',
      advice: 'Accept exactly one segment after the action, and only where a provider is expected.',
      runs: 50,
      input: fc.record({
        route: fc.constantFrom(...routes),
        change: fc.constantFrom(...Object.keys(invalidProviderPaths)),
      }),
      async run(world, { route: [method, action, provider], change }) {
        const browser = world.browser('ada')
        const id = world.idOf(provider) ?? ''
        const exact = `${world.basePath}/${action}/${id}`
        const makeSending = async (): Promise<Sending> =>
          method === 'POST' ? { form: { csrfToken: await browser.csrfToken() } } : { method }
        const right = await browser.send(exact, await makeSending())
        world.check('HH-03', right.status !== 404, `${method} ${action}/${id} is not found`)
        const path = invalidProviderPaths[change]?.(world.basePath, action, id) ?? ''
        await checkUnmatched(world, browser, { path, right: exact, sending: await makeSending() })
        world.reach(change)
      },
    }),
  ),

  property({
    proves: ['HH-05'],
    name: 'finds no provider that is not configured, whatever its name',
    story: 'A name that every object inherits is accepted as a provider, and breaks or bypasses later code.',
    advice: 'Look providers up in an array or a Map, by the raw string.',
    runs: 60,
    input: fc.record({
      id: fc.constantFrom(...strangeIds),
      route: fc.constantFrom('signin', 'callback'),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { id, route, method }) {
      const browser = world.browser('ada')
      const before = await takeSnapshot(world, browser)
      const form = method === 'POST' && { form: { csrfToken: await browser.csrfToken() } }
      const request = async (name: string) => {
        const reply = await browser.send(`${world.basePath}/${route}/${name}`, { method, ...form })
        return { reply, outcome: `${reply.status} ${reply.location?.href ?? ''}` }
      }
      const { reply, outcome } = await request(id)
      // Compare with the response to an unknown name.
      const isNotFound =
        reply.status === 404 || (refuses(reply) && outcome === (await request('nobody')).outcome)
      world.check('HH-05', isNotFound, `${method} ${route}/${id} returns ${outcome}`)
      await checkRefused(world, 'HH-05', browser, before, `${method} ${route}/${id}`)
      world.reach(id)
    },
  }),

  property({
    proves: ['HH-05'],
    name: 'matches the base path literally',
    story: 'A dot in the base path matches any character, and other paths reach the application.',
    advice: 'Compare strings, or escape the base path.',
    setups: { dotted: { config: { basePath: '/a.b+c' } } },
    runs: 10,
    ...eachOf(['/axb+c', '/a.bbc', '/a.b', '/abbc', '/a.bc', '/a%2eb+c']),
    async run(world, other) {
      const browser = world.browser('ada')
      const { status } = await browser.send('/a.b+c/session')
      world.check('HH-05', status === 200, `the right base path returns ${status}`)
      const wrong = await browser.send(`${other}/session`)
      world.check('HH-05', wrong.status === 404 || wrong.status === 400, `${other} returns ${wrong.status}`)
    },
  }),
]
