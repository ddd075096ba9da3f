import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import type { Unsent } from '../../targets/target.ts'
import { Absent } from '../../world/breach.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { readForms } from '../../world/forms.ts'
import { property, type Property } from '../property.ts'
import { remotes } from '../support/consent.ts'
import { describedBy, withQuery } from '../support/described.ts'
import { links, types } from '../support/foreign-requests.ts'
import { forbidsFrames } from '../support/frames.ts'

/** Pages that are not the application, by the headers of their forms. A careless check takes some of them for it. */
const sites = {
  'another site': () => ({ origin: 'https://evil.example', referer: 'https://evil.example/' }),
  'a sandboxed page': () => ({ origin: 'null', referer: undefined }),
  'a site whose name begins like that of the application': ({ protocol, hostname }) => {
    const origin = `${protocol}//${hostname}.evil.example`
    return { origin, referer: `${origin}/` }
  },
  'a site with the application in its path': ({ href }) => ({
    origin: 'https://evil.example',
    referer: `https://evil.example/${href}`,
  }),
} satisfies Record<string, (own: URL) => Readonly<Record<'origin' | 'referer', string | undefined>>>

/** Tokens that a form must not accept. */
const wrongTokens = ['the token of another visitor', 'an empty token', 'another token', 'two tokens'] as const

/** Builds a form with a token that does not belong to the browser which sends it. */
async function withWrongToken(
  world: World,
  name: 'signIn' | 'signOut',
  provider: RemoteName,
  wrong: (typeof wrongTokens)[number],
): Promise<Unsent> {
  const { csrf, withProof } = describedBy(world)
  const { path, sending } = await withProof(world.browser('eve'), name, provider)
  const field = csrf?.field ?? ''
  if (wrong === 'the token of another visitor') return { path, sending }
  const { form, json, ...rest } = sending
  const right = json === undefined ? new URLSearchParams(form).get(field) : Reflect.get(Object(json), field)
  // The same length, so that a comparison that needs it is reached.
  const other = wrong === 'an empty token' ? '' : 'x'.repeat(String(right).length)
  const tokens = wrong === 'two tokens' ? [other, String(right)] : [other]
  if (json !== undefined) {
    const value: unknown = tokens.length > 1 ? tokens : other
    return { path, sending: { ...rest, json: { ...Object(json), [field]: value } } }
  }
  const fields = new URLSearchParams(form)
  fields.delete(field)
  for (const token of tokens) fields.append(field, token)
  return { path, sending: { ...rest, form: fields } }
}

/** What a form does that does not reach the session, because its browser sends no cookie with it. */
const lost = {
  observed: 'a lost cookie',
  story:
    'A page of another site makes the browser of its visitor drop the session cookie. The session stays alive, but the visitor has to sign in again.',
  advice: 'Set or clear a cookie only in response to a form whose CSRF token or Origin header is right.',
} as const

/** What a link to the callback contains that no provider has sent. */
const strayResponses = {
  'with an error': { error: 'access_denied' },
  'with an error and a state': { error: 'access_denied', state: 'state-of-an-attacker' },
  'with a code and a state': { code: 'code-of-an-attacker', state: 'state-of-an-attacker' },
  'without a response': {},
} satisfies Record<string, Readonly<Record<string, string>>>

