import { memoryAdapter } from '../../adapters/memory.ts'
import { createHandler } from '../../handler/create-handler.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { Feature } from '../../types/feature.ts'
import { newcomers } from './newcomers.ts'

const origin = 'https://feature.test'

/** A browser that keeps cookies and follows nothing. */
interface Visitor {
  readonly send: (path: string, fields?: Readonly<Record<string, string>>) => Promise<Seen>
}

/** A response, and the error that its request logged. */
interface Seen {
  readonly status: number
  readonly location: string
  readonly body: string
  readonly error: string
}

/**
 * The people who sign in: a known user with a name and an address, one with only an id, and a new user, for whom a gate gets
 * no `userId`.
 */
const people = ['ada', 'nameless', 'newcomer'] as const

/** The providers that the routes of a feature name, and the experimental options that they need. */
export type TestedSite = Partial<Pick<AuthConfig, 'experimental' | 'providers'>>

/** Visits the routes of a feature, as a new visitor and as people who sign in. Returns what is wrong. */
export async function browseRoutes(feature: Feature, site: TestedSite): Promise<string[]> {
  const faults: string[] = []
  for (const [action, { methods, caller, providers }] of Object.entries(feature.routes ?? {})) {
    const path = `/auth/${[action, ...(providers?.slice(0, 1) ?? [])].join('/')}`
    const visitor = openSite([feature], site)
    const get = await visitor.send(path)
    const post = await visitor.send(path, { csrfToken: 'wrong' })
    if (!methods.includes('GET')) faults.push(...checkRefused('GET', path, get))
    else if (isFailure(get)) faults.push(`GET ${path} has status ${get.status}${get.error}`)
    if (!methods.includes('POST')) faults.push(...checkRefused('POST', path, post))
    else if (caller === 'server') {
      if (isFailure(post)) faults.push(`POST ${path} has status ${post.status}${post.error}`)
    } else if (!post.location.includes('MissingCSRF'))
      faults.push(`POST ${path} must refuse a wrong CSRF token, got status ${post.status}${post.error}`)
  }
  faults.push(...(await checkForm(feature, site)), ...(await checkSection(feature, site)))
  for (const person of people) faults.push(...(await arriveAs(person, feature, site)))
  return faults
}

/** The sign-in page shows the form of the feature, which posts to one of its routes. */
async function checkForm(feature: Feature, site: TestedSite): Promise<string[]> {
  if (!feature.signIn?.form) return []
  const visitor = openSite([feature], site)
  const page = await visitor.send('/auth/signin')
  if (page.status !== 200) return [`The sign-in page has status ${page.status}${page.error}`]
  return postsToRoute(page, feature) ? [] : ['The form on the sign-in page posts to no route of the feature']
}

function postsToRoute({ body }: Seen, { routes = {} }: Feature): boolean {
  return Object.entries(routes)
    .filter(([, { methods }]) => methods.includes('POST'))
    .some(([action]) => body.includes(`<form action="${origin}/auth/${action}" method="POST">`))
}

/** The account page shows the section of the feature. */
async function checkSection(feature: Feature, site: TestedSite): Promise<string[]> {
  if (!feature.account) return []
  const { gate } = feature
  const passing: Feature = gate ? { ...feature, gate: { ...gate, check: () => 'pass' } } : feature
  const visitor = openSite([newcomers, passing], { ...site, accountPage: true })
  const { csrfToken } = JSON.parse((await visitor.send('/auth/csrf')).body) as { csrfToken: string }
  await visitor.send(`/auth/${newcomers.name}`, { csrfToken })
  const page = await visitor.send('/auth/account')
  return page.status === 200 ? [] : [`The account page has status ${page.status}${page.error}`]
}

function checkRefused(method: string, path: string, { status }: Seen): string[] {
  return status === 405 ? [] : [`${method} ${path} must have status 405, got ${status}`]
}

/** 503 tells that the site is closed for a while. */
function isFailure({ status }: Seen): boolean {
  return status >= 500 && status !== 503
}

/** Signs in. If the gate holds the sign-in, there must be no session, and the page of the gate must be shown. */
async function arriveAs(
  person: (typeof people)[number],
  feature: Feature,
  site: TestedSite,
): Promise<string[]> {
  const { gate, name, routes = {} } = feature
  if (!gate) return []
  const faults = await arrive(person, feature, feature, site)
  // A page that these people do not see must work, too.
  const holding: Feature = { ...feature, gate: { ...gate, check: () => 'hold' } }
  return Object.hasOwn(routes, name) ? [...faults, ...(await arrive(person, feature, holding, site))] : faults
}

async function arrive(
  person: string,
  { name }: Feature,
  shown: Feature,
  site: TestedSite,
): Promise<string[]> {
  const visitor = openSite(person === 'newcomer' ? [newcomers, shown] : [shown], site)
  const { csrfToken } = JSON.parse((await visitor.send('/auth/csrf')).body) as { csrfToken: string }
  const route = person === 'newcomer' ? newcomers.name : 'callback/person'
  const arrived = await visitor.send(`/auth/${route}`, { csrfToken, person })
  const session = (await visitor.send('/auth/session')).body
  const { location, error } = arrived
  if (location.includes('error=AccessDenied')) return []
  if (location.includes('/auth/error') || location === '') return [`The gate fails for ${person}${error}`]
  if (location !== `${origin}/auth/${name}`)
    return session === 'null' ? [`The gate neither passes, holds nor refuses ${person}: ${location}`] : []
  if (session !== 'null') return ['The gate holds a sign-in that has a session already']
  const page = await visitor.send(`/auth/${name}`)
  return isFailure(page) ? [`The page of the gate has status ${page.status}${page.error}`] : []
}

/** Configures a site with the features, into which everybody signs in. */
export function configureSite(
  features: readonly Feature[],
  errors: Error[],
  { providers = [], ...more }: Partial<AuthConfig> = {},
): AuthConfig {
  return {
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    secret: 'a secret of the test of a feature',
    trustHost: true,
    providers: [
      ...providers,
      {
        id: 'person',
        name: 'Person',
        type: 'credentials',
        credentials: { person: {} },
        authorize: ({ person }) =>
          person === 'ada' ? { id: 'ada', name: 'Ada', email: 'ada@example.com' } : { id: 'nameless' },
      },
    ],
    features,
    logger: { error: (error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
    ...more,
  }
}

/** Opens a browser on a new site with the features. */
function openSite(features: readonly Feature[], more: Partial<AuthConfig> = {}): Visitor {
  const errors: Error[] = []
  const config = configureSite(features, errors, more)
  const handle = createHandler()
  const jar = new Map<string, string>()
  return {
    async send(path, fields) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const body = fields && new URLSearchParams(fields)
      const request = new Request(origin + path, { method: body ? 'POST' : 'GET', headers: { cookie }, body })
      errors.length = 0
      const response = await handle(request, config)
      if (!('text' in response)) throw new TypeError('The handler returned no Response')
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      const [error] = errors
      return {
        status: response.status,
        location: response.headers.get('location') ?? '',
        body: await response.text(),
        error: error ? `: ${describeError(error)}` : '',
      }
    },
  }
}

/** Authors need the cause of an error that the library throws. */
function describeError(error: Error): string {
  const { cause } = error
  const inner = cause instanceof Error ? cause : Object(cause).err
  return inner instanceof Error ? describeError(inner) : error.message
}
