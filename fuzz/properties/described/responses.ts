import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, readUser, withQuery } from '../support/described.ts'
import { findKeeping, findSharing } from '../support/shared-caches.ts'

const shown = { observed: 'a secret' } as const
const another = { observed: 'another user' } as const
const alive = { observed: 'a session' } as const

/** Names of the parameter that names the function which a script calls. */
const functionNames = [
  'callback',
  'jsonp',
  'jsonpCallback',
  'cb',
  'func',
  'function',
  'jsoncallback',
] as const

/** What makes the path of a page look like that of a file, for a cache. */
const fileSuffixes = ['/x.css', ';x.css', '.css', '%2Fx.js', '/x.png', '?x.js'] as const

/** Origins of others. A careless check takes some of them for the application. */
const sites = {
  'another site': () => 'https://evil.example',
  'a sandboxed page': () => 'null',
  'a host that begins with its name': ({ protocol, hostname }) => `${protocol}//${hostname}.evil.example`,
  'a host that ends with its name': ({ protocol, host }) => `${protocol}//evil-${host}`,
} satisfies Record<string, (own: URL) => string>

/** Headers that a proxy sets, and that any client can send if there is none. */
const forwarded = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-server': 'evil.example',
  'x-original-host': 'evil.example',
  'x-host': 'evil.example',
  forwarded: 'host=evil.example',
  'x-forwarded-prefix': '//evil.example',
} as const

/** Parameters of an authorization request that only the application chooses, with values of an attacker. */
const chosen = {
  client_id: 'client-of-an-attacker',
  redirect_uri: 'https://evil.example/',
  response_type: 'token',
  response_mode: 'fragment',
  client_secret: 'secret-of-an-attacker',
  request: 'e30.e30.',
  state: 'state-of-an-attacker',
  nonce: 'nonce-of-an-attacker',
  code_challenge: 'challenge-of-an-attacker-0123456789-0123456',
  code_challenge_method: 'plain',
  request_uri: 'https://evil.example/request',
} as const

