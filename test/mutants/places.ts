import { readHop } from '../../machines/hop.ts'
import { flows } from '../../src/instrumented.ts'
import { flowsWithRoutes } from '../../fuzz/charts/flows-with-routes.ts'
import { findTarget, type LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { generatedMutants } from './generated.ts'
import type { Edit, SourceEdit } from './edit.ts'
import type { Mutant } from './mutant.ts'
import type { Located } from './stale.ts'

/** A mutant as a target of the oracle. */
export interface MutantPlace {
  readonly id: string
  readonly place: LibraryPlace
  /** The requirements that it breaks, according to its author. Unknown for a generated mutant. */
  readonly breaks: readonly string[]
  /** Whether a hop of the unchanged library passes the mutated place. Without it, any hop may. */
  readonly touches?: (hop: string) => boolean
}

const ours = findTarget('ours') as LibraryPlace

/** Creates a target from a written mutant. */
export function placeOf(mutant: Mutant, edit: Edit): MutantPlace {
  const { id, breaks } = mutant
  return { id, breaks, place: placeWith(id, [[mutant, edit]]) }
}

/** Creates a target with all of these mutants. */
export function placeWith(name: string, located: readonly Located[]): LibraryPlace {
  const query = new URLSearchParams({ edits: JSON.stringify(editsOf(located)) })
  return { ...ours, name, module: `${urlOf('./mutated-target.ts')}?${query}` }
}

/** Returns what to edit in the sources. */
export function editsOf(located: readonly Located[]): SourceEdit[] {
  return located.map(([{ file }, edit]) => ({ ...edit, file }))
}

/** Creates targets from the chart mutants of flows that requests can reach. */
export function chartPlaces(): MutantPlace[] {
  const routed = new Set(flowsWithRoutes(flows).map(({ id }) => id))
  const mutants = generatedMutants(flows).filter(({ id }) => routed.has(id.slice(0, id.indexOf(':'))))
  return mutants.map(({ id, touches }) => ({
    id,
    breaks: [],
    place: { ...ours, name: id, module: `${urlOf('./mutated-flow.ts')}?${new URLSearchParams({ id })}` },
    touches(text) {
      const hop = readHop(text)
      return hop !== undefined && touches(hop)
    },
  }))
}

function urlOf(name: string): string {
  return new URL(name, import.meta.url).href
}
