import { open, stat } from 'node:fs/promises'
import { Absent } from '../../world/breach.ts'
import type { Hosted } from '../../world/hosted.ts'
import type { ProviderName, RemoteName } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import { openWorld } from '../../world/world.ts'
import { assumeRouter } from '../assume-router.ts'
import { openRunning, reasonOf } from '../running.ts'
import type { Described, Driver, Handle } from '../target.ts'
import { idFor, takesTarget, type Description } from './description.ts'
import { build, openDescribedRoutes, openReading, prepare, type Place } from './routes.ts'

/** The providers to which a sign-in can redirect. */
export const remotes = ['alpha', 'beta', 'plain'] as const satisfies readonly RemoteName[]

/** An application with custom routes. */
export interface DescribedApplication {
  readonly name: string
  readonly origin: string
  readonly basePath: string
  readonly handle: Handle
  readonly capabilities: readonly string[]
  readonly description: Description
}

/**
 * Drives an application by its description, and detects which providers it uses.
 *
 * @throws {Error} if it uses no provider, or does not use one that the description lists
 */
export async function driveDescribed(application: DescribedApplication, hosted: Hosted): Promise<Driver> {
  const { origin, basePath, description } = application
  const callbacks = new Map<RemoteName, string>()
  const all = new Set<ProviderName>([...remotes, ...(description.mail ? (['mail'] as const) : [])])
  const driver = openDriver(application, hosted, { origin, basePath, callbacks }, all)
  await expectResponse(application)
  const problems: string[] = []
  const { providers } = description
  for (const name of remotes) {
    // If a description lists providers, the application uses no others.
    if (providers && providers[name] === undefined) {
      all.delete(name)
      continue
    }
    const found = await findCallback(driver, hosted, name)
    if (typeof found === 'string') problems.push(found)
    else callbacks.set(name, `${found.pathname}${found.search}`)
    if (typeof found === 'string') all.delete(name)
  }
  const missing = Object.keys(providers ?? {}).some((name) => !all.has(name as RemoteName))
  if (callbacks.size === 0 || missing) throw new Error(problems.join('; '))
  return driver
}

/** @throws {Error} if the application does not respond at all */
async function expectResponse({ name, origin, basePath, handle, description }: DescribedApplication) {
  const url = `${origin}${basePath}${description.session.url}`
  await handle(new Request(url, { redirect: 'manual' })).catch((error: unknown) => {
    throw new Error(`${name} does not respond: ${reasonOf(error)}`, { cause: error })
  })
}

/** Starts a sign-in. @returns the callback that it names, or why there is none */
async function findCallback(driver: Driver, hosted: Hosted, name: RemoteName): Promise<URL | string> {
  const world = await openWorld(driver, {}, 0)
  const { issuer } = hosted.idps[name]
  let shown = 'no response'
  try {
    const reply = await world.browser().start(name)
    const { location } = reply
    const callback = location?.searchParams.get('redirect_uri') ?? ''
    shown = location ? `a redirect to ${location.href}` : describeRefusal(world.history.words, reply)
    if (location?.href.startsWith(`${issuer}/`) && URL.canParse(callback)) {
      const url = new URL(callback)
      if (url.origin === world.origin) return url
      shown = `the callback ${callback}, which is not at ${world.origin}`
    }
  } catch (error) {
    shown = error instanceof Error ? error.message : String(error)
  }
  return `signIn at ${name}: expected a redirect to ${issuer}, got ${shown}`
}

/** Describes a response that is not a redirect, and what to change if a link starts the sign-in. */
function describeRefusal(words: readonly string[], { status, text, failure }: Reply): string {
  if (failure !== undefined) return failure
  const [request = ''] = /(?:GET|POST) \S+/.exec(words.at(-1) ?? '') ?? []
  const hint = request.startsWith('POST ')
    ? '. If a link starts your sign-in, add "method": "GET", because a request with fields or JSON is a POST'
    : ''
  return `status ${status} and ${JSON.stringify(readText(text).slice(0, 120))} from ${request}${hint}`
}

/** Returns the text of a page without its markup. */
export function readText(page: string): string {
  return page
    .replaceAll(/<(head|script|style)\b[^]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function openDriver(
  { name, handle, capabilities, description }: DescribedApplication,
  hosted: Hosted,
  place: Place,
  providers: ReadonlySet<ProviderName>,
): Driver {
  const { origin, basePath } = place
  return {
    name,
    capabilities: assumeRouter(capabilities),
    features: new Set([
      'description',
      'custom-routes',
      ...(origin.startsWith('https:') ? (['https'] as const) : []),
    ]),
    providers,
    open: async () => {
      const described = await openDescription(description, place)
      const routes = openDescribedRoutes(description, place)
      const idOf = (wanted: ProviderName) => (providers.has(wanted) ? idFor(description, wanted) : undefined)
      return openRunning({ origin, basePath, handle, idOf, routes, described }, hosted)
    },
  }
}

/** Opens what a description names, for one case. */
export async function openDescription(
  description: Description,
  place: Omit<Place, 'callbacks'>,
): Promise<Described> {
  const { log, cookies, csrf, mail } = description
  const begin = log === undefined ? 0 : await sizeOf(log)
  const requestFor = (name: 'signIn' | 'signOut', provider: RemoteName) => {
    const request = description[name]
    if (!request) throw new Absent(`the description has no "${name}"`)
    return [request, { provider: idFor(description, provider), address: '', returnTo: '/' }] as const
  }
  return {
    root: place.basePath,
    reading: openReading(description, place),
    takesTarget: (name) => takesTarget(description[name]),
    sessionRequest: { path: `${place.basePath}${description.session.url}`, sending: {} },
    csrf: csrf === 'none' ? undefined : csrf,
    sessionCookie(held) {
      if (cookies?.session === undefined) throw new Absent('the description has no "cookies.session"')
      const name = cookies.session.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      return joinCookies(held, new RegExp(`^(?:__Host-|__Secure-)?${name}(?:\\.\\d+)?$`))
    },
    async readLog() {
      if (log === undefined) throw new Absent('the description has no "log"')
      return readFrom(log, begin)
    },
    withoutProof: (name, provider) => build(...requestFor(name, provider), place),
    withProof: (browser, name, provider) =>
      prepare(browser, ...requestFor(name, provider), description, place),
    async mailRequest(browser, address) {
      if (!mail) throw new Absent('the description has no "mail"')
      const values = { provider: idFor(description, 'mail'), address, returnTo: '/' }
      return prepare(browser, mail, values, description, place)
    },
  }
}

/** Returns the values of the cookies with such names. A long one comes in several parts. */
export function joinCookies(held: Readonly<Record<string, string>>, names: RegExp): string {
  return Object.entries(held)
    .filter(([name]) => names.test(name))
    .map(([, value]) => value)
    .join('')
}

/** Returns the size of a file; a log that does not exist yet is empty. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Reads the end of a file, at most a mebibyte. */
async function readFrom(file: string, begin: number): Promise<string> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return ''
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1024 * 1024), 0, 1024 * 1024, begin)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