export const describedResponseProperties: readonly Property[] = [
  property({
    proves: ['CK-12'],
    name: 'forbids shared caches to store who is signed in',
    story: 'A cache between the application and its users serves the session of one user to another.',
    advice: 'Send `Cache-Control: private, no-store` with every response that shows a user.',
    needs: ['custom-routes'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { headers } = await readSignedIn(world, provider)
      const sharing = findSharing(headers)
      const says = `the page that shows who is signed in has ${sharing}`
      world.check('CK-12', sharing === undefined, says, shown)
    },
  }),

  property({
    proves: ['CK-12'],
    name: 'lets no browser show who was signed in from its cache',
    story:
      'A user signs out at a shared computer. The next person opens the page, and the browser shows that of the user without asking.',
    advice: 'Send `Cache-Control: private, no-store` with every response that shows a user.',
    severity: 'leak',
    needs: ['custom-routes'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { headers } = await readSignedIn(world, provider)
      const keeping = findKeeping(headers)
      const says = `the page that shows who is signed in has ${keeping}, so browsers show it after a sign-out`
      world.check('CK-12', keeping === undefined, says, shown)
    },
  }),

  property({
    proves: ['CK-12'],
    name: 'forbids shared caches to store a response that sets the session cookie',
    story: 'A cache stores the response to the sign-in of a user, and signs in everyone who gets it.',
    advice: 'Send `Cache-Control: private, no-store` with every response that sets a cookie.',
    needs: ['custom-routes'],
    severity: 'session',
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { sessionCookie, sessionRequest } = describedBy(world)
      const browser = world.browser('ada')
      await browser.signIn(provider, world.people.ada)
      for (const page of [
        sessionRequest.path,
        `${describedBy(world).root}/`,
        `${describedBy(world).root}/robots.txt`,
      ])
        await browser.send(page, { says: 'opens a page, which may extend the session' })
      const setting = world.replies.filter(({ reply }) =>
        reply.cookies.some(({ key, value }) => value !== '' && sessionCookie({ [key]: value }) !== ''),
      )
      world.assume(setting.length > 0, 'no response sets the session cookie of the description')
      for (const { request, reply } of setting) {
        const sharing = findSharing(reply.headers)
        const says = `${new URL(request.url).pathname} sets the session cookie with ${sharing}`
        world.check('CK-12', sharing === undefined, says, alive)
      }
    },
  }),

  property({
    proves: ['CK-12'],
    name: 'lets no shared cache store a page that shows who is signed in, under the name of a file',
    story:
      'A link to /me/x.css shows the page of its visitor, and a cache that stores style sheets gives it to the attacker.',
    advice:
      'Answer only the exact path, and send `Cache-Control: private, no-store` with every response that shows a user.',
    needs: ['description'],
    severity: 'leak',
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const { path } = describedBy(world).sessionRequest
      for (const suffix of fileSuffixes) {
        const user = await readUser(world, browser, { suffix, says: `opens its page as ${suffix}` })
        const sharing = findSharing(world.replies.at(-1)?.reply.headers ?? new Headers())
        const isShown = user === ada.address[provider] && sharing !== undefined
        world.check('CK-12', !isShown, `${path}${suffix} shows who is signed in, with ${sharing}`, shown)
      }
    },
  }),

  property({
    proves: ['IL-08'],
    name: 'shows no other site who is signed in, by a script',
    story: 'A page of another site loads the session as a script, which calls a function of that page.',
    advice: 'Return JSON alone, and no call of a function that a parameter names.',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      await browser.signIn(provider, world.people.ada)
      const { path } = describedBy(world).sessionRequest
      const query = Object.fromEntries(functionNames.map((name) => [name, 'canaryfunction']))
      const { text, headers } = await browser.send(withQuery(path, query), {
        says: 'loads the session as a script',
      })
      const isCall = /canaryfunction\s*\(/.test(text) && !/html/.test(headers.get('content-type') ?? '')
      world.check(
        'IL-08',
        !isCall,
        'a parameter turns the session into a script that any site can load',
        shown,
      )
    },
  }),

  property({
    proves: ['IL-08'],
    name: 'shows no other site who is signed in',
    story: 'A page of another site reads who its visitor is, and whatever else the application shows them.',
    advice: 'Send no Access-Control-Allow-Origin header, or only for a list of origins.',
    needs: ['custom-routes'],
    runs: 12,
    ...everyOf({ provider: remotes, site: Object.keys(sites) as (keyof typeof sites)[] }),
    async run(world, { provider, site }) {
      const origin = sites[site](new URL(world.origin))
      const { headers } = await readSignedIn(world, provider, { origin })
      const isOpen = (sent: Headers) =>
        sent.get('access-control-allow-origin') === origin &&
        sent.get('access-control-allow-credentials') === 'true'
      const isAllowed = isOpen(headers)
      const says = `the page that shows who is signed in allows ${origin} to read it with cookies (access-control-allow-origin: ${origin}; access-control-allow-credentials: true)`
      world.check('IL-08', !isAllowed, says, shown)
      const { from } = describedBy(world).csrf ?? {}
      for (const page of new Set([from ?? '/', '/'])) {
        const path = `${describedBy(world).root}${page}`
        const reply = await world.browser('ada').send(path, { headers: { origin }, says: 'opens a page' })
        const what = page === from ? 'which contains the CSRF token of its visitor, ' : ''
        const text = `the page ${path}, ${what}allows ${origin} to read it with cookies`
        world.check('IL-08', !isOpen(reply.headers), text, shown)
      }
    },
  }),

  property({
    proves: ['TX-13'],
    name: 'takes no parameter of its authorization request from the link or form that starts a sign-in',
    story: 'A link to the real sign-in page chooses where the provider sends the code, or switches off PKCE.',
    advice: 'Pass on only parameters that you list, such as `prompt` and `login_hint`.',
    needs: ['custom-routes'],
    runs: 11,
    ...everyOf({ provider: remotes, parameter: Object.keys(chosen) as (keyof typeof chosen)[] }),
    async run(world, { provider, parameter }) {
      const browser = world.browser('ada')
      const { path, sending } = await describedBy(world).withProof(browser, 'signIn', provider)
      const value = chosen[parameter]
      const query = `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [parameter]: value })}`
      const says = `starts a sign-in with the parameter ${parameter}`
      let { location } = await browser.send(`${path}${query}`, { ...sending, says })
      for (let hop = 0; hop < 3 && location?.origin === world.origin; hop++)
        location = (await browser.send(location.href, { says: 'follows the redirect' })).location
      const isElsewhere = location !== undefined && location.origin !== world.origin
      const isTaken = isElsewhere && location?.searchParams.getAll(parameter).includes(value)
      world.check('TX-13', isTaken !== true, `a link chooses the ${parameter} of the authorization request`, {
        observed: 'a missing protection',
      })
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(parameter)
    },
  }),

  property({
    proves: ['HH-07'],
    name: 'takes the host of its callback from no header that a client can send',
    story:
      'A cached page, or a request that an attacker can shape, sends the code of a user to another host.',
    advice: 'Configure the address of the application, or let your proxy replace these headers.',
    needs: ['description'],
    runs: 5,
    ...everyOf({ provider: remotes, header: Object.keys(forwarded) as (keyof typeof forwarded)[] }),
    async run(world, { provider, header }) {
      const browser = world.browser('ada')
      const { path, sending } = await describedBy(world).withProof(browser, 'signIn', provider)
      const headers = { ...sending.headers, [header]: forwarded[header] }
      const says = `starts a sign-in with the header ${header}`
      const { location } = await browser.send(path, { ...sending, headers, says })
      const callback = location?.searchParams.get('redirect_uri') ?? ''
      const isTaken = callback.includes('evil.example') || location?.hostname === 'evil.example'
      const what = callback.includes('evil.example') ? 'redirect_uri' : 'redirect'
      world.check('HH-07', !isTaken, `${header} changes the ${what} of a sign-in`, {
        observed: 'a missing protection',
      })
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(header)
    },
  }),

  property({
    proves: ['HH-07'],
    name: 'takes the host of a redirect or a mailed link from no header that a client can send',
    story: 'An attacker requests a mail for a victim, whose link has the host of the attacker in it.',
    advice: 'Configure the address of the application, or let your proxy replace these headers.',
    needs: ['description'],
    severity: 'takeover',
    runs: 10,
    ...everyOf({ provider: remotes, header: Object.keys(forwarded) as (keyof typeof forwarded)[] }),
    async run(world, { provider, header }) {
      const { ada } = world.people
      const headers = { [header]: forwarded[header] }
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, ada)
      const callback = world.idps[provider].requestsTo('authorize').at(-1)?.parameters.get('redirect_uri')
      if (arrival.mode === 'query' && callback !== null && callback !== undefined) {
        const { pathname, search } = new URL(callback)
        const path = withQuery(`${pathname}${search}`, Object.fromEntries(arrival.parameters))
        world.prove(browser, ada, provider)
        const { location } = await browser.send(path, { headers, says: `returns with the header ${header}` })
        const isLeft = location?.hostname === 'evil.example'
        const says = `${header} changes the host of the redirect after a sign-in`
        world.check('HH-07', !isLeft, says, { observed: 'a missing protection' })
      }
      await checkMail(world, header, forwarded[header])
      await checkMail(world, 'host', 'evil.example')
      await world.browser('ada').signIn(provider, ada)
      world.reach(header)
    },
  }),
]

/** Requests a mail with a forwarded host, if the application sends mails. */
async function checkMail(world: World, header: string, host: string): Promise<void> {
  const { mail: address } = world.people.ada.address
  const browser = world.browser('eve')
  try {
    const { path, sending } = await describedBy(world).mailRequest(browser, address)
    const before = world.mailbox.mails.length
    const headers = { ...sending.headers, [header]: host }
    await browser.send(path, { ...sending, headers, says: `requests a mail with the header ${header}` })
    const mail = await world.mailbox.waitFor(address, before)
    const isTaken = mail?.link.hostname === 'evil.example'
    world.check('HH-07', !isTaken, `${header} changes the host of a mailed link`, another)
  } catch (error) {
    if (!(error instanceof Absent)) throw error
  }
}

/** Returns the response that shows a signed-in user. */
async function readSignedIn(
  world: World,
  provider: (typeof remotes)[number],
  headers: Readonly<Record<string, string>> = {},
) {
  const browser = world.browser('ada')
  await browser.signIn(provider, world.people.ada)
  const { path } = describedBy(world).sessionRequest
  const reply = await browser.send(path, { headers, says: 'asks who is signed in' })
  world.assume(reply.status === 200, `${path} returns ${reply.status}`)
  return reply
}
