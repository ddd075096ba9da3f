import { writeFile } from 'node:fs/promises'
import { setEnvironmentData } from 'node:worker_threads'
import { properties } from '../../../fuzz/properties/index.ts'
import { setupsOf, type Property } from '../../../fuzz/properties/property.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { exportKeys, keysName } from '../../../fuzz/world/idp/keys.ts'
import type { Located } from '../stale.ts'
import {
  controlsFile,
  expectChosen,
  isChosen,
  isRed,
  listCandidates,
  readControls,
  type Control,
  type Controls,
  type Way,
} from './control.ts'
import { inParallel } from './in-parallel.ts'
import { findMutants, judges, located } from './judge-control.ts'
import { names, type ControlOptions } from './run-controls.ts'
import { listApplicationsByUrl } from './by-url.ts'

/** The number of candidates that get all runs of a property. */
const patience = 12

/**
 * Finds a control for each property that has none, and writes the table. Pairs of mutants are entered by hand.
 *
 * @returns the exit code: 1 if there is none for some
 */
export async function chooseControls({ words, ways, threads, seed }: ControlOptions): Promise<number> {
  expectChosen(
    properties.map(({ name }) => name),
    words,
  )
  setEnvironmentData(keysName, await exportKeys())
  const missing: string[] = []
  for (const way of ways) {
    const known = await readControls()
    const wanted = properties.filter(({ name }) => isChosen(name, words) && !known[way][name])
    const due = way === 'library' ? wanted : await filterJudged(wanted, seed)
    await inParallel(due, threads, async (property, worker) => {
      const { name } = property
      const setups = way === 'library' ? Object.keys(setupsOf(property)) : listApplicationsByUrl(property)
      const tryOn = judgeOn(way, name, { setups, seed, worker })
      const control = await findControl(property, tryOn, known.library[name])
      if (control) await addControl(way, name, control)
      else missing.push(`${names[way]}  ${name}`)
      console.log(`${names[way]}  ${control?.mutant ?? 'NONE'}  ${name}`)
    })
  }
  for (const each of missing) console.log(`NONE  ${each}`)
  return missing.length > 0 ? 1 : 0
}

/** Adds a control to the table, which is read again, because others may have changed it during a long run. */
async function addControl(way: Way, property: string, control: Control): Promise<void> {
  const table = await readControls()
  const entries = Object.entries({ ...table[way], [property]: control })
  const sorted = Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const controls: Controls = { ...table, [way]: sorted }
  await writeFile(controlsFile, `${JSON.stringify(controls, null, 2)}\n`)
}

type TryOn = (mutants: readonly Located[], share: number) => Promise<Judgement | undefined>

/** Returns a function that judges a property on its applications until it does not pass. */
function judgeOn(
  way: Way,
  property: string,
  { setups, ...size }: { readonly setups: readonly string[]; readonly seed: number; readonly worker: number },
): TryOn {
  const jobs = setups.map((setup) => ({ property, setup }))
  return async (mutants, share) => {
    let last: Judgement | undefined
    await judges[way](mutants, jobs, { ...size, share }, (judgement) => {
      last = judgement
      return judgement.verdict === 'PASS' || judgement.verdict === 'SKIP'
    })
    return last
  }
}

/** Returns the properties that the application without a mutant does not skip by URL, and says why it skips others. */
async function filterJudged(due: readonly Property[], seed: number): Promise<Property[]> {
  const jobs = due.flatMap((property) =>
    listApplicationsByUrl(property).map((setup) => ({ property: property.name, setup })),
  )
  const judged = new Set<string>()
  await judges.http([], jobs, { seed, share: 0.1, worker: 0 }, ({ property, verdict, reason = '' }) => {
    if (verdict === 'SKIP') console.log(`${names.http}  SKIP: ${reason}  ${property}`)
    else judged.add(property)
    return true
  })
  return due.filter(({ name }) => judged.has(name))
}

async function findControl(
  property: Property,
  tryOn: TryOn,
  known: Control | undefined,
): Promise<Control | undefined> {
  const candidates = listCandidates(
    property,
    located.map(([mutant]) => mutant),
  ).map(({ id }): Pick<Control, 'mutant' | 'also'> => ({ mutant: id }))
  const sorted = known ? [known, ...candidates.filter(({ mutant }) => mutant !== known.mutant)] : candidates
  for (const share of [0.1, 1])
    for (const { mutant, also } of sorted.slice(0, share === 1 ? patience : sorted.length)) {
      const mutants = findMutants({ mutant, ...(also !== undefined && { also }) })
      const judged = mutants && (await tryOn(mutants, share))
      if (judged && isRed(judged)) return { mutant, ...(also !== undefined && { also }), setup: judged.setup }
    }
  return undefined
}
