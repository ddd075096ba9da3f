import fc from 'fast-check'
import { createRevocationList } from '../../targets/revocation-list.ts'
import { sessionCookie } from '../../monitors/monitor.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { listKept } from '../support/own-cookies.ts'
import { type Cookies, headerOf, isSignedIn, moveTo, readWith, sessionOf } from '../support/sessions.ts'

/** Where an application keeps its session cookie. */
const scopes = {
  'the default': {},
  'a domain': { options: optionsOf({ path: '/', domain: 'app.example' }) },
  'a path': { options: optionsOf({ path: '/auth' }) },
  'a domain and a path': { options: optionsOf({ path: '/auth', domain: 'app.example' }) },
} as const
type Scope = keyof typeof scopes

/**
 * The scopes before and after a deployment. Their paths differ, because the cookie jar of the oracle mixes host-only
 * cookies with those of the same domain, which browsers keep apart.
 */
const changes: readonly { readonly from: Scope; readonly to: Scope }[] = [
  { from: 'the default', to: 'a path' },
  { from: 'a path', to: 'the default' },
  { from: 'the default', to: 'a domain and a path' },
  { from: 'a domain and a path', to: 'a domain' },
  { from: 'a domain', to: 'a path' },
]

function optionsOf(options: object) {
  return { secure: true, httpOnly: true, sameSite: 'lax', ...options }
}

const long = {
  jwt: ({ token, user }: { token: object; user?: object }) =>
    user ? { ...token, padding: 'x'.repeat(4000) } : token,
}

interface Deployed {
  readonly isLong: boolean
  /** The list of revoked tokens that the deployments share. */
  readonly revocations: object
}

/** Opens the application with this session cookie, and the same store. */
function deploy(world: World, scope: Scope, { isLong, revocations }: Deployed): Promise<World> {
  const cookies = { sessionToken: scopes[scope] }
  if (world.strategy === 'database') return world.another({ config: { cookies } }, 'same')
  const config = { adapter: true, cookies, jwt: { revocations }, ...(isLong && { callbacks: long }) }
  return world.another({ strategy: 'jwt', config, with: { 'jwt-revocation': true } }, 'same')
}

/** Signs Ada in, in a new browser. */
async function open(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn('alpha', world.people.ada)
  return browser
}

const isSession = ({ key = '' }: { readonly key?: string }) => sessionCookie.test(key)

/** Adds the session cookies of a browser to another one, so that it sends two of each name. */
function addCookies(from: Browser, to: Browser): void {
  const later = to.save()
  to.restore({ ...later, cookies: [...from.save().cookies.filter(isSession), ...later.cookies] })
}

/** Sessions whose cookie an earlier deployment has set in another place. */
export const changedScopeProperties: readonly Property[] = [
  property({
    proves: ['CK-17', 'SE-10', 'SE-02'],
    name: 'ends every session of the browser at a sign-in or sign-out, wherever its cookies are kept',
    story:
      'A user signs out, and the cookie of an earlier deployment signs the next person at the machine in.',
    advice:
      'Look at all cookies of the name, not only the first. End each session, and clear each cookie as it was set.',
    needs: ['setup', 'store'],
    setups: {
      database: {},
      'jwt with revocations': {
        strategy: 'jwt',
        config: { adapter: true },
        with: { 'jwt-revocation': true },
      },
    },
    runs: 60,
    reaches: { 'a sign-out': 4, 'a sign-in': 4, 'two sessions': 4 },
    parts: changes.flatMap((change) => [
      { change, signsOut: true },
      { change, signsOut: false },
    ]),
    input: fc.record({
      change: fc.constantFrom(...changes),
      hasBoth: fc.boolean(),
      signsOut: fc.boolean(),
      isLong: fc.boolean(),
    }),
    async run(base, { change: { from, to }, hasBoth, signsOut, isLong }) {
      const deployed = { isLong, revocations: createRevocationList() }
      const before = await deploy(base, from, deployed)
      const after = await deploy(base, to, deployed)
      const earlier = await open(before)
      const copies: Cookies[] = [sessionOf(earlier.cookies())]
      let browser = moveTo(after, earlier, after.people.ada)
      if (hasBoth) {
        const later = await open(after)
        copies.push(sessionOf(later.cookies()))
        addCookies(browser, later)
        browser = later
        after.reach('two sessions')
      }
      // A token that is read is renewed, and would replace the other one.
      const isIn = hasBoth || isSignedIn(await browser.readSession())
      after.check('CK-17', isIn, `a change of the cookie from ${from} to ${to} signs the user out`)
      if (signsOut) await browser.signOut()
      else await browser.signIn('alpha', after.people.ada)
      const what = `a ${signsOut ? 'sign-out' : 'sign-in'} after a change from ${from} to ${to}`
      after.reach(signsOut ? 'a sign-out' : 'a sign-in')
      const current = sessionOf(browser.cookies())
      if (signsOut) {
        const left = listKept(browser)
          .filter(isSession)
          .map(({ key, path }) => `${key} of ${path}`)
        after.check('CK-17', left.length === 0, `${what} leaves ${left.join(', ')} in the browser`)
      }
      for (const copy of copies) {
        if (headerOf(copy) === headerOf(current)) continue
        const isLive = isSignedIn(await readWith(after, copy))
        after.check(signsOut ? 'SE-10' : 'SE-02', !isLive, `${what} leaves a session of the browser`)
      }
    },
  }),
]
