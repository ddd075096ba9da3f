/**
 * Records what each browser of a test does. A header that the browser sends tells the browsers apart, and the debug
 * messages of the library tell which flow handled a request.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Browser, BrowserContext } from 'playwright-core'
import { expect } from 'vitest'
import { createLogger, type Run } from '../../../docs/examples/demo/trail.ts'
import { journeyEventsOf } from '../../../machines/journey-run.ts'
import type { AuthConfig } from '../../../src/types/config.ts'
import type { RecordedRun, RecordedStep } from './check.ts'
import { kindsOf } from './cookie-kinds.ts'

const header = 'x-recorded-browser'

interface RecordedVisit extends RecordedStep {
  readonly cookies: string
  /** Whether the response sets or clears a cookie. */
  readonly changesCookies: boolean
}

interface RecordedBrowser extends RecordedRun {
  readonly steps: Mutable<RecordedVisit>[]
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

interface Serving {
  readonly browser: string
  readonly request: string
  readonly cookies: string
  readonly from: number
  step?: Mutable<RecordedVisit>
}

const browsers = new Map<string, { readonly name: string; run?: RecordedBrowser }>()
const kept: RecordedRun[] = []
const unrecorded: string[] = []
const serving = new AsyncLocalStorage<Serving>()
let ticks = 0

/** Requests that always run a flow, unless they are rejected. */
const runsFlow = /^(?:GET|POST) \/auth\/(?:session$|callback\/|webauthn-options\/)|^POST \/auth\/signout$/

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const browser = request.headers[header]
  if (typeof browser !== 'string') return
  const { pathname } = new URL(request.url ?? '', 'http://localhost')
  const { cookie: cookies = '' } = request.headers
  const current: Serving = {
    browser,
    request: `${request.method} ${pathname}`,
    cookies,
    from: begin(browser, cookies),
  }
  response.once('finish', () => {
    if (!current.step && response.statusCode < 400 && runsFlow.test(current.request))
      unrecorded.push(`${browsers.get(browser)?.name}: ${current.request}`)
    if (current.step)
      Object.assign(current.step, { to: (ticks += 1), changesCookies: response.hasHeader('set-cookie') })
  })
  serving.enterWith(current)
})

/** When a request was sent: before an earlier response arrived, if it does not carry the cookies of that response. */
function begin(browser: string, cookies: string): number {
  const last = browsers.get(browser)?.run?.steps.findLast(({ changesCookies }) => changesCookies)
  ticks += 1
  return last?.cookies === cookies ? last.to - 0.5 : ticks
}

/** Makes a logger record the flows as well. The configuration needs `debug: true`. */
export function recordFlows(logger: AuthConfig['logger'] = {}): NonNullable<AuthConfig['logger']> {
  const { debug } = createLogger(recordRun)
  return { ...logger, ...(debug && { debug }) }
}

function recordRun({ flow, hops, ended }: Run): void {
  const current = serving.getStore()
  const browser = current && browsers.get(current.browser)
  if (!browser) return
  const named = hops.map((hop, index) => ({ ...hop, flow, next: hops[index + 1]?.state ?? ended }))
  const { request, cookies, from } = current
  const step = {
    request,
    cookies,
    from,
    to: (ticks += 1),
    events: journeyEventsOf(named),
    changesCookies: false,
  }
  browser.run ??= { browser: browser.name, held: kindsOf(cookieNames(cookies)), steps: [] }
  browser.run.steps.push(step)
  current.step = step
}

function cookieNames(cookies: string): string[] {
  return cookies.split('; ').map((pair) => pair.slice(0, pair.indexOf('=')))
}

/** Lets every context of a browser tell in a header which one it is. */
export function tellContexts(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext({
      ...options,
      extraHTTPHeaders: { ...options?.extraHTTPHeaders, [header]: nameBrowser() },
    })
    return tellCleared(context)
  }
  return browser
}

/** A context whose cookies are cleared is another browser. */
function tellCleared(context: BrowserContext): BrowserContext {
  const clearCookies = context.clearCookies.bind(context)
  context.clearCookies = async (options) => {
    await context.setExtraHTTPHeaders({ [header]: nameBrowser() })
    await clearCookies(options)
  }
  return context
}

function nameBrowser(): string {
  const id = String(browsers.size + 1)
  browsers.set(id, { name: `${expect.getState().currentTestName ?? 'a test'}, browser ${id}` })
  return id
}

/** Adds a run that this file recorded in another way. */
export function keepRun(run: RecordedRun): void {
  kept.push(run)
}

/** Returns what the browsers did in this file, and the requests whose flows nobody recorded. */
export function recordedBrowsers(): {
  readonly runs: readonly RecordedRun[]
  readonly unrecorded: readonly string[]
} {
  return { runs: [...kept, ...[...browsers.values()].flatMap(({ run }) => run ?? [])], unrecorded }
}
