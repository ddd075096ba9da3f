import { settingsOf } from '../config/derive-settings.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { orElse, whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { once } from '../crypto/once.ts'
import { AuthError } from '../errors.ts'
import { withDeadline } from '../flows/deadline.ts'
import type { Flow } from '../flows/flow.ts'
import { run, type Hop, type Observe } from '../flows/run.ts'
import { parseVisit } from '../http/parse-visit.ts'
import type { Visit } from '../http/visit.ts'
import { findRoutes } from '../routes/routes.ts'
import type { Showing } from '../routes/showings.ts'
import type { Facts } from '../steps/facts.ts'
import { createOutbox } from '../steps/outbox.ts'
import type { World } from '../steps/world.ts'
import { createKeyring } from '../token/create-keyring.ts'
import type { Keyring } from '../token/keyring.ts'
import type { AuthConfig, ResponseInternal } from '../types/config.ts'
import { answerFault, answerRefused, answerUnknownProvider, answerUnrouted } from './answer-without-flow.ts'
import { answerOutcome, answerShown, type Finished } from './answer.ts'
import { describePath, watchHops } from './describe-path.ts'
import { findFlow, type FindFlow } from './find-flow.ts'
import { finish } from './finish.ts'

export type Handler = (request: Request, config: AuthConfig) => MaybePromise<Response | ResponseInternal>

/**
 * Makes the function that answers requests. Other flows than the library's own are for proofs that a test can fail.
 * @param observe told of each hop of each run
 */
export function createHandler(find: FindFlow = findFlow, observe?: Observe): Handler {
  return (request, config) => {
    const settings = settingsOf(config)
    return whenReady(parseVisit(request, settings), (visit) => {
      if ('refused' in visit) return finish(answerRefused(visit, request, settings), request, settings)
      const world = createWorld(settings)
      const answer = settings.fault
        ? answerFault(visit, settings, settings.fault)
        : answerRoute(visit, world, find, observe)
      // Integrations tell a fault of the configuration by a Response, in raw mode too.
      const out = settings.fault ? undefined : world.out
      return whenReady(answer, (done) => finish(done, visit, settings, out))
    })
  }
}

/** Finds the row of the route table, and runs its flow or shows what it shows. */
function answerRoute(visit: Visit, world: World, find: FindFlow, observe?: Observe): MaybePromise<Finished> {
  const { settings } = world
  const provider = visit.providerId === undefined ? undefined : settings.providers.get(visit.providerId)
  if (visit.providerId !== undefined && !provider) return answerUnknownProvider(visit, settings)
  const candidates = findRoutes(visit.action, provider?.kind ?? 'none')
  const route = candidates.find(({ method }) => method === visit.method)
  if (!route) return answerUnrouted(visit, candidates)
  const { show, flow: name = 'session' } = route
  // Flows and showings never throw by themselves; what does is the configuration's fault, or the code's.
  return orElse(
    () =>
      show
        ? answerShowing(show, visit, world)
        : whenReady(find(name), (flow) => runFlow(flow, visit, provider, world, observe)),
    (error) => answerFault(visit, settings, toAuthError(error)),
  )
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
  flow: Flow,
  visit: Visit,
  provider: ProviderSettings | undefined,
  world: World,
  observe?: Observe,
): MaybePromise<Finished> {
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

/** What the steps of one run act on. */
export function createWorld(settings: Settings): World {
  const { platform, store, logger } = settings
  return { settings, platform, store, logger, keys: keyringOf(settings), out: createOutbox() }
}

const keyrings = new WeakMap<Settings, Keyring>()

/** Opened when it is first used: what tells that there is no secret has to do without. */
function keyringOf(settings: Settings): Keyring {
  const known = keyrings.get(settings)
  if (known) return known
  const open = once(() => createKeyring(settings.jwt.secrets, settings.platform))
  const keys: Keyring = {
    seal: (claims, options) => open().seal(claims, options),
    open: (token, options) => open().open(token, options),
  }
  keyrings.set(settings, keys)
  return keys
}
