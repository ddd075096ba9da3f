import { settingsOf } from '../config/derive-settings.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { AuthError } from '../errors.ts'
import { callbackFlow } from '../flows/callback.ts'
import { credentialsFlow } from '../flows/credentials.ts'
import { emailRequestFlow, emailVerificationFlow } from '../flows/email.ts'
import { withDeadline } from '../flows/deadline.ts'
import type { Flow } from '../flows/flow.ts'
import { run, type Hop, type Observe } from '../flows/run.ts'
import { refreshFlow } from '../flows/refresh.ts'
import { sessionFlow } from '../flows/session.ts'
import { signInFlow } from '../flows/sign-in.ts'
import { signOutFlow } from '../flows/sign-out.ts'
import { webauthnFlow, webauthnOptionsFlow } from '../flows/webauthn.ts'
import { parseVisit } from '../http/parse-visit.ts'
import type { Visit } from '../http/visit.ts'
import { findRoutes, type FlowName, type Route } from '../routes/routes.ts'
import type { Showing } from '../routes/showings.ts'
import type { Facts } from '../steps/facts.ts'
import { createOutbox } from '../steps/outbox.ts'
import type { World } from '../steps/world.ts'
import { createKeyring } from '../token/create-keyring.ts'
import type { Keyring } from '../token/keyring.ts'
import type { AuthConfig, ResponseInternal } from '../types/config.ts'
import { answerFault, answerRefused, answerUnrouted } from './answer-without-flow.ts'
import { answerOutcome, answerShown, type Finished } from './answer.ts'
import { describePath, watchHops } from './describe-path.ts'
import { finish } from './finish.ts'

export type Flows = Readonly<Record<FlowName | 'refresh', Flow>>

/** The flows of the library, as they are drawn. */
export const flows: Flows = {
  'sign-in': signInFlow,
  callback: callbackFlow,
  'email-request': emailRequestFlow,
  'email-verification': emailVerificationFlow,
  credentials: credentialsFlow,
  'webauthn-options': webauthnOptionsFlow,
  webauthn: webauthnFlow,
  session: sessionFlow,
  'sign-out': signOutFlow,
  refresh: refreshFlow,
}

export type Handler = (request: Request, config: AuthConfig) => MaybePromise<Response | ResponseInternal>

/**
 * Makes the function that answers requests. Other flows than the library's own are for proofs that a test can fail.
 * @param observe told of each hop of each run
 */
export function createHandler(driven: Flows = flows, observe?: Observe): Handler {
  return (request, config) => {
    const settings = settingsOf(config)
    return whenReady(parseVisit(request, settings), (visit) => {
      if ('refused' in visit) return finish(answerRefused(visit, request, settings), request, settings)
      const world = createWorld(settings)
      const answer = settings.fault
        ? answerFault(visit, settings, settings.fault)
        : answerRoute(visit, world, driven, observe)
      return whenReady(answer, (done) => finish(done, visit, settings, world.out))
    })
  }
}

/** Finds the row of the route table, and runs its flow or shows what it shows. */
function answerRoute(visit: Visit, world: World, driven: Flows, observe?: Observe): MaybePromise<Finished> {
  const { settings } = world
  const provider = visit.providerId === undefined ? undefined : settings.providers.get(visit.providerId)
  if (visit.providerId !== undefined && !provider) return answerUnrouted(visit, [])
  const candidates = findRoutes(visit.action, provider?.kind ?? 'none')
  const route = candidates.find(({ method }) => method === visit.method)
  if (!route) return answerUnrouted(visit, candidates)
  const { show } = route
  return orFault(visit, world, () =>
    show ? answerShowing(show, visit, world) : runFlow(route, visit, provider, world, driven, observe),
  )
}

/** Flows and showings never throw by themselves; what does is the configuration's fault, or the code's. */
function orFault(
  visit: Visit,
  { settings }: World,
  work: () => MaybePromise<Finished>,
): MaybePromise<Finished> {
  const fail = (error: unknown) => answerFault(visit, settings, toAuthError(error))
  try {
    const answer = work()
    return answer instanceof Promise ? answer.catch(fail) : answer
  } catch (error) {
    return fail(error)
  }
}

/** What is shown has a deadline, as steps have. */
function answerShowing(show: Showing, visit: Visit, world: World): MaybePromise<Finished> {
  const shown = show(visit, world)
  if (!(shown instanceof Promise)) return answerShown(shown)
  return withDeadline(shown, `showing ${visit.action}`, world.platform).then(answerShown)
}

function toAuthError(error: unknown): AuthError {
  return error instanceof AuthError ? error : new AuthError(error instanceof Error ? error : String(error))
}

function runFlow(
  { flow: name }: Route,
  visit: Visit,
  provider: ProviderSettings | undefined,
  world: World,
  driven: Flows,
  observe?: Observe,
): MaybePromise<Finished> {
  const flow = driven[name ?? 'session']
  const { debug, tracer } = world.settings
  const { method, action, providerId } = visit
  const trace = tracer?.begin({ flow: flow.id, method, action, provider: providerId })
  const hops: Hop[] = []
  const watch = debug || observe || trace ? watchHops(hops, observe, trace?.hop) : undefined
  const begin = { visit, ...(provider && nameProvider(provider)) }
  return whenReady(run(flow, begin, world, watch), ({ state, facts }) => {
    if (debug) world.logger.debug(`flow ${flow.id}`, describePath(hops, state))
    const ending = flow.outcomes[state]
    if (!ending) throw new Error(`${flow.id} has no outcome for ${state}`)
    const done = answerOutcome(ending.answer(facts, world), visit, world.settings, trace?.id)
    trace?.end(done.logs)
    return done
  })
}

/** The fact that a provider of each kind is. */
function nameProvider(provider: ProviderSettings): Partial<Facts> {
  switch (provider.kind) {
    case 'oauth':
      return { provider }
    case 'email':
      return { mailProvider: provider }
    case 'credentials':
      return { credentialsProvider: provider }
    case 'webauthn':
      return { webauthnProvider: provider }
  }
}

const keyrings = new WeakMap<Settings, Keyring>()

/** What the steps of one run act on. */
export function createWorld(settings: Settings): World {
  const { platform, store, logger } = settings
  return {
    settings,
    platform,
    store,
    logger,
    get keys() {
      const known = keyrings.get(settings)
      if (known) return known
      const keys = createKeyring(settings.jwt.secrets, platform)
      keyrings.set(settings, keys)
      return keys
    },
    out: createOutbox(),
  }
}
