import { readFile } from 'node:fs/promises'
import { findRequirement } from '../../../spec/index.ts'
import type { Property } from '../../../fuzz/properties/property.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { rowsBrokenBy } from '../rows-broken-by.ts'
import type { Mutant } from '../mutant.ts'

/** A mutant on which a property must fail, and the application on which it does. */
export interface Control {
  readonly mutant: string
  readonly setup: string
}

/** The controls of each property by its name: in process, and for those judged by URL also over HTTP. */
export interface Controls {
  readonly library: Readonly<Record<string, Control>>
  readonly http: Readonly<Record<string, Control>>
}

export const controlsFile = new URL('controls.json', import.meta.url)

export async function readControls(): Promise<Controls> {
  return JSON.parse(await readFile(controlsFile, 'utf8')) as Controls
}

/** Tells whether a property failed, by a requirement that it proves and not by one that a monitor watches. */
export function isRed({
  verdict,
  broken,
  proves,
}: Pick<Judgement, 'verdict' | 'broken' | 'proves'>): boolean {
  const row = broken && (findRequirement(broken)?.id ?? broken)
  return verdict === 'FAIL' && proves.some((id) => id === row)
}

/** Sorts the mutants that break a requirement of the property: first those that break its main one first. */
export function listCandidates({ proves }: Property, mutants: readonly Mutant[]): Mutant[] {
  const rank = (mutant: Mutant) => {
    const [main, ...others] = rowsBrokenBy(mutant)
    if (main === proves[0]) return 0
    if (others.some((id) => id === proves[0])) return 1
    return [main, ...others].some((id) => proves.some((each) => each === id)) ? 2 : 3
  }
  return mutants.filter((mutant) => rank(mutant) < 3).toSorted((a, b) => rank(a) - rank(b))
}
