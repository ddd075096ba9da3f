import type { Library } from './library.ts'

/** The request whose outcome is recorded. */
export interface Call {
  readonly path: string
  /** A request with a form is a POST. */
  readonly form?: Readonly<Record<string, string>>
  readonly method?: string
  readonly origin?: string
}

/** One browser and one configuration, on either library. */
export interface Stage {
  readonly lib: Library
  /** The configuration. A situation may change it before or between requests. */
  readonly config: Record<string, unknown>
  /** Sends a request in normal mode, and stores the cookies of the response. */
  readonly visit: (call: Call) => Promise<Response>
  /** The browser's cookies, by name. */
  readonly cookies: Map<string, string>
}

/** An error situation, for both libraries. */
export interface Situation {
  readonly group: string
  readonly title: string
  /** Environment variables during the situation. */
  readonly environment?: Readonly<Record<string, string>>
  /** Prepares the stage. @returns the request to compare */
  readonly play: (stage: Stage) => Call | Promise<Call>
}

/** The outcome of a request. Equal outcomes of the two libraries are described in the same words. */
export interface Ending {
  /** With `raw`, as a server action sees it. */
  readonly raw: string
  /** Without `raw`. */
  readonly normal: string
  /** Names of the errors that were logged in raw mode. */
  readonly logs: readonly string[]
}

const origin = 'https://app.test'

/** Runs a situation on a library, in raw mode and in normal mode. */
export async function play(situation: Situation, lib: Library): Promise<Ending> {
  const kept = Object.fromEntries(
    Object.keys(situation.environment ?? {}).map((name) => [name, process.env[name]]),
  )
  Object.assign(process.env, situation.environment)
  try {
    const inRaw = await playOnce(situation, lib, true)
    const inNormal = await playOnce(situation, lib, false)
    return { raw: inRaw.ended, normal: inNormal.ended, logs: inRaw.logs }
  } finally {
    for (const [name, value] of Object.entries(kept))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}

async function playOnce(situation: Situation, lib: Library, isRaw: boolean) {
  const logs: string[] = []
  const cookies = new Map<string, string>()
  const config: Record<string, unknown> = {
    trustHost: true,
    secret: 'a secret for the comparison that is long enough',
    skipCSRFCheck: lib.skipCSRFCheck,
    providers: [],
    logger: {
      error: (error: Error) => void logs.push(nameOf(error)),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
  const visit = async (call: Call) => {
    const response = (await lib.Auth(toRequest(call, cookies), { ...config })) as Response
    keepCookies(response, cookies)
    return response
  }
  const call = await situation.play({ lib, config, visit, cookies })
  logs.length = 0
  const request = toRequest(call, cookies)
  // Integrations pass a copy in each call.
  const given = isRaw ? { ...config, raw: lib.raw } : { ...config }
  try {
    return { ended: await describeAnswer(await lib.Auth(request, given)), logs }
  } catch (error) {
    return { ended: `throws ${nameOf(error)}`, logs }
  }
}

function toRequest(
  { path, form, method, origin: host = origin }: Call,
  cookies: ReadonlyMap<string, string>,
) {
  const headers = new Headers()
  if (cookies.size > 0)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  if (form) headers.set('content-type', 'application/x-www-form-urlencoded')
  return new Request(`${host}${path}`, {
    method: method ?? (form ? 'POST' : 'GET'),
    headers,
    ...(form && { body: new URLSearchParams(form) }),
  })
}

function keepCookies(response: Response, cookies: Map<string, string>): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'type' in error && typeof error.type === 'string' ? error.type : error.name
}

async function describeAnswer(answer: unknown): Promise<string> {
  const isResponse = answer instanceof Response
  const internal = answer as { status?: number; redirect?: string; headers?: HeadersInit; body?: unknown }
  const target = isResponse ? answer.headers.get('location') : internal.redirect
  if (target) return `redirects to ${shorten(target)}`
  const status = internal.status ?? 200
  if (new Headers(internal.headers).get('content-type')?.includes('html')) return `${status} with a page`
  const body = isResponse ? await answer.text() : writeBody(internal.body)
  return `${status} ${body.length > 24 ? `${body.slice(0, 24)}…` : body}`.trim()
}

/** Marks a string instead of an object, because integrations read members of the body. */
function writeBody(body: unknown): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? `the string ${body}` : JSON.stringify(body)
}

/**
 * Shortens URLs of the site to the path and other URLs to the origin and path, and removes values that differ between
 * runs.
 */
function shorten(target: string): string {
  const url = new URL(target, origin)
  if (!/\.app\.test$|^app\.test$|^proxy\.test$/.test(url.hostname)) return `${url.origin}${url.pathname}`
  if (url.searchParams.get('state')) url.searchParams.set('state', '…')
  const text = `${url.pathname}${decodeURIComponent(url.search)}`
  return url.origin === origin ? text : `${url.origin}${text}`
}

/** Outcomes by group and title, as in the record. */
export type Endings = Readonly<Record<string, Ending>>

/** The name under which an outcome is recorded. */
export function nameSituation({ group, title }: Situation): string {
  return `${group}: ${title}`
}

/** Runs all situations, each on a fresh library if `load` returns a new one. */
export async function playAll(
  situations: readonly Situation[],
  load: () => Library | Promise<Library>,
): Promise<Endings> {
  const endings: Record<string, Ending> = {}
  for (const situation of situations) endings[nameSituation(situation)] = await play(situation, await load())
  return endings
}
