import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRequirement } from '../../spec/index.ts'
import { collect, idsOf, type Witness } from '../trace/collect.ts'
import { killsFile, readKills, type Kills } from '../trace/kills.ts'
import type { Mutant } from './mutant.ts'
import { reportStale } from './report-stale.ts'
import { rowsBrokenBy } from './rows-broken-by.ts'
import { locateAll } from './stale.ts'
import { mutants } from './written/index.ts'

export interface TestOptions {
  readonly written: readonly Mutant[]
  /** Whether the scenarios also run on the chart mutants. */
  readonly withCharts: boolean
  /** Whether these are only some of the mutants. If so, the record of the others is kept. */
  readonly isPart: boolean
}

const top = new URL('../../', import.meta.url)

/**
 * Runs the tests of the requirements that each written mutant breaks, with the mutant in the sources, and records in
 * `.cache/kills.json` which of them fail. Scenarios run on the chart mutants instead.
 *
 * @returns the exit code: 1 if no test detects a mutant
 */
export async function runTests({ written, withCharts, isPart }: TestOptions): Promise<number> {
  const { located, stale } = locateAll(written)
  const { witnesses } = await collect(top)
  const kills: Record<string, string[]> = {}
  const survivors: string[] = []
  const queue = located.map(([mutant]) => mutant)
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const red = await killedBy(mutant, witnesses)
      for (const id of red) kills[id] = [...(kills[id] ?? []), mutant.id]
      if (red.length === 0) survivors.push(mutant.id)
      console.log(`${red.length > 0 ? 'killed  ' : 'SURVIVED'} ${mutant.id}  ${red.join(' ')}`)
    }
  }
  await Promise.all([work(), work()])
  if (withCharts)
    for (const [name, mutant] of Object.entries(await runScenariosOnMutants()))
      for (const id of rowsBrokenBy({ breaks: idsOf(name) })) kills[id] = [...(kills[id] ?? []), mutant]
  const judged = new Set(written.map(({ id }) => id))
  await record(kills, (id) => !judged.has(id) && (isPart || mutants.some((each) => each.id === id)))
  reportStale(stale)
  console.log(`${located.length - survivors.length} killed, ${survivors.length} survived`)
  if (survivors.length > 0) console.error(`survivors: ${survivors.join(', ')}`)
  return survivors.length > 0 ? 1 : 0
}

/** The requirements whose tests fail on a mutant. */
async function killedBy(mutant: Mutant, witnesses: readonly Witness[]): Promise<readonly string[]> {
  const names = rowsBrokenBy(mutant).flatMap((id) => [id, ...(findRequirement(id)?.aliases ?? [])])
  const named = witnesses.filter(
    ({ ids, file }) => ids.some((id) => names.includes(id)) && sees(file, mutant),
  )
  const files = [...new Set(named.map(({ file }) => findTest(file, mutant)))]
  const pattern = `(^|[ ,])(${names.join('|')})([ ,:]|$)`
  if (files.length === 0) return []
  const red = await runVitest(['-t', pattern, ...files], { MUTANT: mutant.id, THOROUGH: '1' })
  return [...new Set(red.flatMap((title) => rowsBrokenBy({ breaks: idsOf(title) })))]
}

/** The adapter of a mutant that only adapter tests detect, because other tests use the memory adapter. */
function adapterOf({ id }: Mutant): string | undefined {
  return /^(kysely|redis)\//.exec(id)?.[1]
}

/** Whether a test loads the mutated file: only adapter tests open a database. */
function sees(file: string, mutant: Mutant): boolean {
  return !adapterOf(mutant) || /^fuzz\/adapter\/|^test\/adapters\//.test(file)
}

/** The test file that runs a witness. Scenarios and the adapter contract are data. */
function findTest(file: string, mutant: Mutant): string {
  if (file.includes('/scenarios/')) return 'test/flows/scenarios.test.ts'
  if (!/^fuzz\/adapter\/|^test\/adapters\/(kysely-(extras|races)|redis-extras)/.test(file)) return file
  const adapter = adapterOf(mutant)
  if (adapter === 'redis') return 'test/adapters/redis.test.ts'
  return adapter ? 'test/adapters/kysely-' : 'test/adapters/memory.test.ts'
}

/** Runs vitest. @returns the names of the tests that failed */
async function runVitest(
  args: readonly string[],
  env: Record<string, string>,
  project = 'unit',
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kills-'))
  const file = join(folder, 'report.json')
  const vitest = ['vitest', 'run', '-c', 'test/vitest.config.ts', '--project', project, '--reporter', 'json']
  const child = spawn('npx', [...vitest, '--outputFile', file, ...args], {
    cwd: top,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.on('close', resolve))
  const report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Report
  await rm(folder, { recursive: true })
  const suites = report.testResults ?? []
  const broken = suites.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0)
  if (broken.length > 0) return ['(a file does not load)']
  return suites.flatMap((suite) =>
    suite.assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
  )
}

interface Report {
  readonly testResults?: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[]
  }[]
}

/** Runs each scenario on the chart mutants. @returns a mutant that fails it, by the name of the scenario */
async function runScenariosOnMutants(): Promise<Record<string, string>> {
  const file = join(tmpdir(), `scenarios-${process.pid}.json`)
  await runVitest([], { SCENARIO_KILLS: file }, 'record')
  const kills = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, string>
  await rm(file, { force: true })
  return kills
}

/**
 * Merges new kills into the record. Reads the record only now, since another run may have written it in the meantime.
 */
async function record(fresh: Kills, isKept: (mutant: string) => boolean): Promise<void> {
  const before = (await readKills(top)) ?? {}
  const ids = [...new Set([...Object.keys(before), ...Object.keys(fresh)])].toSorted()
  const kills = ids.flatMap((id) => {
    const list = new Set([...(before[id] ?? []).filter(isKept), ...(fresh[id] ?? [])])
    return list.size > 0 ? [[id, [...list].toSorted()] as const] : []
  })
  const file = new URL(killsFile, top)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, `${JSON.stringify(Object.fromEntries(kills), null, 2)}\n`)
}
