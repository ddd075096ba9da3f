import type { Ending } from '../../machines/endings.ts'
import type { Feature, FeatureFlow, FeatureRoute, Json } from '../types/feature.ts'
import type { Awaitable } from '../types/records.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { addGates } from '../extend/gates.ts'
import { heldCookie, openHeld } from '../extend/held-sign-in.ts'
import type { Passing } from '../extend/tools.ts'
import type { Flow } from '../flows/engine/flow.ts'
import { redirect, type Result } from '../flows/engine/result.ts'
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
  const { page } = result
  if (page?.page !== 'feature') return result
  return { ...result, page: { ...page, csrfToken: await provideFormToken(visit, world) } }
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
  if (!held || (held.provider !== undefined && !provider) || (await isEnded(held.facts.stamp, world)))
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
  return { ...result, cookies: [...(result.cookies ?? []), ...heldCookie.remove(visit)] }
}

/** Tells whether the account has changed in a way that ends what was pending (FT-03). */
async function isEnded(stamp: Parameters<typeof isOutdated>[0], world: World): Promise<boolean> {
  return stamp !== undefined && (await isOutdated(stamp, stamp.userId, world))
}
