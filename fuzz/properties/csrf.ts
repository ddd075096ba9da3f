import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import { secret } from '../targets/configure.ts'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { beginning, ownWords, sayOwn, spoil, spoiltCookies, spoiltTokens } from './support/spoilt-csrf.ts'
import { holdRefused, takeStock } from './support/stock.ts'

/** What changes a state, with the form that would do it; the browser is signed in as Ada. */
const actions = {
  'a sign-in at a provider': (world) => ({ path: `signin/${world.idOf('alpha') ?? ''}`, form: {} }),
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

const nested = { 'secrets in each other': { config: { secret: [`${beginning}${secret}`, secret] } } }

/** Signs Ada in, so that there is something to lose. */
async function signedIn(world: World): Promise<Browser> {
  const browser = world.browser('ada')
  await browser.signIn('plain', world.people.ada)
  return browser
}

/** The actions that this application has. */
function actionsOf(world: World, action: Action): boolean {
  if (action === 'a mail with a link') return world.idOf('mail') !== undefined
  return action !== 'a password' || world.idOf('form') !== undefined
}

/** Holds that the request did nothing: nobody in or out, no update, no mail, no way to a provider. */
async function holdIdle(
  world: World,
  id: 'TX-17' | 'TX-18' | 'TX-19',
  browser: Browser,
  request: () => ReturnType<Browser['send']>,
  what: string,
): Promise<void> {
  const before = await takeStock(world, browser)
  const mails = world.mailbox.mails.length
  const asked = world.features.has('hooks') ? world.told.callbacks.length : 0
  const { location, json } = await request()
  // A script is told where to go in the body.
  const told = member(json, 'url')
  const to = typeof told === 'string' && URL.canParse(told) ? new URL(told) : location
  const isAway = to !== undefined && to.origin !== world.origin
  world.hold(id, !isAway, `${what} sent the browser to ${to?.origin}`)
  world.hold(id, world.mailbox.mails.length === mails, `${what} sent a mail`)
  if (world.features.has('hooks')) {
    const updates = world.told.callbacks.slice(asked).filter(({ params }) => params.trigger === 'update')
    world.hold(id, updates.length === 0, `${what} was taken for an update of the session`)
  }
  await holdRefused(world, id, browser, before, what)
}

export const csrfProperties: readonly Property[] = [
  property({
    proves: ['TX-17'],
    name: 'nothing that needs a form is done by a request of another method',
    story: 'A link or an image on another page signs people out, in, or sends mails in their name.',
    advice: 'Let GET answer with pages alone, and demand a POST with the token for what changes something.',
    setups: all,
    runs: 60,
    input: fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as Action[])),
      method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'),
      trick: fc.constantFrom('none', 'override header', 'override parameter', 'fetch header'),
    }),
    async run(world, { action, method, trick }) {
      if (!actionsOf(world, action)) return
      const browser = await signedIn(world)
      const { path, form } = actions[action](world)
      const query = new URLSearchParams({ csrfToken: await browser.csrfToken(), ...form })
      if (trick === 'override parameter') query.set('_method', 'POST')
      const headers = {
        ...(trick === 'override header' && { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }),
        ...(trick === 'fetch header' && { 'x-auth-return-redirect': '1', accept: 'application/json' }),
      }
      const send = () => browser.send(`${world.basePath}/${path}?${query}`, { method, headers })
      await holdIdle(world, 'TX-17', browser, send, `${method} for ${action}`)
      world.reach(action)
      await browser.signOut()
      world.demand((await browser.whoAmI()) === undefined, 'a form signs nobody out')
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'a form without the token of its own browser does nothing',
    story: 'A page of an attacker posts forms in the name of whoever visits it.',
    advice:
      'Compare the token with the signed one of the cookie, as text, in constant time; no header stands for it.',
    setups: all,
    runs: 100,
    reaches: { 'from its own page, by its headers': 20 },
    input: fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as Action[])),
      token: fc.constantFrom(...Object.keys(spoiltTokens)),
      crossSite: fc.boolean(),
      words: ownWords,
    }),
    async run(world, { action, token, crossSite, words }) {
      if (!actionsOf(world, action)) return
      const browser = await signedIn(world)
      const right = await browser.csrfToken()
      const foreign = await world.browser('eve').csrfToken()
      const { path, form } = actions[action](world)
      const { query, ...spoilt } = spoil(world.origin, { token, words }, [right, foreign], form)
      const sending = { ...spoilt, ...(crossSite && { crossSite }) }
      const send = () => browser.send(`${world.basePath}/${path}${query}`, sending)
      const said = words.length > 0 ? ` that says ${words.join(', ')}` : ''
      await holdIdle(world, 'TX-18', browser, send, `${action} with ${token}${said}`)
      world.reach(token)
      if (words.length > 0) world.reach('from its own page, by its headers')
      await browser.signOut()
      world.demand((await browser.whoAmI()) === undefined, 'the right token signs nobody out')
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'a form whose token is not signed by this application does nothing',
    story:
      'Who can set a cookie, from a sibling host, brings a token of her own and the cookie that goes with it.',
    advice: 'Sign the token in the cookie with the secret, and mint a new one when the signature is wrong.',
    setups: { ...all, ...nested },
    runs: 60,
    input: fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as Action[])),
      cookie: fc.constantFrom(...Object.keys(spoiltCookies), 'a cookie of the attacker’s own making'),
      words: ownWords,
    }),
    async run(world, { action, cookie, words }) {
      if (!actionsOf(world, action)) return
      const browser = await signedIn(world)
      const right = await browser.csrfToken()
      const [name, value] = Object.entries(browser.cookies()).find((pair) => pair[1].startsWith(right)) ?? []
      world.demand(name !== undefined && value !== undefined, 'no cookie begins with the token')
      const own = 'a'.repeat(64)
      const made = spoiltCookies[cookie]?.(value ?? '')
      const set = cookie in spoiltCookies ? made : `${own}%7C${await digest(own)}`
      const shown = set === undefined ? right : (decodeURIComponent(set).split('|')[0] ?? '')
      const { path, form } = actions[action](world)
      const send = () => {
        // What was looked at meanwhile may have mended the cookie.
        if (set === undefined) browser.dropCookie(String(name))
        else browser.setCookie(`${name}=${set}; Path=/; Secure; HttpOnly`)
        const headers = sayOwn(words, world.origin)
        return browser.send(`${world.basePath}/${path}`, { form: { csrfToken: shown, ...form }, headers })
      }
      await holdIdle(world, 'TX-18', browser, send, `${action} with ${cookie}`)
      world.reach(cookie)
      await browser.signOut()
      world.demand((await browser.whoAmI()) === undefined, 'the right token signs nobody out')
    },
  }),

  property({
    proves: ['TX-19'],
    name: 'the CSRF token of before a sign-in or a sign-out is worth nothing after it',
    story: 'An attacker plants a token in a browser before its owner signs in, and posts with it afterwards.',
    advice: 'Mint a new token, and its cookie, with every sign-in and every sign-out.',
    setups: all,
    runs: 30,
    input: fc.record({ by: fc.constantFrom('alpha', 'plain', 'mail', 'form'), end: fc.boolean() }),
    async run(world, { by, end }) {
      if (world.idOf(by) === undefined) return
      const browser = world.browser('ada')
      const old = await browser.csrfToken()
      await browser.signIn(by, world.people.ada)
      const fresh = await browser.csrfToken()
      world.hold('TX-19', fresh !== old, `the token is the same after a sign-in by ${by}`)
      const send = () => browser.send(`${world.basePath}/signout`, { form: { csrfToken: old } })
      await holdIdle(world, 'TX-19', browser, send, 'a form with the token of before the sign-in')
      world.reach(by)
      if (!end) return
      const last = await browser.csrfToken()
      await browser.signOut()
      world.demand((await browser.whoAmI()) === undefined, 'the new token signs nobody out')
      world.hold('TX-19', (await browser.csrfToken()) !== last, 'the token is the same after a sign-out')
    },
  }),
]

async function digest(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')
}
