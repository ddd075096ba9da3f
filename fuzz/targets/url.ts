import { sessionCookie } from '../monitors/monitor.ts'
import { openHosted, type Hosted } from '../world/hosted.ts'
import type { ProviderName } from '../world/people.ts'
import { assumeRouter } from './assume-router.ts'
import type { Description } from './described/description.ts'
import { describeWire } from './described/describe-wire.ts'
import { driveDescribed, joinCookies, openDescription } from './described/drive.ts'
import { tryDescription, type Trial } from './described/try-description.ts'
import { openRunning, reasonOf, sendTo, unhurried } from './running.ts'
import type { Driver, Handle } from './target.ts'

/** A running application, and how to reach it. */
export interface Application {
  /** The URL of its routes: `http://localhost:3000/auth`. */
  readonly url: string
  /** The capabilities that it claims. @default [] */
  readonly capabilities?: readonly string[]
  /** The first of the world's four ports. @default 4010 */
  readonly port?: number
  /** Confirms that you own the application, which allows testing it on another machine. @default false */
  readonly isOwn?: boolean
  /** The file with the keys of the oracle's providers, created if missing. @default new keys for each run */
  readonly keys?: string
  /** Receives why a provider refused the application's client. @default nothing */
  readonly complain?: (line: string) => void
  /** How to use its routes. @default those of Auth.js, which the oracle describes itself */
  readonly description?: Description
  /** The file to which an application with the routes of Auth.js logs. @default its log is not tested */
  readonly log?: string | undefined
}

/** Maximum listed providers. Each costs two requests. */
const maxProviders = 100

/**
 * Opens the world of a running application, and detects which of its providers redirect there.
 * @throws {Error} if it does not respond, is on another machine, or has no provider of this world
 */
export async function driveUrl(application: Application): Promise<Driver & { close: () => Promise<void> }> {
  const { place, hosted } = await openPlace(application)
  const { description } = application
  try {
    const driver = description
      ? await driveDescribed({ ...place, description }, hosted)
      : await driveWire({ ...place, log: application.log }, hosted)
    return { ...driver, close: hosted.close }
  } catch (error) {
    await hosted.close()
    throw error
  }
}

/** Tries each member of a description on the running application. @throws {Error} if it is on another machine */
export async function tryUrl(application: Application, description: Description): Promise<readonly Trial[]> {
  const { place, hosted } = await openPlace({ ...application, description })
  try {
    return await tryDescription({ ...place, description }, hosted)
  } finally {
    await hosted.close()
  }
}

async function openPlace(application: Application): Promise<{ place: Place; hosted: Hosted }> {
  const { description, capabilities = [], port, keys, complain, isOwn = false } = application
  const url = new URL(application.url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!isLocal && !isOwn)
    throw new Error(
      `${url.host} is not this machine. The oracle attacks the application; confirm with --i-own-this that you own it`,
    )
  const hosted = await openHosted(port, { link: description?.mail?.link, keys, complain })
  const basePath = url.pathname.replace(/\/$/, '')
  const send = sendTo(url.origin)
  const handle = isLocal ? send : unhurried(send)
  return { place: { name: application.url, origin: url.origin, basePath, handle, capabilities }, hosted }
}

interface Place {
  readonly name: string
  readonly origin: string
  readonly basePath: string
  readonly handle: Handle
  readonly capabilities: readonly string[]
}

async function driveWire(
  { log, ...place }: Place & { readonly log: string | undefined },
  hosted: Hosted,
): Promise<Driver> {
  const { name, origin, basePath, handle, capabilities } = place
  const ids = await findProviders(place, hosted).catch((error: unknown) => {
    throw new Error(`${name} does not respond like an Auth.js application: ${reasonOf(error)}`, {
      cause: error,
    })
  })
  if (ids.size === 0)
    throw new Error(
      `No provider of ${name} redirects to the oracle's provider at ${hosted.idps.alpha.issuer}. Configure the providers as the oracle guide shows`,
    )
  return {
    name,
    capabilities: assumeRouter(capabilities),
    features: new Set(['description', ...(origin.startsWith('https:') ? (['https'] as const) : [])]),
    providers: new Set(ids.keys()),
    open: async () => {
      const described = {
        ...(await openDescription(
          { ...describeWire(basePath, ids), ...(log !== undefined && { log }) },
          { origin, basePath: '' },
        )),
        // An application can give its cookies other names.
        sessionCookie: (held: Readonly<Record<string, string>>) => joinCookies(held, sessionCookie),
      }
      const idOf = (wanted: ProviderName) => ids.get(wanted)
      return openRunning({ origin, basePath, handle, idOf, described }, hosted)
    },
  }
}

type Listed = Readonly<Record<string, { readonly id: string; readonly type: string }>>

/**
 * Maps providers by where a sign-in redirects. The first e-mail provider is assumed to send links through the world's mail
 * server.
 */
async function findProviders(
  { origin, basePath, handle }: Place,
  { idps }: Hosted,
): Promise<ReadonlyMap<ProviderName, string>> {
  const request = (path: string, init?: RequestInit) =>
    handle(new Request(`${origin}${basePath}/${path}`, { redirect: 'manual', ...init }))
  const response = await request('providers')
  if (!response.ok) throw new Error(`its list of providers has status ${response.status}`)
  const listed = Object.values((await response.json()) as Listed)
  if (listed.length > maxProviders)
    throw new Error(`it has ${listed.length} providers, and the oracle tries at most ${maxProviders}`)
  const found = new Map<ProviderName, string>()
  for (const { id, type } of listed) {
    if (type === 'email' && !found.has('mail')) found.set('mail', id)
    if (type !== 'oidc' && type !== 'oauth') continue
    const csrf = await request('csrf')
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const cookie = csrf.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ csrfToken }).toString()
    const location =
      (await request(`signin/${id}`, { method: 'POST', headers, body })).headers.get('location') ?? ''
    for (const [name, idp] of Object.entries(idps))
      if (location.startsWith(idp.issuer)) found.set(name as ProviderName, id)
  }
  return found
}
