import { readHop } from '../../machines/hop.ts'
import { flows } from '../../src/instrumented.ts'
import { flowsWithRoutes } from '../../fuzz/charts/flows-with-routes.ts'
import { findTarget, type LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { generatedMutants } from './generated.ts'
import type { Edit } from './edit.ts'
import type { Mutant } from './mutant.ts'

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
export function placeOf({ id, file, breaks }: Mutant, edit: Edit): MutantPlace {
  const query = new URLSearchParams({ edit: JSON.stringify({ ...edit, file }) })
  return { id, breaks, place: { ...ours, name: id, module: `${urlOf('./mutated-target.ts')}?${query}` } }
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
