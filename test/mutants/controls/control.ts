import { readFile } from 'node:fs/promises'
import { findRequirement } from '../../../spec/index.ts'
import type { Property } from '../../../fuzz/properties/property.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { rowsBrokenBy } from '../rows-broken-by.ts'
import type { Mutant } from '../mutant.ts'
import type { Located } from '../stale.ts'

/** A mutant on which a property must fail, and the application on which it does. */
export interface Control {
  readonly mutant: string
  /** A second mutant, which turns off another guard against the same fault. */
  readonly also?: string
  readonly setup: string
}

/** The controls of each property by its name: in process, and for those judged by URL also over HTTP. */
export interface Controls {
  readonly library: Readonly<Record<string, Control>>
  readonly http: Readonly<Record<string, Control>>
}

/** How a control is judged: in process, or over HTTP on an application with one provider. */
export type Way = keyof Controls

/** A property, and one of its applications. */
export interface ControlJob {
  readonly property: string
  readonly setup: string
}

/** The options for judging a control's mutants. */
export interface JudgeSize {
  readonly seed: number
  /** The share of a property's runs; 1 with profile `ci`. */
  readonly share: number
  /** The number of this worker, from 0. Workers at the same time must have different ones. */
  readonly worker: number
}

/** Judges properties on the library with these mutants. Continues after each judgement while `report` returns true. */
export type JudgeControl = (
  located: readonly Located[],
  jobs: readonly ControlJob[],
  size: JudgeSize,
  report: (judgement: Judgement) => boolean,
) => Promise<void>

export const controlsFile = new URL('controls.json', import.meta.url)

export async function readControls(): Promise<Controls> {
  return JSON.parse(await readFile(controlsFile, 'utf8')) as Controls
}

/** @throws {Error} if no property has a name with one of these parts */
export function expectChosen(names: readonly string[], words: readonly string[]): void {
  if (!names.some((name) => isChosen(name, words)))
    throw new Error(`No property has a name with ${words.join(' or ')}`)
}

/** Returns whether a property is chosen by parts of names. */
export function isChosen(property: string, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => property.includes(word))
}

/** Returns whether a property failed, by a requirement that it proves and not by one that a monitor watches. */
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