export const describedFormProperties: readonly Property[] = [
  property({
    proves: ['TX-19'],
    name: 'accepts no CSRF token from before the sign-in',
    story: 'An attacker plants a cookie whose token they know, and acts for the victim who signs in with it.',
    advice: 'Generate a new token at every sign-in.',
    severity: 'hardening',
    needs: ['custom-routes'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada } = world.people
      const { csrf, withProof } = describedBy(world)
      if (!csrf) throw new Absent('no form has a CSRF token')
      const browser = world.browser('ada')
      const { path, sending } = await withProof(browser, 'signOut', provider)
      if (sending.method !== 'POST') throw new Absent('the sign-out is not a form')
      await browser.signIn(provider, ada)
      await browser.send(path, { ...sending, says: 'signs out with a token from before the sign-in' })
      const isIn = (await browser.whoAmI()) === ada.name
      world.check('TX-19', isIn, 'a CSRF token from before the sign-in is still valid after it', {
        observed: 'a sign-out',
      })
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the application’s own form signs nobody out')
    },
  }),

  property({
    proves: ['CK-13'],
    name: 'lets no other site show its forms in a frame',
    story:
      'A page of another site shows the form invisibly, and its visitors press the button without knowing.',
    advice:
      'Send Content-Security-Policy: frame-ancestors, or X-Frame-Options, with every page that has a form.',
    severity: 'hardening',
    needs: ['custom-routes'],
    runs: 2,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      await describedBy(world).withProof(browser, 'signIn', provider)
      await browser.signIn(provider, world.people.ada)
      const pages = world.replies.filter(
        ({ reply: { text, headers } }) =>
          /html/.test(headers.get('content-type') ?? '') &&
          readForms(text).some(({ method }) => method === 'post'),
      )
      if (pages.length === 0) throw new Absent('no page of the description has a form')
      for (const { request, reply } of pages) {
        const old = reply.headers.get('x-frame-options')
        const sent = old === null ? '' : `, although it has X-Frame-Options: ${old}`
        const says = `the page ${new URL(request.url).pathname} has a form, and any site can show it in a frame${sent}`
        world.check('CK-13', forbidsFrames(reply.headers), says, { observed: 'a missing protection' })
      }
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'signs nobody out through a form on another site',
    story: 'An attacker’s page signs its visitors out, with a form that is sent in their name.',
    advice: 'Compare a token of the form with one of the session, or check the Origin header.',
    severity: 'denial of service',
    needs: ['custom-routes'],
    runs: 22,
    ...everyOf({
      provider: remotes,
      by: [
        ...(Object.keys(sites) as (keyof typeof sites)[]),
        'a missing token',
        ...wrongTokens,
        ...(Object.keys(types) as (keyof typeof types)[]),
      ],
    }),
    async run(world, { provider, by }) {
      const { ada } = world.people
      const { csrf, withoutProof } = describedBy(world)
      const wrong = wrongTokens.find((each) => each === by)
      const isToken = wrong !== undefined
      // A form of another site sends no header of the attacker's choice.
      if (isToken && csrf?.field === undefined) throw new Absent('no form has a CSRF token')
      const { path, sending } = wrong
        ? await withWrongToken(world, 'signOut', provider, wrong)
        : withoutProof('signOut', provider)
      if (sending.method !== 'POST') throw new Absent('the sign-out is not a form')
      // Without a token, the application may rely on the origin of a request.
      const type = by in types ? types[by as keyof typeof types] : undefined
      const isForeign = (by !== 'a missing token' && type === undefined) || !csrf
      const isSite = by in sites
      const site = sites[isSite ? (by as keyof typeof sites) : 'another site'](new URL(world.origin))
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const { cookies: set } = await browser.send(path, {
        ...sending,
        ...(isForeign && {
          crossSite: 'old rules',
          // A form of another site cannot send the media type of JSON.
          headers: { ...site, ...(sending.json !== undefined && { 'content-type': 'text/plain' }) },
        }),
        ...(type !== undefined && {
          form: sending.form ?? { send: 'x' },
          headers: { ...(isForeign && site), 'content-type': type },
        }),
        says: isForeign
          ? `opens a page of another site that posts a form${isSite ? ` (${by})` : ` with ${by}`}`
          : `posts a form without its token${type === undefined ? '' : `, as ${type}`}`,
      })
      const isBlind = set.length > 0 && world.replies.at(-1)?.request.headers.has('cookie') === false
      const isIn = (await browser.whoAmI()) === ada.name
      const what = `a form ${isSite ? `of ${by}` : `with ${by}`}`
      if (isBlind)
        world.check('TX-18', isIn, `${what}, sent without cookies, replaced the session cookie of ada`, lost)
      world.check('TX-18', isIn, `${what} signed ada out`, { observed: 'a sign-out' })
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the application’s own form signs nobody out')
      world.reach(by)
    },
  }),

  property({
    proves: ['TX-18'],
    name: 'starts no sign-in from a form without its CSRF token',
    story: 'An attacker’s page signs its visitors in to an account of the attacker’s choice.',
    advice: 'Compare a token of the form with one of the session before you redirect to the provider.',
    needs: ['custom-routes'],
    runs: 12,
    ...everyOf({ provider: remotes, by: ['a missing token', ...wrongTokens], visitor: ['new', 'known'] }),
    async run(world, { provider, by, visitor }) {
      const { csrf, withoutProof } = describedBy(world)
      const wrong = wrongTokens.find((each) => each === by)
      if (!csrf || withoutProof('signIn', provider).sending.method !== 'POST')
        throw new Absent('the form of a sign-in has no CSRF token')
      // A form of another site sends no header of the attacker's choice.
      if (wrong && csrf.field === undefined) throw new Absent('no form has a CSRF token')
      const { path, sending } = wrong
        ? await withWrongToken(world, 'signIn', provider, wrong)
        : withoutProof('signIn', provider)
      const browser = world.browser('ada')
      if (visitor === 'known') await describedBy(world).withProof(browser, 'signIn', provider)
      const { location } = await browser.send(path, { ...sending, says: `posts a form with ${by}` })
      const isInside = location === undefined || location.origin === world.origin
      const started = `a form with ${by} starts a sign-in at ${provider}`
      world.check('TX-18', isInside, started, { observed: 'a request' })
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(by)
    },
  }),

  property({
    proves: ['TX-17'],
    name: 'starts no sign-in by a link, if a form starts it',
    story: 'A link or an image on another page signs its visitors in to an account of the attacker’s choice.',
    advice: 'Start a sign-in by POST only, and compare a token of its form.',
    needs: ['custom-routes'],
    runs: 10,
    ...everyOf({ provider: remotes, link: Object.keys(links) as (keyof typeof links)[] }),
    async run(world, { provider, link }) {
      const { path, sending } = describedBy(world).withoutProof('signIn', provider)
      if (sending.method !== 'POST') throw new Absent('a link starts the sign-in, as the description says')
      const { method, query } = links[link]
      const fields = Object.fromEntries(new URLSearchParams({ ...sending.form }))
      const says = 'follows a link to the sign-in'
      const { location } = await world
        .browser('ada')
        .send(withQuery(path, { ...fields, ...query }), { method, says })
      const isInside = location?.origin !== new URL(world.idps[provider].issuer).origin
      const started = `${link} starts a sign-in at ${provider}`
      world.check('TX-17', isInside, started, { observed: 'a request' })
      await world.browser('ada').signIn(provider, world.people.ada)
    },
  }),

  property({
    proves: ['TX-17'],
    name: 'signs nobody out by a link to the callback',
    story: 'A link or an image on another page, with an error in place of a code, signs users out.',
    advice: 'Replace a session only after a sign-in of the same browser has succeeded.',
    severity: 'denial of service',
    needs: ['description'],
    runs: 8,
    ...everyOf({ provider: remotes, link: Object.keys(strayResponses) as (keyof typeof strayResponses)[] }),
    async run(world, { provider, link }) {
      const { ada } = world.people
      const { location } = await world.browser('eve').start(provider)
      const callback = location?.searchParams.get('redirect_uri')
      if (!callback) throw new Absent('the authorization request does not show its redirect_uri')
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const path = withQuery(new URL(callback).pathname, strayResponses[link])
      await browser.send(path, { says: `follows a link to the callback ${link}` })
      const isIn = (await browser.whoAmI()) === ada.name
      world.check('TX-17', isIn, `a link to the callback ${link} signed ada out`, { observed: 'a sign-out' })
    },
  }),

  property({
    proves: ['TX-17'],
    name: 'signs nobody out by a link',
    story: 'A link or an image on another page signs users out.',
    advice: 'Sign out by POST only.',
    severity: 'denial of service',
    needs: ['custom-routes'],
    runs: 10,
    ...everyOf({ provider: remotes, link: Object.keys(links) as (keyof typeof links)[] }),
    async run(world, { provider, link }) {
      const { ada } = world.people
      const { path } = describedBy(world).withoutProof('signOut', provider)
      const { method, query } = links[link]
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      await browser.send(withQuery(path, query), { method, says: 'follows a link to the sign-out' })
      const isIn = (await browser.whoAmI()) === ada.name
      world.check('TX-17', isIn, `${link} signed ada out`, { observed: 'a sign-out' })
      await browser.signOut()
      world.assume((await browser.whoAmI()) === undefined, 'the sign-out signs nobody out')
    },
  }),
]
