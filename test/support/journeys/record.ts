import { AsyncLocalStorage } from 'node:async_hooks'
import type { NamedHop } from '../../../machines/hop.ts'
import { journeyEventsOf } from '../../../machines/journey-run.ts'
import { setRecorder, type Exchange } from '../browser-agent.ts'
import type { RecordedRun, RecordedStep } from './check.ts'
import { kindOf, kindsOf, type CookieKind } from './cookie-kinds.ts'

/** The cookies of a browser at one moment, by name, with their values. */
type Cookies = Readonly<Record<string, string>>

interface Recording {
  readonly test: string
  readonly runs: Run[]
  browsers: number
}

/** A run that is still being recorded. */
interface Run extends RecordedRun {
  readonly steps: RecordedStep[]
}

/** What a handler does for one request. */
interface Serving {
  readonly hops: NamedHop[]
  /** The application that handles it, and the time of its clock. */
  site?: object
  now?: number
}

const recording = new AsyncLocalStorage<Recording>()
const serving = new AsyncLocalStorage<Serving>()

/** Runs a test, and returns what each browser of `openAgent` did in it. */
export async function recordRuns(test: string, run: () => Promise<void>): Promise<readonly RecordedRun[]> {
  const recorded: Recording = { test, runs: [], browsers: 0 }
  await recording.run(recorded, run)
  return recorded.runs.filter(({ steps }) => steps.length > 0)
}

/** Notes a hop of the request that is being handled, if it is recorded. */
export function noteHop(hop: NamedHop, site: object, now: number): void {
  const current = serving.getStore()
  if (!current) return
  current.hops.push(hop)
  current.site = site
  current.now ??= now
}

/** The events of the clock: a cookie has expired, though this browser still sends it. */
const lapses: Readonly<Record<CookieKind, string>> = {
  session: 'time.passed-max-age',
  check: 'time.passed-check-age',
  link: 'time.passed-link-age',
  code: 'time.passed-code-age',
  challenge: 'time.passed-challenge-age',
  held: 'time.passed-held-age',
}

/** Outcomes after which the browser may still hold cookies of another tab's sign-in, or of another mail. */
const remaining: readonly (readonly [outcome: RegExp, cookie: RegExp, event: string])[] = [
  // Only with `parallelSignIns` do check cookies end in the name of their sign-in.
  [
    /^callback\.(?!forwarded|repeated)/,
    /authjs\.(?:state|nonce|pkce\.code_verifier)\.t[0-9a-f]{16}/,
    'check.remaining',
  ],
  [
    /^email-verification\.(?:signed-in|held|denied|sent-elsewhere|faulted)/,
    /authjs\.requested-links/,
    'link.remaining',
  ],
  [/^mail-code-guess\.(?:denied|faulted)/, /authjs\.requested-code/, 'code.remaining'],
  // Another gate holds the sign-in, or it has failed on the server.
  [/^factor\.passed/, /authjs\.pending-sign-in/, 'sign-in.remaining'],
]

/**
 * Returns a function that records the requests of one browser. A run ends when a test changes the cookies by hand, or
 * when another application handles the next request, since the cookies may or may not be valid there.
 */
function recordBrowser(
  readCookies: () => Cookies,
): (request: Request, exchange: Exchange) => Promise<Response> {
  const recorded = recording.getStore()
  if (!recorded) return (_, exchange) => exchange()
  const { runs } = recorded
  const browser = `${recorded.test}, browser ${(recorded.browsers += 1)}`
  const expiries = watchExpiries()
  let run: Run | undefined
  let [site, left, ticks]: [object | undefined, string, number] = [undefined, '{}', 0]

  function begin(cookies: Cookies): Run {
    expiries.forget()
    const begun = { browser, held: kindsOf(Object.keys(cookies)), steps: [] }
    runs.push(begun)
    return begun
  }

  return async (request, exchange) => {
    const before = readCookies()
    if (!run || JSON.stringify(before) !== left) run = begin(before)
    const from = (ticks += 1)
    const served: Serving = { hops: [] }
    const response = await serving.run(served, exchange)
    const after = readCookies()
    left = JSON.stringify(after)
    if (site && served.site && site !== served.site) run = begin(before)
    site = served.site ?? site
    const ended = journeyEventsOf(served.hops)
    const lapsed = expiries.takeLapsed(served.now ?? 0)
    expiries.note(response, after)
    const others = remaining.filter(
      ([outcome, cookie]) =>
        ended.some((event) => outcome.test(event)) &&
        Object.keys(after).some((name) => cookie.test(name) && expiries.has(name)),
    )
    const events = [...lapsed, ...ended, ...others.map(([, , event]) => event)]
    const { method, url } = request
    if (events.length > 0)
      run.steps.push({ request: `${method} ${new URL(url).pathname}`, events, from, to: (ticks += 1) })
    return response
  }
}

/** Keeps when the cookies of each kind expire by the clock of the application, which the browser does not know. */
function watchExpiries() {
  const expiries = new Map<CookieKind, number>()
  return {
    forget: () => expiries.clear(),
    /** Whether a cookie came with an expiry, and has not expired. */
    has(name: string): boolean {
      const kind = kindOf(name)
      return kind !== undefined && expiries.has(kind)
    },
    /** Returns the events of the clock until now, each once. */
    takeLapsed(now: number): string[] {
      const lapsed = [...expiries].filter(([, expiry]) => expiry <= now).map(([kind]) => kind)
      for (const kind of lapsed) expiries.delete(kind)
      return lapsed.map((kind) => lapses[kind])
    },
    note(response: Response, cookies: Cookies): void {
      for (const line of response.headers.getSetCookie()) {
        const kind = kindOf(line.slice(0, line.indexOf('=')))
        const expires = /; *expires=([^;]+)/i.exec(line)?.[1]
        if (kind && expires) expiries.set(kind, Date.parse(expires))
      }
      const held = kindsOf(Object.keys(cookies))
      for (const kind of expiries.keys()) if (!held.includes(kind)) expiries.delete(kind)
    },
  }
}

setRecorder(recordBrowser)
