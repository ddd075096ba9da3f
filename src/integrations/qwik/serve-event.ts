import { parseSetCookie } from 'cookie'
import type { Environment } from '../../config/environment.ts'
import { setEnvDefaults as fillIn } from '../../config/set-env-defaults.ts'
import { withoutReplaced } from '../../cookies/chunks.ts'
import { serveConfig } from '../../instance/create-auth.ts'
import { parseRoute } from '../../http/parse-visit.ts'
import { copyHeaders } from '../../http/parts.ts'
import { keepFromCaches } from '../../http/respond.ts'
import { readElsewhere } from '../../types/symbols.ts'
import type { AuthConfig } from '../../types/config.ts'
import type { Session } from '../../types/records.ts'

/** The configuration of this integration. */
export type QwikAuthConfig = Omit<AuthConfig, 'raw'>

/**
 * The members of Qwik City's events that this code uses, so that it needs neither the types nor the modules of Qwik
 * City.
 */
export interface QwikEvent {
  readonly request: Request
  readonly url: URL
  /** Headers of the response. */
  readonly headers: Headers
  readonly env: EnvironmentGetter
  readonly sharedMap: { get(key: string): unknown; set(key: string, value: unknown): unknown }
  readonly cookie: { set(name: string, value: string, options?: QwikCookieOptions): void }
  readonly redirect: (status: 302, url: string) => unknown
  readonly send: (response: Response) => unknown
}

export interface QwikActionEvent extends QwikEvent {
  readonly fail: (status: number, result: Problems) => unknown
}

export interface EnvironmentGetter {
  get(name: string): string | undefined
}

interface QwikCookieOptions {
  domain?: string
  expires?: Date
  httpOnly?: boolean
  maxAge?: number
  path?: string
  sameSite?: 'strict' | 'lax' | 'none'
  secure?: boolean
}

/** The errors of an input, by field and overall. */
export interface Problems {
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  readonly formErrors: readonly string[]
}

/**
 * Fills in a configuration like `setEnvDefaults` of the core, with the variables that Qwik City provides.
 *
 * @param env the variables of a request event
 * @param config is modified
 * @example
 * setEnvDefaults(event.env, config)
 */
export function setEnvDefaults(env: EnvironmentGetter, config: QwikAuthConfig): void {
  const environment: Environment = new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' ? env.get(name) : undefined) },
  )
  fillIn(environment, config)
}

/** The key in `sharedMap` of the Set-Cookie values that the response has so far. */
const cookiesKey = 'authmachine.cookies'

/**
 * Adds cookies to the response, and prevents caching of the response. Clears the earlier cookies that they replace,
 * because Qwik City cannot remove a cookie from a response.
 */
export function setCookies({ cookie, headers, sharedMap }: QwikEvent, lines: readonly string[]): void {
  keepFromCaches(lines, (name, value) => headers.set(name, value))
  const earlier = (sharedMap.get(cookiesKey) ?? []) as readonly string[]
  const kept = withoutReplaced(earlier, lines)
  sharedMap.set(cookiesKey, [...kept, ...lines])
  for (const line of earlier.filter((each) => !kept.includes(each))) {
    const { name, options } = parseLine(line)
    cookie.set(name, '', { ...options, expires: undefined, maxAge: 0 })
  }
  for (const line of lines) {
    const { name, value, options } = parseLine(line)
    cookie.set(name, value, options)
  }
}

/**
 * Parses a Set-Cookie value, because Qwik City keeps only the last value of a repeated header. The cookie's value stays
 * encoded, because Qwik City does not encode it.
 */
function parseLine(line: string) {
  const { name, value = '', ...attributes } = parseSetCookie(line, { decode: (text) => text })
  const { domain, expires, httpOnly, maxAge, path, sameSite, secure } = attributes
  const options: QwikCookieOptions = { domain, expires, httpOnly, maxAge, path, secure }
  if (typeof sameSite === 'string') options.sameSite = sameSite
  return { name, value, options }
}

/** The session of a request, and the Set-Cookie values that extend it. */
export interface GetSessionResult {
  /** The session, or null. */
  readonly data: Session | null
  /** The Set-Cookie values to send with your response. */
  readonly cookie: readonly string[]
}

/** The key under which an event keeps its session between `onRequest` and the loader. */
const sessionKey = 'session'

/** Completes a copy of the configuration from the environment. */
export function completeConfig(
  event: Pick<QwikEvent, 'env'>,
  config: QwikAuthConfig,
): QwikAuthConfig & { readonly basePath: string } {
  const complete: QwikAuthConfig = { ...config, [readElsewhere]: [] }
  setEnvDefaults(event.env, complete)
  return { ...complete, basePath: (complete.basePath ?? '/auth').replace(/\/+$/, '') }
}

/**
 * Handles routes of the library. For all other requests, it reads the session. @throws the response that ends the
 * request
 */
export async function serveEvent(event: QwikEvent, given: QwikAuthConfig): Promise<void> {
  const config = completeConfig(event, given)
  if (parseRoute(new URL(event.request.url).pathname, config.basePath, config.features)) {
    const response = await serveConfig(config).handler(event.request)
    setCookies(event, response.headers.getSetCookie())
    const headers = copyHeaders(response.headers)
    headers.delete('set-cookie')
    throw event.send(new Response(response.body, { status: response.status, headers }))
  }
  const { data, cookie } = await getSession(event.request, config)
  setCookies(event, cookie)
  event.sharedMap.set(sessionKey, data)
}

/** Returns the session that `onRequest` has read. */
export function sessionOf({ sharedMap }: Pick<QwikEvent, 'sharedMap'>): Session | null {
  return (sharedMap.get(sessionKey) as Session | null | undefined) ?? null
}

/**
 * Returns the session of a request, for a complete configuration.
 *
 * @param request the request, with its cookies
 * @param config a configuration that `setEnvDefaults` has filled in
 * @returns the session, and the cookies that extend it
 * @example
 * const { data } = await getSession(event.request, config)
 */
export async function getSession(request: Request, config: QwikAuthConfig): Promise<GetSessionResult> {
  const { session, cookies } = await serveConfig(config).getSessionWithCookies(request)
  return { data: session, cookie: cookies }
}
