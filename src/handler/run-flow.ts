import type { Ending } from '../../machines/endings.ts'
import { asError } from '../errors/as-error.ts'
import type { CookieTable, ProviderSettings, Settings } from '../config/settings.ts'
import type { CookieChange } from '../cookies/cookie.ts'
import type { Facts } from '../flows/engine/facts.ts'
import type { Flow } from '../flows/engine/flow.ts'
import type { Result } from '../flows/engine/result.ts'
import {
  describePath,
  type Ended as RunEnd,
  type Hop,
  type Observe,
  run,
  watchHops,
} from '../flows/engine/run.ts'
import { createOutbox, createTurns, type World } from '../flows/engine/world.ts'
import type { Visit } from '../http/visit.ts'
import { type MaybePromise, orElse, whenReady } from '../async/maybe-promise.ts'
import { once } from '../async/once.ts'
import { createKeyring, type Keyring } from '../token/keyring.ts'
import type { TracedCookies } from '../types/trace.ts'
import { locateResult } from './error-location.ts'

/** Where a run begins, if not at the start of its flow. */
interface Continued {
  readonly at: string
  readonly facts: Partial<Facts>
  readonly onEnd: (ended: Ended) => void
}

/** The end of a run that continues. */
export interface Ended {
  readonly state: string
  readonly ending: Ending
  readonly facts: Partial<Facts>
}

/** The optional arguments of a run. */
interface RunOptions {
  readonly observe?: Observe | undefined
  readonly continued?: Continued
  /** Creates the page that a result shows. If it throws, the run ends with a fault. */
  readonly show?: (result: Result) => MaybePromise<Result>
}

/** Runs a flow and returns the result of its final state. */
export function runFlow(
  flow: Flow,
  visit: Visit,
  provider: ProviderSettings | undefined,
  world: World,
  { observe, continued, show }: RunOptions = {},
): MaybePromise<Result> {
  const { debug, tracer } = world.settings
  const { method, action, providerId } = visit
  const trace = tracer?.begin(
    { flow: flow.id, chart: flow.chart, method, action, provider: providerId },
    () => listReceived(visit),
  )
  const hops: Hop[] = []
  const watch = debug || observe || trace ? watchHops(hops, observe, trace?.hop) : undefined
  const begin = { ...continued?.facts, visit, ...(provider && nameProvider(provider)) }
  const conclude = ({ state, facts }: RunEnd) => {
    if (debug) world.logger.debug(`flow ${flow.id}`, describePath(hops, state))
    const ending = flow.outcomes[state]
    if (!ending) throw new Error(`${flow.id} has no outcome for ${state}`)
    continued?.onEnd({ state, ending: endingOf(flow, state), facts })
    const details = { traceId: trace?.id, callbackUrl: facts.callbackUrl }
    const result = locateResult(ending.answer(facts, world), visit, world.settings, details)
    return show ? show(result) : result
  }
  const perform = () => run(flow, begin, world, conclude, watch, continued?.at)
  if (!trace) return perform()
  const end = (ending: Ending, error?: Error, cookies: readonly CookieChange[] = []) =>
    trace.end({ ending, error, sent: () => listSent([...world.out.cookies, ...cookies], visit.cookieTable) })
  const done = orElse(
    () => (trace.within ? trace.within(perform) : perform()),
    (error) => {
      end('fault', asError(error))
      throw error
    },
  )
  return whenReady(done, (result) => {
    end(endingOf(flow, hops.at(-1)?.next), result.logs, result.cookies)
    return result
  })
}

/** Returns the kind of a final state. */
function endingOf({ chart }: Flow, name = ''): Ending {
  const state = chart.states[name]
  return state && 'type' in state ? state.meta.ending : 'fault'
}

/** Returns the library's cookies of a request. The first chunk represents a split cookie. */
function listReceived({ cookies, cookieTable }: Visit): TracedCookies {
  return choose(cookieTable, (name) => cookies.get(name))
}

/** Returns the library's cookies that a response sets, without those that it clears. */
function listSent(changes: readonly CookieChange[], cookieTable: CookieTable): TracedCookies {
  return choose(cookieTable, (name) => changes.findLast((change) => change.name === name)?.value)
}

function choose(table: CookieTable, read: (name: string) => string | undefined): TracedCookies {
  const chosen = new Map<string, string>()
  for (const [purpose, { name }] of Object.entries(table)) {
    const value = read(name) || read(`${name}.0`)
    if (value) chosen.set(purpose, value)
  }
  return chosen
}

/** Returns the provider as the fact of its kind. */
function nameProvider(provider: ProviderSettings): Partial<Facts> {
  switch (provider.kind) {
    case 'oauth':
      return { provider }
    case 'email':
      return { mailProvider: provider }
    case 'credentials':
      return { credentialsProvider: provider }
    case 'password':
      return { credentialsProvider: provider, passwordProvider: provider, mailProvider: provider.mail }
    case 'webauthn':
      return { webauthnProvider: provider }
    // Its flow names it, when it admits a user.
    case 'feature':
      return {}
  }
}

/** Creates the world for the steps of one run. */
export function createWorld(settings: Settings): World {
  const { platform, store, logger } = settings
  const keys = keyringOf(settings)
  return { settings, platform, store, logger, keys, out: createOutbox(), turns: createTurns() }
}

const keyrings = new WeakMap<Settings, Keyring>()

/** Creates the keyring on first use, so that a missing secret can still be reported. */
function keyringOf(settings: Settings): Keyring {
  const known = keyrings.get(settings)
  if (known) return known
  const { jwt, platform } = settings
  const open = once(() => createKeyring(jwt.secrets, platform, undefined, jwt.acceptLegacyTokens))
  const keys: Keyring = {
    seal: (claims, options) => open().seal(claims, options),
    open: (token, options) => open().open(token, options),
  }
  keyrings.set(settings, keys)
  return keys
}
