import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { Exploration } from '../../fuzz/explore/explore.ts'
import { isLeftOut, runExploration } from '../../fuzz/explore/run.ts'
import type { LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { readKills } from '../trace/kills.ts'
import { type Catch, huntFile } from './hunt.ts'
import type { Mutant } from './mutant.ts'
import { placeOf } from './places.ts'
import { reportStale } from './report-stale.ts'
import { locateAll } from './stale.ts'
import { mutants as sequenceBugs } from './written/sequences.ts'

/** How the exploration found a mutant. */
interface Hit {
  readonly id: string
  /** The number of actions after those of the setup. */
  readonly actions?: number
  readonly configuration?: string
  readonly says?: string
  /** Seconds of processor time until then. */
  readonly seconds: number
  /** The transitions that were tried. */
  readonly transitions?: number
  /** Whether the profile smoke, and the unit tests of the rows that it breaks, fail as well, if they were run before. */
  readonly smoke?: boolean | undefined
  readonly tests?: boolean | undefined
}

/** The results of a run, for the table in the documentation. */
export interface Exploring {
  readonly date: string
  /** The longest sequences that were tried. */
  readonly depth: number
  readonly hits: readonly Hit[]
}

/** What the last run found, for the table in the documentation. */
export const explorationsFile = new URL('explore-results.json', import.meta.url)

/**
 * Explores the library with each mutant until a sequence breaks a rule.
 *
 * @returns the exit code: 1 if a mutant is not found
 */
export async function runExplore(written: readonly Mutant[], depth: number): Promise<number> {
  const { located, stale } = locateAll(written)
  reportStale(stale)
  const hits: Hit[] = []
  for (const [mutant, edit] of located) {
    const hit = await find(mutant.id, placeOf(mutant, edit).place, depth)
    hits.push(hit)
    console.log(
      hit.actions === undefined
        ? `NOT FOUND  ${hit.id} (${hit.transitions} transitions, ${hit.seconds} s)`
        : `${hit.actions} actions  ${hit.id}  ${hit.seconds} s  [${hit.configuration}] ${hit.says}`,
    )
  }
  const missed = hits.filter((hit) => hit.actions === undefined)
  console.log(`${hits.length - missed.length} of ${hits.length} sequence bugs were found by ${depth} actions`)
  // The table needs the results of all bugs.
  if (!sequenceBugs.every(({ id }) => hits.some((hit) => hit.id === id))) return missed.length > 0 ? 1 : 0
  const beside = await readOthers()
  const compared = hits.map((hit) => ({ ...hit, ...beside(hit.id) }))
  const results: Exploring = { date: new Date().toISOString().slice(0, 10), depth, hits: compared }
  await writeFile(explorationsFile, `${JSON.stringify(results, null, 2)}\n`)
  return missed.length > 0 ? 1 : 0
}

/** Reads what `--hunt` and `--by tests` found on this machine. */
async function readOthers(): Promise<(id: string) => Pick<Hit, 'smoke' | 'tests'>> {
  const hunted = existsSync(huntFile) ? (JSON.parse(await readFile(huntFile, 'utf8')) as Catch[]) : []
  const kills = await readKills(new URL('../../', import.meta.url))
  const killed = new Set(Object.values(kills ?? {}).flat())
  return (id) => {
    const caught = hunted.find((each) => each.id === id)
    return { smoke: caught && caught.row !== undefined, tests: kills && killed.has(id) }
  }
}

async function find(id: string, place: LibraryPlace, deepest: number): Promise<Hit> {
  let spent = 0
  let transitions = 0
  // Most bugs are found by few actions, in some configuration.
  for (const depth of new Set([Math.min(3, deepest), deepest])) {
    const outcomes = await runExploration(place, {
      depth,
      transitions: 30_000,
      stopsAtFirst: true,
      report: (outcome) => isLeftOut(outcome) || outcome.counterexamples.length === 0,
    })
    const done = outcomes.filter((outcome): outcome is Exploration => !isLeftOut(outcome))
    spent += done.reduce((sum, { took }) => sum + took, 0)
    transitions += done.reduce((sum, each) => sum + each.transitions, 0)
    for (const { configuration, counterexamples } of done) {
      const [story] = counterexamples
      if (story)
        return {
          id,
          actions: story.path.length,
          configuration,
          says: story.says,
          seconds: round(spent),
          transitions,
        }
    }
  }
  return { id, seconds: round(spent), transitions }
}

const round = (milliseconds: number) => Math.round(milliseconds / 100) / 10
