import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { secret } from '../../targets/configure.ts'
import { Absent, type Meaning } from '../../world/breach.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import {
  beginning,
  ownHeaderNames,
  buildOwnHeaders,
  buildInvalidForm,
  invalidCookies,
  invalidTokens,
  needsToken,
} from '../support/invalid-csrf.ts'
import { big } from '../support/own-cookies.ts'
import { checkRefused, takeSnapshot } from '../support/snapshot.ts'

/** Requests that change state, with the form for each; the browser is signed in as Ada. */
const actions = {
  'a sign-in at a provider': (world) => ({ path: `signin/${world.idOf(findProvider(world))}`, form: {} }),
  'a mail with a link': (world) => ({
    path: `signin/${world.idOf('mail') ?? ''}`,
    form: { email: world.people.bob.address.mail },
  }),
  'a password': (world) => ({
    path: `callback/${world.idOf('form') ?? ''}`,
    form: { username: 'eve', password: world.people.eve.password },
  }),
  'a sign-out': () => ({ path: 'signout', form: {} }),
  'an update of the session': () => ({ path: 'session', form: { data: 'canary' } }),
} satisfies Record<string, (world: World) => { path: string; form: Record<string, string> }>
type Action = keyof typeof actions

const withMails = { database: {} }
const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'plain', 'form'] } } as const
const all = { ...withMails, ...withPasswords }

const nested = { 'one secret ends with another': { config: { secret: [`${beginning}${secret}`, secret] } } }

/** Returns any provider of the application. @throws {Absent} if it has no provider */
function findProvider(world: World): 'plain' | 'alpha' | 'beta' {
  const name = (['plain', 'alpha', 'beta'] as const).find((each) => world.idOf(each) !== undefined)
  if (name === undefined) throw new Absent('the application has no OAuth provider')
  return name
}

/** Signs Ada in, so that there is a session to lose. */
async function signedIn(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn(findProvider(world), world.people.ada)
  return browser
}

/** Returns whether this application supports an action. */
function supports(world: World, action: Action): boolean {
  if (action === 'a mail with a link') return world.idOf('mail') !== undefined
  return action !== 'a password' || world.idOf('form') !== undefined
}

/** Checks that the request changed nothing: no session, update, mail or redirect to a provider. */
async function checkIdle(
  world: World,
  id: 'TX-17' | 'TX-18' | 'TX-19',
  browser: Browser,
  request: () => ReturnType<Browser['send']>,
  what: string,
  meaning: Partial<Meaning> = {},
): Promise<void> {
  const before = await takeSnapshot(world, browser)
  const mails = world.mailbox.mails.length
  const from = world.features.has('hooks') ? world.recorded.callbacks.length : 0
  const { location, json } = await request()
  // A script gets its redirect in the body.
  const url = member(json, 'url')
  const to = typeof url === 'string' && URL.canParse(url) ? new URL(url) : location
  const isAway = to !== undefined && to.origin !== world.origin
  const says = `${what} sent the browser to ${to?.origin}`
  world.check(id, !isAway, says, { observed: 'a request', ...meaning })
  world.check(id, world.mailbox.mails.length === mails, `${what} sent a mail`)
  if (world.features.has('hooks')) {
    const updates = world.recorded.callbacks.slice(from).filter(({ params }) => params.trigger === 'update')
    world.check(id, updates.length === 0, `${what} was accepted as an update of the session`)
  }
  await checkRefused(world, id, browser, before, what, meaning)
}

