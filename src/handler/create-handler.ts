import { copyOfError } from '../copies/copy-handed-out.ts'
import { asError } from '../errors/as-error.ts'
import { settingsOf } from '../config/derive-settings.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { findServed } from '../features/options.ts'
import type { Feature } from '../types/feature.ts'
import { type Flow, type ReplaceFlow, sameFlow } from '../flows/engine/flow.ts'
import { type MaybePromise, whenDone, whenReady } from '../async/maybe-promise.ts'
import { AuthError } from '../errors/classes.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import type { Observe } from '../flows/engine/run.ts'
import { findFeature, findFeatureRoute, parseVisit } from '../http/parse-visit.ts'
import { isOptionalAction } from '../routes.ts'
import type { RequestParts, ResponseParts } from '../http/parts.ts'
import { toResponse } from '../http/respond.ts'
import type { Visit } from '../http/visit.ts'
import { findFlow, findRoutes, findShowing, loadOptional } from '../flows/flows.ts'
import type { Showing } from '../flows/pages.ts'
import type { World } from '../flows/engine/world.ts'
import type { AuthConfig, ResponseInternal } from '../types/config.ts'
import type { Passing, Result } from '../flows/engine/result.ts'
import type * as Answers from './answer.ts'
import type { Site as Continued } from './continue-held.ts'
import { finish } from './finish.ts'
import { openWorld } from './open-world.ts'
import { runFlow } from './run-flow.ts'
import { onceLoaded } from '../async/once.ts'

export type Handler = (request: Request, config: AuthConfig) => MaybePromise<Response | ResponseInternal>

/**
 * Creates the function that handles requests.
 * @param replace used by tests only
 * @param observe called for each hop of each run
 */
export function createHandler(replace?: ReplaceFlow, observe?: Observe): Handler {
  return createResponder(toResponse, replace, observe)
}

/** Like `createHandler`, for servers that send a response without creating a Response. */
export function createResponder<Written>(
  write: (parts: ResponseParts) => Written,
  replace: ReplaceFlow = sameFlow,
  observe?: Observe,
) {
  return (request: RequestParts, config: AuthConfig): MaybePromise<Written | ResponseInternal> => {
    const settings = settingsOf(config)
    return whenReady(parseVisit(request, settings), (visit) => {
      if ('refused' in visit) {
        const answer = respondWithoutFlow(({ respondRefused }) => respondRefused(visit, request, settings))
        return whenReady(answer, (done) => finish(done, request, settings, write))
      }
      const fault = settings.fault && copyOfError(settings.fault)
      if (fault) settings.tracer?.reject?.(fault)
      const world = openWorld(settings)
      // Integrations recognise a configuration fault by a Response, even in raw mode.
      const out = fault ? undefined : world.out
      const send = (result: Result) => finish(result, visit, settings, write, out)
      const sendFault = (error: unknown) =>
        whenReady(
          respondWithoutFlow(({ respondToFault }) => respondToFault(visit, settings, toAuthError(error))),
          send,
        )
      const sendOrContinue = (result: Result) => {
        const { passes } = result
        if (!passes) return send(result)
        return whenDone(() => letPass(passes, { visit, world, replace, observe }), send, sendFault)
      }
      // Flows and pages never throw, so an error means a fault of the configuration or of the code.
      return fault
        ? sendFault(fault)
        : whenDone(() => respondToRoute({ visit, world, replace, observe }), sendOrContinue, sendFault)
    })
  }
}

const loadAnswers = onceLoaded(() => import('./answer.ts'))

/** Responds to a request that no flow handles. The first such request loads the module with these responses. */
function respondWithoutFlow(answer: (answers: typeof Answers) => Result): MaybePromise<Result> {
  return whenReady(loadAnswers(), answer)
}

/** Loads the code that runs features, which most sites do not need. */
const loadFeatures = onceLoaded(() => import('./run-feature.ts'))

/** Finds the route and runs its flow, or shows its page. */
function respondToRoute(site: Omit<Continued, 'withGates'>): MaybePromise<Result> {
  const { visit, world, replace, observe } = site
  const { settings } = world
  const provider = visit.providerId === undefined ? undefined : settings.providers.get(visit.providerId)
  if (visit.providerId !== undefined && !provider)
    return respondWithoutFlow(({ respondUnknownProvider }) => respondUnknownProvider(visit, settings))
  const feature = findFeature(settings.features, visit.action)
  if (feature) return respondToFeature(feature, provider, site)
  const candidates = findRoutes(visit.action, provider?.kind ?? 'none')
  const route = candidates.find(({ method }) => method === visit.method)
  const served = findServed(visit, settings)
  if (served || route?.isOptional || isOptionalAction(visit.action))
    return whenReady(loadOptional(), ({ findOptional }) =>
      respondToFeature(findOptional(visit, settings), served ?? provider, site),
    )
  if (!route) return respondWithoutFlow(({ respondUnrouted }) => respondUnrouted(visit, candidates, settings))
  const { show, flow: name = 'session' } = route
  if (show) return whenReady(findShowing(show), (showing) => answerShowing(showing, visit, world))
  const run = (flow: Flow) => runFlow(flow, visit, provider, world, { observe })
  return whenReady(findFlow(name), (flow) => whenReady(withGates(replace(flow), settings), run))
}

const loadContinuation = onceLoaded(() => import('./continue-held.ts'))

/** Continues the held sign-in that the flow of a gate lets pass. */
function letPass(passes: Passing, site: Omit<Continued, 'withGates'>): MaybePromise<Result> {
  return whenReady(loadContinuation(), ({ continueHeld }) =>
    continueHeld(passes, { ...site, withGates: (flow) => withGates(flow, site.world.settings) }),
  )
}

/** Returns the flow with the gates of the site's features. */
function withGates(flow: Flow, settings: Settings): MaybePromise<Flow> {
  if (settings.features.length === 0) return flow
  return whenReady(loadFeatures(), ({ addGates }) => addGates(flow, settings))
}

/** Runs the flow of a feature's route. An optional feature that is off has none. */
function respondToFeature(
  feature: Feature | undefined,
  provider: ProviderSettings | undefined,
  site: Omit<Continued, 'withGates'>,
): MaybePromise<Result> {
  const { visit, world } = site
  const route = findFeatureRoute(feature, visit)
  if (!feature || !route?.methods.includes(visit.method)) {
    const allowed = (route?.methods ?? []).map((method) => ({ method }))
    return respondWithoutFlow(({ respondUnrouted }) => respondUnrouted(visit, allowed, world.settings))
  }
  return whenReady(loadFeatures(), ({ runFeature }) => runFeature(feature, route, { ...site, provider }))
}

/** Pages have the same deadline as steps. */
function answerShowing(show: Showing, visit: Visit, world: World): MaybePromise<Result> {
  const shown = show(visit, world)
  return shown instanceof Promise ? withDeadline(shown, `showing ${visit.action}`, world.platform) : shown
}

function toAuthError(error: unknown): AuthError {
  return error instanceof AuthError ? error : new AuthError(asError(error))
}
