import { writeFile } from 'node:fs/promises'
import { setEnvironmentData } from 'node:worker_threads'
import { findProperty, properties } from '../../../fuzz/properties/index.ts'
import { setupsOf, type Property } from '../../../fuzz/properties/property.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { exportKeys, keysName } from '../../../fuzz/world/idp/keys.ts'
import type { Edit } from '../edit.ts'
import type { Mutant } from '../mutant.ts'
import { isForTheOracle } from '../run-oracle.ts'
import { locateAll } from '../stale.ts'
import { mutants } from '../written/index.ts'
import { controlsFile, isRed, listCandidates, readControls, type Control, type Controls } from './control.ts'
import { judgeInProcess } from './run-library.ts'
import { judgeOverHttp } from './run-http.ts'

const { located } = locateAll(mutants.filter(isForTheOracle))
const mutantOf = new Map(located.map((each) => [each[0].id, each]))
const whole = { seed: 1, share: 1 }

/**
 * Judges each property on its control: the library with the one bug that the property exists to find, which it must not
 * pass. Properties that can be judged by URL also have a control over HTTP.
 *
 * @param words parts of the names of the properties to judge; all, if there are none
 * @returns the exit code: 1 if a property passes its control
 * @throws {Error} if no property has such a name
 */
export async function runControls(words: readonly string[]): Promise<number> {
  expectChosen(words)
  setEnvironmentData(keysName, await exportKeys())
  const table = await readControls()
  const chosen = (controls: Controls['http']) =>
    Object.entries(controls).filter(([property]) => isChosen(property, words))
  const [library, http] = [chosen(table.library), chosen(table.http)]
  const green: string[] = []
  const note = (where: string, property: string, { mutant }: Control, judged: Judgement | undefined) => {
    const isFine = judged !== undefined && isRed(judged)
    const got = judged ? `${judged.verdict} ${judged.broken ?? judged.reason ?? ''}` : 'no verdict'
    console.log(
      `${isFine ? 'red  ' : 'GREEN'}  ${where}  ${property}  ${mutant}  ${isFine ? judged.broken : got}`,
    )
    if (!isFine) green.push(property)
  }
  await inParallel(library, async ([property, control]) => {
    const mutated = mutantOf.get(control.mutant)
    note(
      'in process',
      property,
      control,
      mutated && (await judgeInProcess(property, mutated, [control.setup], whole)),
    )
  })
  for (const [property, control] of http) {
    const mutated = mutantOf.get(control.mutant)
    let judged: Judgement | undefined
    if (mutated)
      await judgeOverHttp(mutated, [{ property, setup: control.setup }], whole, (each) => {
        judged = each
        return false
      })
    note('over HTTP ', property, control, judged)
  }
  const count = library.length + http.length
  console.log(`${count - green.length} of ${count} controls are red`)
  return green.length > 0 ? 1 : 0
}

/**
 * Finds a control for each property that has none, and writes the table.
 *
 * @param words parts of the names of the properties to find controls for; all, if there are none
 * @returns the exit code: 1 if a property has no control
 * @throws {Error} if no property has such a name
 */
export async function chooseControls(words: readonly string[]): Promise<number> {
  expectChosen(words)
  setEnvironmentData(keysName, await exportKeys())
  const table = await readControls().catch((): Controls => ({ library: {}, http: {} }))
  const library = { ...table.library }
  const http = { ...table.http }
  const save = () => {
    const sort = (controls: Record<string, Control>) =>
      Object.fromEntries(Object.entries(controls).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const text = JSON.stringify({ library: sort(library), http: sort(http) } satisfies Controls, null, 2)
    return writeFile(controlsFile, `${text}\n`)
  }
  const missing: string[] = []
  const due = properties.map(({ name }) => name).filter((name) => isChosen(name, words) && !library[name])
  await inParallel(due, async (name) => {
    const control = await findControl(name, (candidate, setups, share) =>
      judgeInProcess(name, candidate, setups, { seed: 1, share }),
    )
    if (control) library[name] = control
    else missing.push(`in process  ${name}`)
    console.log(`in process  ${control?.mutant ?? 'NONE'}  ${name}`)
    await save()
  })
  const dueOverHttp = properties.filter(({ name }) => isChosen(name, words) && !http[name])
  for (const { property, setup } of await listJudgedByUrl(dueOverHttp)) {
    const first = library[property]?.mutant
    const control = await findControl(
      property,
      async (candidate, setups, share) => {
        let judged: Judgement | undefined
        const jobs = setups.map((each) => ({ property, setup: each }))
        await judgeOverHttp(candidate, jobs, { seed: 1, share }, (each) => {
          judged = each
          return each.verdict === 'PASS' || each.verdict === 'SKIP'
        })
        return judged
      },
      { setups: [setup], first },
    )
    if (control) http[property] = control
    else missing.push(`over HTTP   ${property}`)
    console.log(`over HTTP   ${control?.mutant ?? 'NONE'}  ${property}`)
    await save()
  }
  for (const each of missing) console.log(`NONE  ${each}`)
  return missing.length > 0 ? 1 : 0
}

function expectChosen(words: readonly string[]): void {
  if (!properties.some(({ name }) => isChosen(name, words)))
    throw new Error(`No property has a name with ${words.join(' or ')}`)
}

function isChosen(property: string, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => property.includes(word))
}

type Judge = (
  candidate: readonly [Mutant, Edit],
  setups: readonly string[],
  share: number,
) => Promise<Judgement | undefined>

/** The number of candidates that get all runs of a property. */
const patience = 12

async function findControl(
  name: string,
  judgeOn: Judge,
  { setups, first }: { readonly setups?: readonly string[]; readonly first?: string | undefined } = {},
): Promise<Control | undefined> {
  const property = findProperty(name)
  const candidates = listCandidates(
    property,
    located.map(([mutant]) => mutant),
  )
  const sorted = candidates.toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
  for (const share of [0.1, 1])
    for (const { id } of sorted.slice(0, share === 1 ? patience : sorted.length)) {
      const mutated = mutantOf.get(id)
      const judged = mutated && (await judgeOn(mutated, setups ?? Object.keys(setupsOf(property)), share))
      if (judged && isRed(judged)) return { mutant: id, setup: judged.setup }
    }
  return undefined
}

/** Lists which of these properties pass by URL on the application without a mutant, each with one of its setups. */
async function listJudgedByUrl(
  due: readonly Property[],
): Promise<{ readonly property: string; readonly setup: string }[]> {
  const jobs = due.flatMap((property) =>
    Object.keys(setupsOf(property)).map((setup) => ({ property: property.name, setup })),
  )
  const passed = new Map<string, string>()
  await judgeOverHttp(undefined, jobs, { seed: 1, share: 0.1 }, ({ property, setup, verdict }) => {
    if (verdict === 'PASS' && !passed.has(property)) passed.set(property, setup)
    return true
  })
  return [...passed].map(([property, setup]) => ({ property, setup }))
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const next = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all([next(), next()])
}
