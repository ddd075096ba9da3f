import { Absent, Unreached } from '../../world/breach.ts'
import type { Browser, Routes, Sending } from '../../world/browser.ts'
import { readForms } from '../../world/forms.ts'
import { ownerOf, people, type ProviderName, type RemoteName } from '../../world/people.ts'
import type { Reading } from '../../world/reading.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { Unsent } from '../target.ts'
import { idFor, type DescribedCsrf, type DescribedRequest, type Description } from './description.ts'

/** How often a sign-in may redirect within the application before it reaches the provider. */
const maxHops = 3

/** Where an application is, and which callbacks its sign-ins named. */
export interface Place {
  readonly origin: string
  readonly basePath: string
  /** The paths of callbacks, by provider. */
  readonly callbacks: ReadonlyMap<RemoteName, string>
}

type Values = Readonly<Record<'provider' | 'address' | 'returnTo', string>>

/** Returns the routes that a description names. */
export function openDescribedRoutes(
  description: Description,
  { origin, basePath, callbacks }: Place,
): Routes {
  const { signIn, signOut, mail, session } = description
  const send = async (browser: Browser, request: DescribedRequest, values: Values, says: string) => {
    const { path, sending } = await prepare(browser, request, values, description, { origin, basePath })
    return browser.send(path, { ...sending, says })
  }

  return {
    csrfToken() {
      throw new Absent('the description has no route for CSRF tokens')
    },
    async start(browser, provider, { callbackUrl = '/', email = '' }) {
      const isMail = provider === 'mail'
      if (isMail && !mail) throw new Absent('the description has no "mail"')
      const values = { provider: idFor(description, provider), address: email, returnTo: callbackUrl }
      const request = (isMail && mail) || signIn
      const first = await send(browser, request, values, `starts a sign-in at ${provider}`)
      const reply = isMail ? first : await followInside(browser, first, origin)
      const url = request.redirect && member(reply.json, ...request.redirect.split('.'))
      return typeof url === 'string' && URL.canParse(url, origin)
        ? { ...reply, location: new URL(url, origin) }
        : reply
    },
    arrive(browser, { provider, parameters, mode }) {
      const values = { provider: idFor(description, provider), address: '', returnTo: '' }
      const path = description.callback
        ? `${basePath}${fill(description.callback, { ...values, origin }, String)}`
        : callbacks.get(provider)
      if (path === undefined) throw new Absent(`the application does not use the provider ${provider}`)
      const says = `returns from ${provider}`
      if (mode === 'form_post') return browser.send(path, { form: parameters, crossSite: true, says })
      return browser.send(`${path}${path.includes('?') ? '&' : '?'}${parameters}`, { says })
    },
    async readSession(browser) {
      const reply = await browser.send(`${basePath}${session.url}`, { says: 'asks who is signed in' })
      return { ...reply, status: 200, json: readSession(description, reply) }
    },
    async signOut(browser, { callbackUrl = '/' }) {
      if (!signOut) throw new Absent('the description has no "signOut"')
      return send(browser, signOut, { provider: '', address: '', returnTo: callbackUrl }, 'signs out')
    },
  }
}

/** Builds a described request with the CSRF token of this browser, if it needs one. */
export async function prepare(
  browser: Browser,
  request: DescribedRequest,
  values: Values,
  { csrf = 'none' }: Description,
  place: Omit<Place, 'callbacks'>,
): Promise<Unsent> {
  const needsProof = csrf !== 'none' && methodOf(request) === 'POST'
  return build(request, values, place, needsProof ? await fetchProof(browser, csrf, place.basePath) : {})
}

/** Follows redirects within the application, to the one that leaves it. */
async function followInside(browser: Browser, first: Reply, origin: string): Promise<Reply> {
  let reply = first
  for (let hop = 0; hop < maxHops && reply.location?.origin === origin; hop++)
    reply = await browser.send(reply.location.href, { says: 'follows the redirect' })
  return reply
}

/** Returns what requests to these routes do. */
export function openReading(
  description: Description,
  { origin, basePath }: Omit<Place, 'callbacks'>,
): Reading {
  const session = new URL(`${basePath}${description.session.url}`, origin)
  return {
    actionOf: ({ url, method }) =>
      method === 'GET' && new URL(url).pathname === session.pathname ? 'session' : undefined,
    sessionOf: (reply) => readSession(description, reply),
  }
}

