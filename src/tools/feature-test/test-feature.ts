import { graphOf } from '../../../machines/graph.ts'
import { coreSteps } from '../../extend/core-steps.ts'
import { addGates } from '../../extend/gates.ts'
import * as all from '../../flows/all-flows.ts'
import type { Flow } from '../../flows/engine/flow.ts'
import type { Feature, FeatureFlow } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'
import { settingsOf } from '../../config/derive-settings.ts'
import { createWorld } from '../../handler/run-flow.ts'
import { browseRoutes, configureSite, type TestedSite } from './browse-routes.ts'
import { checkFlow } from './check-flow.ts'
import { forcePaths } from './force-paths.ts'

/** What `testFeature` has tried. */
export interface FeatureReport {
  /** The ids of the flows of the feature. */
  readonly flows: readonly string[]
  /** The ids of the library's flows to which the feature adds its gate. */
  readonly gated: readonly string[]
  /** The number of paths that were forced. */
  readonly paths: number
}

/**
 * Runs the tests that apply to every feature: the structure of its charts, the facts along every path, each
 * transition in the engine, and a browser on its routes. If it has a gate, the same for every way to sign in with this gate,
 * from the start and from where a held sign-in continues. If it is a way to sign in, the same with the gate of another feature,
 * and its form on the sign-in page.
 *
 * @param feature the return value of `defineFeature`
 * @param site the providers that the routes of the feature name, and the experimental options that they need
 * @returns the number of tested paths
 * @throws Error (rejects) with every fault, one per line
 * @example
 * test('the feature', async () => {
 *   await testFeature(terms({ version: '1', url: '/terms' }))
 * })
 */
export async function testFeature(feature: Feature, site: TestedSite = {}): Promise<FeatureReport> {
  const own = await loadFlows(feature)
  const continuing = own.filter(({ continues }) => Object.keys(continues).length > 0)
  // Another feature may hold a sign-in by this one.
  const held = continuing.map((flow) => addGates(flow, { features: [feature, gate] }))
  const gated = Object.values<Flow>(all).flatMap((flow) => {
    const added = addGates(flow, { features: [feature] })
    return added === flow ? [] : [added]
  })
  const continued = [...gated, ...held].flatMap((flow) =>
    Object.values(flow.continues).map(({ at, facts }) => ({
      flow,
      start: { at, facts: [...flow.begins, ...facts, 'passed'] },
    })),
  )
  const world = createWorld(settingsOf(configureSite([feature], [], site)))
  const forced = [
    ...[...own, ...held, ...gated].map((flow) => forcePaths(flow, world)),
    ...continued.map(({ flow, start }) => forcePaths(flow, world, start.at)),
  ]
  const faults = [
    ...checkWay(feature, continuing),
    ...checkRecency(feature, own),
    ...[...own, ...held, ...gated].flatMap((flow) => checkFlow(flow)),
    ...continued.flatMap(({ flow, start }) => checkFlow(flow, start)),
    ...forced.flatMap((each) => each.faults),
    ...(await browseRoutes(feature, site)),
  ]
  if (faults.length > 0)
    throw new Error(
      `The feature "${feature.name}" has faults:\n${[...new Set(faults)].map((fault) => `- ${fault}`).join('\n')}`,
    )
  return {
    flows: own.map(({ id }) => id),
    gated: gated.map(({ id }) => id),
    paths: forced.reduce((sum, { paths }) => sum + paths, 0),
  }
}

/** A gate of another feature. */
const gate = defineGate('another', { description: 'Check what another feature demands', check: () => 'hold' })

function defineGate(name: string, own: NonNullable<Feature['gate']>): Feature {
  return { name, title: name, gate: own, [findFault]: () => undefined }
}

/** Only a flow with `admitting` signs in, and only for a feature with `signIn`. Flows of the library have their own way. */
function checkWay({ signIn }: Feature, continuing: readonly Flow[]): string[] {
  const admitting = continuing.filter(({ steps }) => Object.hasOwn(steps, 'claimIdentity'))
  if (signIn) return admitting.length > 0 ? [] : ['It has `signIn`, but no flow with `admitting`']
  return admitting.map(({ id }) => `${id}: It contains \`admitting\`, but the feature has no \`signIn\``)
}

/** Without `needsRecentSignIn`, sessions may not record when their users signed in, and the state then fails. */
function checkRecency({ signIn, needsRecentSignIn }: Feature, own: readonly Flow[]): string[] {
  if (signIn || needsRecentSignIn) return []
  const checking = own.filter(
    ({ chart, steps }) =>
      steps['checkSession'] === coreSteps.checkSession &&
      graphOf(chart).nodes.some(({ step }) => step === 'checkSession'),
  )
  return checking.map(
    ({ id }) => `${id}: It uses \`checkingSession\`. Set \`needsRecentSignIn: true\` in the feature`,
  )
}

async function loadFlows({ name, routes = {} }: Feature): Promise<readonly Flow[]> {
  const loaded = await Promise.all(Object.values(routes).map(async (route) => route.flow()))
  return [...new Set(loaded)].map((flow) => {
    if (isFlow(flow)) return flow
    throw new TypeError(`A route of the feature "${name}" must return a flow that \`toolbox().flow\` made`)
  })
}

function isFlow(flow: FeatureFlow): flow is Flow {
  return 'steps' in Object(flow) && 'outcomes' in Object(flow)
}
