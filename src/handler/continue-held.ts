import { asError } from '../errors/as-error.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { AuthError, CallbackRouteError, InvalidConfig } from '../errors/classes.ts'
import type { Flow, ReplaceFlow } from '../flows/engine/flow.ts'
import { type Passing, redirect, type Result, throwOrRedirectFor } from '../flows/engine/result.ts'
import type { Observe } from '../flows/engine/run.ts'
import type { World } from '../flows/engine/world.ts'
import { findFlow, type FlowName, isFlowName, loadOptional } from '../flows/flows.ts'
import { openHeld, type OpenedSignIn, useHeld } from '../flows/shared/hold-sign-in.ts'
import type { Visit } from '../http/visit.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import { onceLoaded } from '../async/once.ts'
import { storeHeld } from '../policy/end-held.ts'
import { heldSignInCookie, type PassedGates } from '../session/held-sign-in.ts'
import type { Feature, FeatureFlow } from '../types/feature.ts'
import { locateResult } from './error-location.ts'
import { type Ended, runFlow } from './run-flow.ts'

/** The tools that continue a held sign-in. */
export interface Site {
  readonly visit: Visit
  readonly world: World
  readonly replace: ReplaceFlow
  readonly observe: Observe | undefined
  /** Returns the flow with the gates of the site. */
  readonly withGates: (flow: Flow) => MaybePromise<Flow>
}

/**
 * Runs the flow again that the gate has held, from where it was held. Everything is read again, except what the user has
 * proven and what the gates have learnt.
 */
export async function continueHeld(passing: Passing, site: Site): Promise<Result> {
  const { gate, undo } = passing
  const { visit, world } = site
  if (visit.method !== 'POST') throw new InvalidConfig(`The gate of "${gate}" may pass only after a POST`)
  try {
    return await attempt(passing, site)
  } catch (error) {
    await undoSafely(() => undo?.('fault'), gate, world)
    const fault = error instanceof AuthError ? error : new CallbackRouteError(asError(error))
    return locateResult(throwOrRedirectFor(fault), visit, world.settings)
  }
}

async function attempt({ gate, learnt, undo }: Passing, site: Site): Promise<Result> {
  const { visit, world } = site
  const held = await openHeld(gate, visit, world)
  const isConfigured = held?.provider === undefined || world.settings.providers.has(held.provider)
  if (!held || !isConfigured || !(await useHeld(held, world))) {
    await undoSafely(() => undo?.('refusal'), gate, world)
    return withoutCookie(redirect(`${visit.base}/signin?error=SessionRequired`), visit)
  }
  const passed = { ...held.passed, learnt: { ...held.passed.learnt, ...learnt } }
  const { result, ended } = await runHeld(held, passed, site)
  const { ending = 'fault', state, facts = {} } = ended ?? {}
  if (state === 'held') return result
  // Once a new user is stored, an invitation that is given back would let another one in.
  const isUndone = ending !== 'success' && !facts.createdUser
  if (isUndone) await undoSafely(() => undo?.(ending), gate, world)
  // Unless the flow has made a mailed link or code work again, the sign-in can be continued once more.
  const isKept = isUndone && ending === 'fault' && !facts.consumedToken
  if (isKept) await storeHeld(held.id, world.platform.now(), world)
  return isKept ? result : withoutCookie(result, visit)
}

async function runHeld(
  held: OpenedSignIn,
  passed: PassedGates,
  { visit, world, replace, observe, withGates }: Site,
) {
  const { settings } = world
  const provider = held.provider === undefined ? undefined : settings.providers.get(held.provider)
  const own = await findOwnFlow(held, provider, settings)
  const flow = await withGates(replace(own?.flow ?? (await findFlow(held.flow as FlowName))))
  // Without a store, only the time can show that a session token was issued before its user was signed out.
  const issued = world.store ? {} : { stamp: { userId: passed.userId, value: null, at: passed.provenAt } }
  let ended: Ended | undefined
  // The page belongs to the route that began the sign-in.
  const begun = own && { visit: { ...visit, action: own.action }, world }
  const show = begun && (await loadFeatures()).showResult(begun)
  const continued = {
    at: held.at,
    facts: { ...issued, ...held.facts, passed },
    onEnd: (end: Ended) => void (ended = end),
  }
  const options = { observe, continued, ...(show && { show }) }
  const within = { ...world, ...(own && { feature: own.feature }) }
  const result = await runFlow(flow, visit, provider, within, options)
  return { result, ended }
}

const loadFeatures = onceLoaded(() => import('./run-feature.ts'))

/** A flow of a feature, and the route that began it. */
interface OwnFlow {
  readonly feature: Feature
  readonly flow: Flow
  readonly action: string
}

/** Finds the flow in which a sign-in continues, if it belongs to a feature: to the way to sign in (FT-09), or to an optional one. */
async function findOwnFlow(
  { flow: id, at }: OpenedSignIn,
  provider: ProviderSettings | undefined,
  settings: Settings,
): Promise<OwnFlow | undefined> {
  const way = provider?.kind === 'feature' ? provider.config : undefined
  if (!way && isFlowName(id)) return undefined
  for (const feature of way ? [way] : (await loadOptional()).listOptional(settings))
    for (const [action, route] of Object.entries(feature.routes ?? {})) {
      const flow = await route.flow()
      if (isFlow(flow) && flow.id === id && Object.hasOwn(flow.continues, at))
        return { feature, flow, action }
    }
  const owner = way ? `The feature "${way.name}"` : 'The site'
  throw new InvalidConfig(`${owner} no longer has the flow "${id}", which admits users`)
}

function isFlow(flow: FeatureFlow): flow is Flow {
  return 'continues' in flow
}

async function undoSafely(undo: () => unknown, gate: string, { logger }: World): Promise<void> {
  try {
    await undo()
  } catch (error) {
    logger.error(new CallbackRouteError(asError(error), { feature: gate }))
  }
}

function withoutCookie(result: Result, visit: Visit): Result {
  return { ...result, cookies: [...(result.cookies ?? []), ...heldSignInCookie.remove(visit)] }
}
