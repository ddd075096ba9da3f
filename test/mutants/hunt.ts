import { mkdir, writeFile } from 'node:fs/promises'
import { setEnvironmentData } from 'node:worker_threads'
import { findRequirement } from '../../spec/index.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { listJobs } from '../../fuzz/run/check-conformance.ts'
import type { Job } from '../../fuzz/run/job.ts'
import { profiles } from '../../fuzz/run/profiles.ts'
import { runThread } from '../../fuzz/run/run-thread.ts'
import { sizeJobs } from '../../fuzz/run/size-jobs.ts'
import type { Judgement } from '../../fuzz/run/verdict.ts'
import { exportKeys, keysName } from '../../fuzz/world/idp/keys.ts'
import type { Edit } from './edit.ts'
import { explained } from './explained.ts'
import type { Mutant } from './mutant.ts'
import { placeOf } from './places.ts'
import { rowsBrokenBy } from './rows-broken-by.ts'
import { isForTheOracle } from './run-oracle.ts'
import { locateAll } from './stale.ts'
import { mutants as sequenceBugs } from './written/sequences.ts'

/** The profile that detected a mutant, and by which row. */
export interface Catch {
  readonly id: string
  readonly breaks: readonly string[]
  /**
   * `ci` runs all cases on all applications. `smoke` runs a tenth of the cases, divided among the applications.
   * Undefined for a survivor.
   */
  readonly profile?: 'smoke' | 'ci'
  readonly row?: string
  readonly property?: string
  /** Whether the mutant's author named the row as broken. */
  readonly isNamed: boolean
}

/** What the last run found on this machine. */
export const huntFile = new URL('../../.cache/hunt.json', import.meta.url)

/**
 * Finds out for each mutant which profile detects it, and by which row: first by the rows that its author names, at
 * smoke and at ci, then by any other.
 */
export async function hunt(written: readonly Mutant[], seed: number, threads: number): Promise<number> {
  setEnvironmentData(keysName, await exportKeys())
  const isSequenceBug = (mutant: Mutant) => sequenceBugs.includes(mutant)
  const { located } = locateAll(written.filter((each) => isForTheOracle(each) || isSequenceBug(each)))
  console.log(
    `${written.length - located.length} mutants break rows that no property judges, and are for the unit tests`,
  )
  const caught: Catch[] = []
  const queue = [...located]
  const work = async () => {
    for (let each = queue.shift(); each; each = queue.shift()) {
      const one = await huntOne(each, seed)
      caught.push(one)
      const how = one.row ? `${one.profile} ${one.row}${one.isNamed ? '' : ' (another row)'}` : 'SURVIVED'
      console.log(`${one.id}  [${one.breaks.join(' ')}]  ${how}`)
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  await mkdir(new URL('.', huntFile), { recursive: true })
  await writeFile(huntFile, `${JSON.stringify(caught, null, 2)}\n`)
  summarise(caught)
  return caught.some(({ id, row }) => row === undefined && !Object.hasOwn(explained, id)) ? 1 : 0
}

async function huntOne([mutant, edit]: readonly [Mutant, Edit], seed: number): Promise<Catch> {
  const breaks = rowsBrokenBy(mutant)
  const isNamed = (name: string) =>
    properties.some((property) => property.name === name && property.proves.some((id) => breaks.includes(id)))
  const [smoke, ci] = [profiles.smoke, profiles.ci].map((profile) =>
    sizeJobs(listJobs({}), profile, seed).map((job) => ({ ...job, endOnFailure: true })),
  ) as [Job[], Job[]]
  // Sequence bugs are compared with a run of the whole profile smoke.
  if (sequenceBugs.includes(mutant)) {
    const { match } = await findBreach(mutant, edit, smoke, () => true)
    const found = match && { profile: 'smoke' as const, ...match, isNamed: breaks.includes(match.row) }
    return { id: mutant.id, breaks, isNamed: false, ...found }
  }
  const attempts: readonly (readonly ['smoke' | 'ci', Job[], boolean])[] = [
    ['smoke', smoke.filter(({ property }) => isNamed(property)), true],
    ['ci', ci.filter(({ property }) => isNamed(property)), true],
    ['smoke', smoke.filter(({ property }) => !isNamed(property)), false],
  ]
  let other: Catch | undefined
  for (const [profile, jobs, isAbout] of attempts) {
    if (!isAbout && other) return other
    const found = await findBreach(mutant, edit, jobs, (row) => !isAbout || breaks.includes(row))
    if (found.match) return { id: mutant.id, breaks, profile, ...found.match, isNamed: isAbout }
    if (found.other) other ??= { id: mutant.id, breaks, profile, ...found.other, isNamed: false }
  }
  return other ?? { id: mutant.id, breaks, isNamed: false }
}

interface Found {
  readonly row: string
  readonly property: string
}

/**
 * Runs jobs until one fails by a wanted row. As in a campaign, a property that fails by another row continues without it.
 * Also returns the first failure by a row that is not wanted.
 */
export async function findBreach(
  mutant: Mutant,
  edit: Edit,
  jobs: readonly Job[],
  isWanted: (row: string) => boolean,
): Promise<{ readonly match?: Found; readonly other?: Found }> {
  if (jobs.length === 0) return {}
  let match: Found | undefined
  let other: Found | undefined
  const queue = [...jobs]
  const failed: Job[] = []
  const look = ({ verdict, broken, property }: Judgement) => {
    const job = queue.shift()
    if (verdict !== 'FAIL' || broken === undefined || !job) return true
    const found = { row: findRequirement(broken)?.id ?? broken, property }
    if (isWanted(found.row)) {
      match = found
    } else {
      other ??= found
      failed.push({ ...job, broken: [...(job.broken ?? []), broken] })
    }
    return match === undefined
  }
  await runThread(placeOf(mutant, edit).place, jobs, look, 'doubtful')
  if (match) return { match }
  if (!other) return {}
  return { ...(await findBreach(mutant, edit, failed, isWanted)), other }
}

function summarise(caught: readonly Catch[]): void {
  const judged = caught.filter(({ id, row }) => row !== undefined || !Object.hasOwn(explained, id))
  const share = (part: readonly Catch[]) =>
    `${part.length} (${Math.round((100 * part.length) / judged.length)} %)`
  const named = judged.filter(({ isNamed }) => isNamed)
  console.log(`${judged.length} mutants, without ${caught.length - judged.length} explained survivors`)
  console.log(
    `by a row that names the fault, at smoke: ${share(named.filter(({ profile }) => profile === 'smoke'))}`,
  )
  console.log(`by a row that names the fault, at ci: ${share(named)}`)
  console.log(`by any row: ${share(judged.filter(({ row }) => row !== undefined))}`)
}
