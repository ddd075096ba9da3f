import { asError } from '../as-error.ts'
import { settingsOf } from '../config/derive-settings.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { orElse, whenReady, type MaybePromise } from '../maybe-promise.ts'
import { once } from '../once.ts'
import { AuthError } from '../errors.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import type { Flow } from '../flows/engine/flow.ts'
import { describePath, type Hop, type Observe, run, watchHops } from '../flows/engine/run.ts'
import { parseVisit } from '../http/parse-visit.ts'
import type { RequestParts, ResponseParts } from '../http/parts.ts'
import { toResponse } from '../http/respond.ts'
import type { Visit } from '../http/visit.ts'
import { findFlow, type FindFlow, findRoutes } from '../flows/flows.ts'
import type { Showing } from '../flows/pages.ts'
import type { Facts } from '../flows/engine/facts.ts'
import { createOutbox, type World } from '../flows/engine/world.ts'
import { createKeyring, type Keyring } from '../token/keyring.ts'
import type { AuthConfig, ResponseInternal } from '../types/config.ts'
import { answerFault, answerRefused, answerUnknownProvider, answerUnrouted } from './answer.ts'
import { locateResult } from './error-location.ts'
import type { Result } from '../flows/engine/result.ts'
import { finish } from './finish.ts'

export type Handler = (request: Request, config: AuthConfig) => MaybePromise<Response | ResponseInternal>

/**
 * Creates the function that handles requests. Custom flows are used by the mutation tests only.
 * @param observe called for each hop of each run
 */
export function createHandler(find?: FindFlow, observe?: Observe): Handler {
  return createAnswerer(toResponse, find, observe)
}

/** Like `createHandler`, for servers that send a response without creating a Response. */
export function createAnswerer<Written>(
  write: (parts: ResponseParts) => Written,
  find: FindFlow = findFlow,
  observe?: Observe,
) {
  return (request: RequestParts, config: AuthConfig): MaybePromise<Written | ResponseInternal> => {
    const settings = settingsOf(config)
    return whenReady(parseVisit(request, settings), (visit) => {
      if ('refused' in visit) return finish(answerRefused(visit, request, settings), request, settings, write)
      const world = createWorld(settings)
      const answer = settings.fault
        ? answerFault(visit, settings, settings.fault)
        : answerRoute(visit, world, find, observe)
      // Integrations recognise a configuration fault by a Response, also in raw mode.
      const out = settings.fault ? undefined : world.out
      return whenReady(answer, (done) => finish(done, visit, settings, write, out))
    })
  }
}

/** Finds the route and runs its flow, or shows its page. */
function answerRoute(visit: Visit, world: World, find: FindFlow, observe?: Observe): MaybePromise<Result> {
  const { settings } = world
  const provider = visit.providerId === undefined ? undefined : settings.providers.get(visit.providerId)
  if (visit.providerId !== undefined && !provider) return answerUnknownProvider(visit, settings)
  const candidates = findRoutes(visit.action, provider?.kind ?? 'none', settings)
  const route = candidates.find(({ method }) => method === visit.method)
  if (!route) return answerUnrouted(visit, candidates, settings)
  const { show, flow: name = 'session' } = route
  // Flows and pages never throw, so an error means a fault of the configuration or of the code.
  return orElse(
    () =>
      show
        ? answerShowing(show, visit, world)
        : whenReady(find(name), (flow) => runFlow(flow, visit, provider, world, observe)),
    (error) => answerFault(visit, settings, toAuthError(error)),
  )
}

/** Pages have the same deadline as steps. */
function answerShowing(show: Showing, visit: Visit, world: World): MaybePromise<Result> {
  const shown = show(visit, world)
  return shown instanceof Promise ? withDeadline(shown, `showing ${visit.action}`, world.platform) : shown
}

function toAuthError(error: unknown): AuthError {
  return error instanceof AuthError ? error : new AuthError(asError(error))
}

/** Runs a flow and returns the result of its final state. */
export function runFlow(
  flow: Flow,
  visit: Visit,
  provider: ProviderSettings | undefined,
  world: World,
  observe?: Observe,
): MaybePromise<Result> {
  const { debug, tracer } = world.settings
  const { method, action, providerId } = visit
  const trace = tracer?.begin({ flow: flow.id, method, action, provider: providerId })
  const hops: Hop[] = []
  const watch = debug || observe || trace ? watchHops(hops, observe, trace?.hop) : undefined
  const begin = { visit, ...(provider && nameProvider(provider)) }
  const ran = trace?.within
    ? trace.within(() => run(flow, begin, world, watch))
    : run(flow, begin, world, watch)
  return whenReady(ran, ({ state, facts }) => {
    if (debug) world.logger.debug(`flow ${flow.id}`, describePath(hops, state))
    const ending = flow.outcomes[state]
    if (!ending) throw new Error(`${flow.id} has no outcome for ${state}`)
    const done = locateResult(ending.answer(facts, world), visit, world.settings, trace?.id)
    trace?.end(done.logs)
    return done
  })
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
  }
}

/** Creates the world for the steps of one run. */
export function createWorld(settings: Settings): World {
  const { platform, store, logger } = settings
  return { settings, platform, store, logger, keys: keyringOf(settings), out: createOutbox() }
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
