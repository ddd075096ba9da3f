import type { Adapter } from 'authmachine/adapters'
import { requirement, type RequirementId } from 'authmachine/spec'

/** The name of an adapter method. */
export type Operation = keyof Adapter

/** A rule that a store must follow. */
export interface AdapterRule {
  readonly proves: readonly RequirementId[]
  /** Unique among the rules. */
  readonly name: string
  /** Whether a violation is a vulnerability of sites that use the adapter. */
  readonly guards?: boolean
  /** The methods that it needs. */
  readonly uses: readonly Operation[]
  /** Rejects if the store, which is empty at first, breaks the rule; `bare` is the adapter itself. */
  readonly run: (store: Required<Adapter>, bare: Adapter) => Promise<void>
}

/** Defines a rule; its `run` sees only the methods listed under `uses`. Aliases of requirements become their ids. */
export function rule<const Uses extends Operation>(definition: {
  readonly proves: readonly RequirementId[]
  readonly name: string
  readonly guards?: boolean
  readonly uses: readonly Uses[]
  readonly run: (store: Pick<Required<Adapter>, Uses>, bare: Pick<Required<Adapter>, Uses>) => Promise<void>
}): AdapterRule {
  const proves = [...new Set(definition.proves.map((id) => requirement(id).id))]
  return { ...definition, proves, run: (store, bare) => definition.run(store, bare as Required<Adapter>) }
}
