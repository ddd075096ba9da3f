import { setEnvironmentData } from 'node:worker_threads'
import { properties } from '../../../fuzz/properties/index.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { exportKeys, keysName } from '../../../fuzz/world/idp/keys.ts'
import {
  expectChosen,
  isChosen,
  isRed,
  readControls,
  type Control,
  type Controls,
  type Way,
} from './control.ts'
import { inParallel } from './in-parallel.ts'
import { findMutants, judges } from './judge-control.ts'

export interface ControlOptions {
  /** Parts of the names of the properties to judge. Other properties are not judged. */
  readonly words: readonly string[]
  /** In process, over HTTP, or both. */
  readonly ways: readonly Way[]
  readonly threads: number
  readonly seed: number
}

/** The properties whose control is the same mutant. */
interface Group {
  readonly way: Way
  readonly controls: readonly (readonly [property: string, control: Control])[]
}

/**
 * Judges each property on its control: the library with the one bug that the property exists to find. The property must
 * fail there. Properties that can be judged by URL also have a control over HTTP.
 *
 * @returns the exit code: 1 if a property passes its control
 */
export async function runControls(
  options: ControlOptions & { readonly shard: { readonly index: number; readonly of: number } | undefined },
): Promise<number> {
  const { words, ways, threads, seed, shard } = options
  expectChosen(
    properties.map(({ name }) => name),
    words,
  )
  setEnvironmentData(keysName, await exportKeys())
  const table = await readControls()
  const groups = ways
    .flatMap((way) => groupControls(table, way, words))
    .filter((_, at) => !shard || at % shard.of === shard.index - 1)
  const total = groups.reduce((sum, { controls }) => sum + controls.length, 0)
  const started = performance.now()
  let red = 0
  await inParallel(groups, threads, async ({ way, controls }, worker) => {
    const judged = await judgeGroup({ way, controls }, seed, worker)
    for (const [property, { mutant, also }] of controls) {
      const judgement = judged.get(property)
      const isFine = judgement !== undefined && isRed(judgement)
      if (isFine) red += 1
      const what = `${property}  ${[mutant, also].filter(Boolean).join(' and ')}`
      console.log(`${isFine ? 'red  ' : 'GREEN'}  ${names[way]}  ${what}  ${describe(judgement)}`)
    }
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${red} of ${total} properties are red on their controls, in ${seconds} s`)
  return red < total ? 1 : 0
}

/** The ways as words of one length. */
export const names: Readonly<Record<Way, string>> = { library: 'in process', http: 'over HTTP ' }

function groupControls(table: Controls, way: Way, words: readonly string[]): Group[] {
  const chosen = Object.entries(table[way]).filter(([property]) => isChosen(property, words))
  const groups = new Map<string, Group>()
  for (const entry of chosen) {
    const [, { mutant, also = '' }] = entry
    const key = `${mutant} ${also}`
    groups.set(key, { way, controls: [...(groups.get(key)?.controls ?? []), entry] })
  }
  return [...groups.values()]
}

async function judgeGroup({ way, controls }: Group, seed: number, worker: number) {
  const judged = new Map<string, Judgement>()
  const [first] = controls
  const located = first && findMutants(first[1])
  if (!located) return judged
  const jobs = controls.map(([property, { setup }]) => ({ property, setup }))
  await judges[way](located, jobs, { seed, share: 1, worker }, (judgement) => {
    judged.set(judgement.property, judgement)
    return true
  })
  return judged
}

function describe(judgement: Judgement | undefined): string {
  if (!judgement) return 'no verdict: the mutant is missing, or its application cannot sign in'
  const { verdict, broken, reason = '', took } = judgement
  return `${verdict} ${broken ?? reason} (${took} ms)`
}
