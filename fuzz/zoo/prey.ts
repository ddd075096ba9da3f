import { flows } from '../../src/handler/flows.ts'
import { routedFlows } from '../charts/routed.ts'
import { readHop } from '../../machines/hop.ts'
import { findTarget, type LibraryPlace } from '../targets/find-target.ts'
import { generatedMutants } from './generated.ts'
import type { Mutant } from './mutant.ts'

/** A fault in this library that some property has to notice. */
export interface Prey {
  readonly id: string
  readonly place: LibraryPlace
  /** The requirements whose breach it is, as its author says; a generated one has none. */
  readonly kills: readonly string[]
  /** Does a hop of the unbroken library come by the broken place? Without it, any may. */
  readonly touches?: (hop: string) => boolean
}

const ours = findTarget('ours') as LibraryPlace
const broken = new URL('./broken.ts', import.meta.url)

/** Faults that somebody wrote, as replacements of source text. */
export function writtenPrey(mutants: readonly Mutant[]): Prey[] {
  return mutants.map((mutant) => ({
    id: mutant.id,
    kills: mutant.kills,
    place: { ...ours, name: mutant.id, mutant },
  }))
}

/** Faults that follow from the charts of the flows that requests come by. */
export function generatedPrey(): Prey[] {
  const routed = new Set(routedFlows(flows).map(({ id }) => id))
  const mutants = generatedMutants(flows).filter(({ id }) => routed.has(id.slice(0, id.indexOf(':'))))
  return mutants.map(({ id, touches }) => ({
    id,
    kills: [],
    place: { ...ours, name: id, module: `${broken.href}?${new URLSearchParams({ id })}` },
    touches(text) {
      const hop = readHop(text)
      return hop !== undefined && touches(hop)
    },
  }))
}
