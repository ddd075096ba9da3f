import type { Adapter } from 'authmachine/adapters'
import type { RequirementId } from 'authmachine/spec'

/** The name of an adapter's operation. */
export type Operation = keyof Adapter

/** A promise that a store makes. */
export interface AdapterRule {
  readonly proves: readonly RequirementId[]
  /** Unique among the rules. */
  readonly name: string
  /** Could somebody use a breach of it against a site? */
  readonly guards?: boolean
  /** The operations without which it cannot be judged. */
  readonly uses: readonly Operation[]
  /** Rejects where the store, which holds nothing yet, breaks the promise; `bare` is the adapter itself. */
  readonly run: (store: Required<Adapter>, bare: Adapter) => Promise<void>
}

/** Writes a rule down; what it does not name under `uses`, its `run` does not see. */
export function rule<const Uses extends Operation>(definition: {
  readonly proves: readonly RequirementId[]
  readonly name: string
  readonly guards?: boolean
  readonly uses: readonly Uses[]
  readonly run: (store: Pick<Required<Adapter>, Uses>, bare: Pick<Required<Adapter>, Uses>) => Promise<void>
}): AdapterRule {
  return { ...definition, run: (store, bare) => definition.run(store, bare as Required<Adapter>) }
}