/** Builds a described request; without a proof it has no CSRF token. */
export function build(
  request: DescribedRequest,
  values: Values,
  { origin, basePath }: Omit<Place, 'callbacks'>,
  { field = {}, header: headers = {} }: Proof = {},
): Unsent {
  const { url, fields, json } = request
  const method = methodOf(request)
  const all = { ...values, origin }
  const filled = fillAll(json ?? fields ?? {}, all)
  const query = new URLSearchParams({ ...filled })
  // A URL cannot carry half of a character.
  const encode = (value: string) => encodeURIComponent(value.toWellFormed())
  const path = `${basePath}${fill(url, all, encode)}`
  if (method === 'GET') return { path: query.size > 0 ? `${path}?${query}` : path, sending: { headers } }
  const body: Sending = json ? { json: { ...filled, ...field } } : { form: { ...filled, ...field } }
  return { path, sending: { method, headers, ...body } }
}

/** The CSRF token as the application expects it back. */
interface Proof {
  readonly field?: Readonly<Record<string, string>>
  readonly header?: Readonly<Record<string, string>>
}

async function fetchProof(browser: Browser, csrf: DescribedCsrf, basePath: string): Promise<Proof> {
  const token = await fetchToken(browser, csrf, basePath)
  if (csrf.header !== undefined) return { header: { [csrf.header]: token } }
  return { field: { [csrf.field ?? '']: token } }
}

async function fetchToken(
  browser: Browser,
  { from, cookie, json, field = '' }: DescribedCsrf,
  basePath: string,
) {
  if (from === undefined) {
    const value = browser.cookies()[cookie ?? '']
    if (value === undefined) throw new Unreached(`the browser has no cookie ${cookie}`)
    return decodeURIComponent(value)
  }
  const page = await browser.send(`${basePath}${from}`, { says: 'opens the page with the form' })
  const token = json
    ? member(page.json, ...json.split('.'))
    : readForms(page.text).find(({ fields }) => fields[field] !== undefined)?.fields[field]
  if (typeof token !== 'string')
    throw new Unreached(
      `${from} has no CSRF token in ${json ? `the member ${json}` : `a form with the field ${field}`}. A token is fetched before every POST: if none is needed here, write the request as a GET`,
    )
  return token
}

/** Returns the method of a request; with fields or JSON, it is a POST by default. */
export function methodOf({ method, fields, json }: DescribedRequest): 'GET' | 'POST' {
  return method ?? (fields || json ? 'POST' : 'GET')
}

type Filling = Values & { readonly origin: string }

function fill(text: string, values: Filling, encode: (value: string) => string): string {
  const { origin, returnTo } = values
  // A target that is no path of the application replaces the whole URL, or it would never leave the application.
  const target = /^\/(?![/\\\s])/.test(returnTo) ? `${origin}${returnTo}` : returnTo
  return text.replaceAll(
    /\{origin\}\{returnTo\}|\{(provider|address|returnTo|origin)\}/g,
    (_, name: keyof Filling | undefined) => {
      if (name === undefined) return encode(target)
      return name === 'provider' ? values[name] : encode(values[name])
    },
  )
}

function fillAll(texts: Readonly<Record<string, string>>, values: Filling): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, values, String)]))
}

/** Reads who is signed in, as a session in the format of Auth.js. */
function readSession({ session }: Description, { status, json, text }: Reply): unknown {
  if (status !== 200) return null
  const user = session.text ? findUser(text, session.text) : member(json, ...(session.user ?? '').split('.'))
  return typeof user === 'string' && user !== '' ? { user: { email: addressOf(user) } } : null
}

function findUser(page: string, around: string): string | undefined {
  const [before = '', after = ''] = around
    .split('{user}')
    .map((part) =>
      part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`),
    )
  return new RegExp(`${before}([^<>"'\\s]{1,320}?)${after || String.raw`(?=[<>"'\s]|$)`}`).exec(page)?.[1]
}

/** Returns an address of the person whose name or subject an application shows. */
function addressOf(user: string): string {
  if (ownerOf(user)) return user
  const [name = '', at] = user.split('-at-')
  const person = Object.hasOwn(people, name) ? people[name as keyof typeof people] : undefined
  return person?.address[(at ?? 'alpha') as ProviderName] ?? user
}
