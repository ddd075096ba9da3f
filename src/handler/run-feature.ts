import type { Feature, FeatureFlow, FeatureRoute } from '../types/feature.ts'
import { onceLoaded } from '../async/once.ts'
import { asError } from '../errors/as-error.ts'
import { CallbackRouteError, InvalidConfig } from '../errors/classes.ts'
import { addGates } from '../extend/gates.ts'
import { openHeld, useHeld } from '../extend/hold-sign-in.ts'
import type { ProviderSettings } from '../config/settings.ts'
import { heldCookie, type HeldSignIn } from '../session/held-sign-in.ts'
import type { Passing, Showing } from '../extend/tools.ts'
import type { Flow } from '../flows/engine/flow.ts'
import { redirect, type Result, show } from '../flows/engine/result.ts'
import type { Observe } from '../flows/engine/run.ts'
import type { World } from '../flows/engine/world.ts'
import type { FindFlow, FlowName } from '../flows/flows.ts'
import { csrfOf } from '../extend/csrf-of.ts'
import type { Visit } from '../http/visit.ts'
import { type Ended, runFlow } from './run-flow.ts'

export { addGates }

/** What a request to a feature needs besides its own flow. */
interface Site {
  readonly visit: Visit
  readonly world: World
  readonly find: FindFlow
  readonly observe: Observe | undefined
}

/** Runs the flow of a feature's route, and continues the held sign-in that its outcome lets pass. */
export async function runFeature(feature: Feature, route: FeatureRoute, site: Site): Promise<Result> {
  const { visit, world, observe } = site
  const flow = addGates(readFlow(await route.flow(), feature, route), world.settings)
  const result = await runFlow(flow, visit, undefined, { ...world, feature }, observe)
  if (isPassing(result)) return continueHeld(feature, result.passes, site)
  return isShowing(result) ? showPage(result, site) : result
}

/** Loads the pages of features when the first one is shown. */
const loadPages = onceLoaded(() => import('../pages/feature-page.ts'))

/** Creates the page here, where an error of its author becomes a response. */
async function showPage({ status, shows }: Showing, { visit, world }: Site): Promise<Result> {
  const { base, action, origin, request } = visit
  const csrf = world.settings.csrf ? await csrfOf(visit, world) : undefined
  if (csrf) world.out.setCookies(csrf.cookies)
  const { createFeaturePage } = await loadPages()
  const shown = { ...shows, base, action, origin, csrfToken: csrf?.token }
  return show(await createFeaturePage(shown, world.settings, request.headers.get('accept-language')), status)
}

/** Every POST begins with the CSRF check, whether or not the author of the flow thought of it (FT-05). */
function readFlow(flow: FeatureFlow, { name }: Feature, { methods }: FeatureRoute): Flow {
  if (!isFlow(flow))
    throw new InvalidConfig(
      `A route of the feature "${name}" must return a flow that \`toolbox().flow\` made`,
    )
  const first = flow.chart.states[flow.chart.initial]
  const isChecked = first && 'invoke' in first && first.invoke.src === 'checkCsrf'
  const refused = isChecked ? flow.chart.states[first.on['csrf.mismatched'] ?? ''] : undefined
  if (methods.includes('POST') && !(refused && 'type' in refused && refused.meta.ending === 'refusal'))
    throw new InvalidConfig(`The flow "${flow.id}" of the feature "${name}" must begin with \`checkingCsrf\``)
  return flow
}

function isFlow(flow: FeatureFlow): flow is Flow {
  return 'steps' in Object(flow) && 'outcomes' in Object(flow)
}

function isShowing(result: Result): result is Result & Showing {
  return 'shows' in result
}

function isPassing(result: Result): result is Result & Passing {
  return 'passes' in result
}

/**
 * Runs the flow again that the gate has held, from where it was held. Everything is read again, except what the user has
 * proven and what the gates have learnt.
 */
async function continueHeld(
  { name }: Feature,
  { learnt, undo }: Passing['passes'],
  site: Site,
): Promise<Result> {
  const { visit, world, find, observe } = site
  const { settings, logger, store } = world
  if (visit.method !== 'POST') throw new InvalidConfig(`The gate of "${name}" may pass only after a POST`)
  const held = await openHeld(name, visit, world)
  const provider = settings.providers.get(held?.provider ?? '')
  const undone = async (result: Result) => {
    try {
      await undo?.()
    } catch (error) {
      logger.error(new CallbackRouteError(asError(error), { feature: name }))
    }
    return { ...result, cookies: [...(result.cookies ?? []), ...heldCookie.remove(visit)] }
  }
  if (!held || (held.provider !== undefined && !provider) || !(await useHeld(held, world)))
    return undone(redirect(`${visit.base}/signin?error=SessionRequired`))
  const passed = { ...held.passed, learnt: { ...held.passed.learnt, [name]: learnt } }
  let ended: Ended | undefined
  const { flow: own, feature } = await findHeldFlow(held, provider, find)
  const flow = addGates(own, settings)
  // Without a store, only the time can show that a session token was issued before its user was signed out.
  const issued = store ? {} : { stamp: { userId: passed.userId, value: null, at: passed.provenAt } }
  const result = await runFlow(flow, visit, provider, { ...world, ...(feature && { feature }) }, observe, {
    at: held.at,
    facts: { ...issued, ...held.facts, passed },
    onEnd: (end) => void (ended = end),
  })
  if (ended?.state === 'held') return result
  // Once a new user is stored, an invitation that is given back would let another one in.
  if (ended?.ending !== 'success' && !ended?.facts.createdUser) return undone(result)
  return { ...result, cookies: [...(result.cookies ?? []), ...heldCookie.remove(visit)] }
}

/** Finds the flow that continues: one of the library, or of the feature that is the way to sign in (FT-09). */
async function findHeldFlow(
  { flow: id, at }: HeldSignIn,
  provider: ProviderSettings | undefined,
  find: FindFlow,
): Promise<{ readonly flow: Flow; readonly feature?: Feature }> {
  if (provider?.kind !== 'feature') return { flow: await find(id as FlowName) }
  const { config: feature } = provider
  for (const route of Object.values(feature.routes ?? {})) {
    const flow = await route.flow()
    if (isFlow(flow) && flow.id === id && Object.hasOwn(flow.continues, at)) return { flow, feature }
  }
  throw new InvalidConfig(`The feature "${feature.name}" no longer has the flow "${id}", which admits users`)
}
