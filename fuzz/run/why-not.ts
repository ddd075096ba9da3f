import { isPortable, type Property } from '../properties/property.ts'
import { opposites } from '../targets/assume-router.ts'
import { isSpecial, providersOf, type Setup } from '../targets/setup.ts'
import type { Driver } from '../targets/target.ts'
import { findUndeclared } from '../world/find-undeclared.ts'
import type { Judgement } from './verdict.ts'

/** The reason why properties that are not portable are skipped for an application with custom routes. */
export const needsWire = 'it needs routes or cookies that a description does not name'

export function describeUnclaimed(capability: string): string {
  const opposite = opposites.get(capability)
  if (opposite !== undefined) return `a router in front of the target handles it (${opposite})`
  return `the target does not declare the capability ${capability}`
}

/** Explains why a property cannot be tested on this application of a target; undefined if it can. */
export function whyNot(
  property: Property,
  setup: Setup,
  { capabilities, features, providers, presets, strategy }: Driver,
): Pick<Judgement, 'verdict' | 'reason'> | undefined {
  const { proves, needs = [] } = property
  const [first] = proves
  const undeclared = findUndeclared(first, capabilities)
  if (undeclared !== undefined) return { verdict: 'SKIP', reason: describeUnclaimed(undeclared) }
  if (features.has('custom-routes') && !isPortable(property)) return { verdict: 'SKIP', reason: needsWire }
  const wanted = isSpecial(setup) ? (['setup', ...needs] as const) : needs
  const missing = wanted.find((feature) => !features.has(feature))
  if (missing) return { verdict: 'SKIP', reason: `the target does not support the feature ${missing}` }
  const unclaimed = Object.keys(setup.with ?? {}).find((name) => !capabilities.has(name))
  if (unclaimed !== undefined) return { verdict: 'SKIP', reason: describeUnclaimed(unclaimed) }
  const service = Object.values(setup.preset ?? {}).find((name) => !presets?.has(name))
  if (service !== undefined) return { verdict: 'SKIP', reason: `the target has no preset for ${service}` }
  if (strategy && (setup.strategy ?? strategy) !== strategy)
    return { verdict: 'SKIP', reason: `the application uses the session strategy ${strategy}` }
  const absent = providersOf(setup).find((name) => setup.providers?.includes(name) && !providers.has(name))
  if (absent) return { verdict: 'SKIP', reason: `the target does not use the provider ${absent}` }
  return undefined
}
