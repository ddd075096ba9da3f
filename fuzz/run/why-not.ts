import { requirements, type RequirementId } from 'authmachine/spec'
import type { Property } from '../properties/property.ts'
import { isSpecial, providersOf, type Setup } from '../targets/setup.ts'
import type { Driver } from '../targets/target.ts'
import type { Judgement } from './verdict.ts'

const rows = new Map<string, (typeof requirements)[number]>(requirements.map((row) => [row.id, row]))

/** The row of an invariant. */
export function rowOf(id: RequirementId) {
  const row = rows.get(id)
  if (!row) throw new Error(`${id} is no requirement`)
  return row
}

/** Why a property can't be judged on this application of a target; undefined when it can. */
export function whyNot(
  { proves, needs = [] }: Property,
  setup: Setup,
  { capabilities, features, providers, presets, strategy }: Driver,
): Pick<Judgement, 'verdict' | 'reason'> | undefined {
  const [first] = proves
  const { capability, within, level } = rowOf(first)
  // Where a capability is about a part of a row, the property names that part itself, and judges the rest.
  if (capability !== undefined && within === undefined && !capabilities.has(capability))
    return {
      verdict: level === 'must' ? 'WARN' : 'SKIP',
      reason: `the target does not declare the capability ${capability}`,
    }
  const wanted = isSpecial(setup) ? (['setup', ...needs] as const) : needs
  const missing = wanted.find((feature) => !features.has(feature))
  if (missing) return { verdict: 'SKIP', reason: `the target offers no ${missing}` }
  const service = Object.values(setup.preset ?? {}).find((name) => !presets?.has(name))
  if (service !== undefined) return { verdict: 'SKIP', reason: `the target makes no provider of ${service}` }
  if (strategy && (setup.strategy ?? strategy) !== strategy)
    return { verdict: 'SKIP', reason: `the application keeps its sessions by the strategy ${strategy}` }
  const absent = providersOf(setup).find((name) => setup.providers?.includes(name) && !providers.has(name))
  if (absent) return { verdict: 'SKIP', reason: `the target has no provider like ${absent}` }
  return undefined
}
