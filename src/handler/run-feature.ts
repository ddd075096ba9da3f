import type { Ending } from '../../machines/endings.ts'
import type { Feature, FeatureFlow, FeatureRoute, Json } from '../types/feature.ts'
import type { Awaitable } from '../types/records.ts'
import { onceLoaded } from '../async/once.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { addGates } from '../extend/gates.ts'
import { openHeld } from '../extend/hold-sign-in.ts'
import { endHeldByGates, isEndedByGates } from '../policy/end-held.ts'
import { heldCookie, type HeldSignIn } from '../session/held-sign-in.ts'
import type { Passing, Showing } from '../extend/tools.ts'
import type { Facts } from '../flows/engine/facts.ts'
import type { Flow } from '../flows/engine/flow.ts'
import { redirect, type Result, show } from '../flows/engine/result.ts'
import type { Observe } from '../flows/engine/run.ts'
import type { World } from '../flows/engine/world.ts'
import type { FindFlow, FlowName } from '../flows/flows.ts'
import { provideFormToken } from '../flows/shared/check-csrf.ts'
import type { Visit } from '../http/visit.ts'
import { isOutdated } from '../policy/stamp.ts'
import { runFlow } from './run-flow.ts'

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
  const flow = readFlow(await route.flow(), feature, route)
  const result = await runFlow(flow, visit, undefined, { ...world, feature }, observe)
  if (isPassing(result)) return continueHeld(feature, result.passes, site)
  return isShowing(result) ? showPage(result, site) : result
}

/** Loads the pages of features when the first one is shown. */
const loadPages = onceLoaded(() => import('../pages/feature-page.ts'))

/** Creates the page here, where an error of its author becomes a response. */
async function showPage({ status, shows }: Showing, { visit, world }: Site): Promise<Result> {
  const { base, action, origin, request } = visit
  const csrfToken = await provideFormToken(visit, world)
  const { createFeaturePage } = await loadPages()
  const shown = { ...shows, base, action, origin, csrfToken }
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
  if (methods.includes('POST') && !isChecked)
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
  { learnt, undo }: { readonly learnt: Json; readonly undo?: (() => Awaitable<void>) | undefined },
  site: Site,
): Promise<Result> {
  const { visit, world, find, observe } = site
  const { settings } = world
  if (visit.method !== 'POST') throw new InvalidConfig(`The gate of "${name}" may pass only after a POST`)
  const held = await openHeld(name, visit, world)
  const provider = settings.providers.get(held?.provider ?? '')
  if (!held || (held.provider !== undefined && !provider) || (await isEnded(held, world)))
    return { ...redirect(`${visit.base}/signin?error=SessionRequired`), cookies: heldCookie.remove(visit) }
  const { userId, learnt: earlier } = held.passed
  const passed = { userId, learnt: { ...earlier, [name]: learnt } }
  let ended: { readonly state: string; readonly ending: Ending } | undefined
  const flow = addGates(await find(held.flow as FlowName), settings)
  const result = await runFlow(flow, visit, provider, world, observe, {
    at: held.at,
    facts: { ...held.facts, passed },
    onEnd: (end) => void (ended = end),
  })
  if (ended?.ending === 'fault') {
    // The page of the gate can be sent again.
    await undo?.()
    return result
  }
  if (ended?.state === 'held') return result
  // Another copy of the cookie must not open another session.
  if (userId !== undefined) await endHeldByGates(userId, world)
  return { ...result, cookies: [...(result.cookies ?? []), ...heldCookie.remove(visit)] }
}

/** Tells whether the account has changed in a way that ends what was pending, or the sign-in has ended (FT-03). */
async function isEnded(
  { passed: { userId }, heldAt, facts: { stamp } }: HeldSignIn & { readonly facts: Partial<Facts> },
  world: World,
): Promise<boolean> {
  const isChanged = stamp !== undefined && (await isOutdated(stamp, stamp.userId, world))
  return isChanged || isEndedByGates(userId, heldAt, world)
}