export const csrfProperties: readonly Property[] = [
  property({
    proves: ['TX-17'],
    name: 'changes nothing on a GET request to a route that needs a form',
    story: 'A link or an image on another page signs users in or out, or sends mail in their name.',
    advice: 'Let GET render pages only. Require a POST with the CSRF token for every change.',
    setups: all,
    runs: 60,
    input: fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as Action[])),
      method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'),
      trick: fc.constantFrom('none', 'override header', 'override parameter', 'fetch header'),
    }),
    async run(world, { action, method, trick }) {
      if (!supports(world, action)) return
      const browser = await signedIn(world)
      const { path, form } = actions[action](world)
      const query = new URLSearchParams({ csrfToken: await browser.csrfToken(), ...form })
      if (trick === 'override parameter') query.set('_method', 'POST')
      const headers = {
        ...(trick === 'override header' && { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }),
        ...(trick === 'fetch header' && { 'x-auth-return-redirect': '1', accept: 'application/json' }),
      }
      const send = () => browser.send(`${world.basePath}/${path}?${query}`, { method, headers })
      await checkIdle(world, 'TX-17', browser, send, `${method} for ${action}`)
      world.reach(action)
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'a form signs nobody out')
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'ignores a form without the browser’s own CSRF token',
    story: 'An attacker’s page posts forms in the name of its visitors.',
    advice:
      'Compare the token with the signed value in the cookie, as strings, in constant time. Accept no header instead.',
    setups: all,
    runs: 100,
    reaches: { 'from its own page, by its headers': 20 },
    input: fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as Action[])),
      token: fc.constantFrom(...Object.keys(invalidTokens)),
      crossSite: fc.boolean(),
      words: ownHeaderNames,
    }),
    async run(world, { action, token, crossSite, words }) {
      if (!supports(world, action)) return
      const browser = await signedIn(world)
      const right = await browser.csrfToken()
      const foreign = await world.browser('eve').csrfToken()
      const { path, form } = actions[action](world)
      const { query, ...invalid } = buildInvalidForm(world.origin, { token, words }, [right, foreign], form)
      const sending = { ...invalid, ...(crossSite && { crossSite }) }
      const send = () => browser.send(`${world.basePath}/${path}${query}`, sending)
      const headers = words.length > 0 ? ` and headers for ${words.join(', ')}` : ''
      const meaning = needsToken(token) ? ({ observed: 'a lax check' } as const) : {}
      await checkIdle(world, 'TX-18', browser, send, `${action} with ${token}${headers}`, meaning)
      world.reach(token)
      if (words.length > 0) world.reach('from its own page, by its headers')
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the right token signs nobody out')
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'ignores a form whose CSRF token the application did not sign',
    story: 'An attacker who can set a cookie from a sibling host supplies a token and the matching cookie.',
    advice: 'Sign the token in the cookie with the secret, and issue a new one if the signature is wrong.',
    setups: { ...all, ...nested },
    runs: 60,
    input: fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as Action[])),
      cookie: fc.constantFrom(...Object.keys(invalidCookies), 'a cookie that the attacker computed'),
      words: ownHeaderNames,
    }),
    async run(world, { action, cookie, words }) {
      if (!supports(world, action)) return
      const browser = await signedIn(world)
      const right = await browser.csrfToken()
      const [name, value] = Object.entries(browser.cookies()).find((pair) => pair[1].startsWith(right)) ?? []
      world.assume(name !== undefined && value !== undefined, 'no cookie begins with the token')
      const own = 'a'.repeat(64)
      const made = invalidCookies[cookie]?.(value ?? '')
      const set = cookie in invalidCookies ? made : `${own}%7C${await digest(own)}`
      // A cookie without a separator stays valid.
      if (set === value) return world.reach('a cookie that the attack does not change')
      const shown = set === undefined ? right : (decodeURIComponent(set).split('|')[0] ?? '')
      const { path, form } = actions[action](world)
      const send = () => {
        // An earlier request may have replaced the cookie.
        if (set === undefined) browser.dropCookie(String(name))
        else browser.setCookie(`${name}=${set}; Path=/; Secure; HttpOnly`)
        const headers = buildOwnHeaders(words, world.origin)
        return browser.send(`${world.basePath}/${path}`, { form: { csrfToken: shown, ...form }, headers })
      }
      await checkIdle(world, 'TX-18', browser, send, `${action} with ${cookie}`)
      world.reach(cookie)
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the right token signs nobody out')
    },
  }),

  property({
    proves: ['TX-19'],
    name: 'rejects a CSRF token from before a sign-in or sign-out',
    story:
      'An attacker plants a token in a browser before its owner signs in, and posts forms with it later.',
    advice: 'Issue a new token and cookie with every sign-in and sign-out.',
    setups: { ...all, 'in many cookies': { ...withPasswords.passwords, config: big } },
    runs: 30,
    input: fc.record({ by: fc.constantFrom('alpha', 'plain', 'mail', 'form'), end: fc.boolean() }),
    async run(world, { by, end }) {
      if (world.idOf(by) === undefined) return
      const browser = world.browser('ada')
      const old = await browser.csrfToken()
      await browser.signIn(by, world.people.ada)
      const fresh = await browser.csrfToken()
      world.check('TX-19', fresh !== old, `the CSRF token is the same before and after a sign-in by ${by}`)
      const send = () => browser.send(`${world.basePath}/signout`, { form: { csrfToken: old } })
      await checkIdle(world, 'TX-19', browser, send, 'a form with the token from before the sign-in')
      world.reach(by)
      if (!end) return
      const last = await browser.csrfToken()
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the new token signs nobody out')
      world.check(
        'TX-19',
        (await browser.csrfToken()) !== last,
        'the CSRF token is the same before and after a sign-out',
      )
    },
  }),
]

async function digest(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')
}
