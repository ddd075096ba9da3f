/**
 * `npm run kills [-- <part of a mutant's id> ...]` (`stories` for those of the flows): puts each written fault into the sources, one at a time, runs the
 * tests of the requirements that it names, and records in test/kills.json which of them went red. A fault that no test
 * notices is named, and fails the run. Stories have theirs from the broken flows (test/flows/edges.test.ts).
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect, idsOf } from '../trace/collect.ts'
import { mutants } from '../../fuzz/zoo/written/index.ts'
import type { Mutant } from '../../fuzz/zoo/mutant.ts'

const top = new URL('../../', import.meta.url)
const record = new URL('../kills.json', import.meta.url)
const wanted = process.argv.slice(2)
const { witnesses } = await collect(top)

type Kills = Record<string, string[]>

/** Runs vitest; answers the names of the tests that went red. */
async function runTests(
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

/** Nothing but the tests of adapters opens a database. */
function sees(file: string, mutant: Mutant): boolean {
  return !mutant.file.includes('/kysely') || /^fuzz\/adapter\/|^test\/adapters\//.test(file)
}

/** The tests that run a witness: stories, and the contract of adapters, are data. */
function findTest(file: string, mutant: Mutant): string {
  if (file.includes('/scenarios/')) return 'test/flows/scenarios.test.ts'
  if (!/^fuzz\/adapter\/|^test\/adapters\/kysely-extras/.test(file)) return file
  return mutant.file.includes('kysely') ? 'test/adapters/kysely-' : 'test/adapters/memory.test.ts'
}

/** The requirements whose tests a fault turned red. */
async function killedBy(mutant: Mutant): Promise<readonly string[]> {
  const named = witnesses.filter(
    ({ ids, file }) => ids.some((id) => mutant.kills.includes(id)) && sees(file, mutant),
  )
  const files = [...new Set(named.map(({ file }) => findTest(file, mutant)))]
  const pattern = `(^|[ ,])(${mutant.kills.join('|')})([ ,:]|$)`
  if (files.length === 0) return []
  const red = await runTests(['-t', pattern, ...files], { MUTANT: mutant.id })
  return [...new Set(red.flatMap((title) => idsOf(title)))]
}

const kills: Kills = {}
const known = new Set(mutants.map(({ id }) => id))
const chosen = mutants.filter(({ id }) => wanted.length === 0 || wanted.some((part) => id.includes(part)))
const survivors: string[] = []

const queue = [...chosen]
async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const red = await killedBy(mutant)
    for (const id of red) kills[id] = [...(kills[id] ?? []), mutant.id]
    if (red.length === 0) survivors.push(mutant.id)
    console.log(`${red.length > 0 ? 'killed  ' : 'SURVIVED'} ${mutant.id}  ${red.join(' ')}`)
  }
}
await Promise.all([work(), work()])

const stories =
  wanted.length === 0 || wanted.includes('stories')
    ? join(tmpdir(), `stories-${process.pid}.json`)
    : undefined
if (stories) {
  await runTests([], { STORIES: stories }, 'record')
  const told = JSON.parse(await readFile(stories, 'utf8').catch(() => '{}')) as Record<string, string>
  for (const [name, mutant] of Object.entries(told))
    for (const id of idsOf(name)) kills[id] = [...new Set([...(kills[id] ?? []), mutant])]
  await rm(stories, { force: true })
}

// Read now and not before: others may have recorded theirs in the meantime.
const before = JSON.parse(await readFile(record, 'utf8').catch(() => '{}')) as Kills
for (const [id, list] of Object.entries(before)) {
  const kept = list.filter(
    (mutant) => (wanted.length > 0 || known.has(mutant)) && !chosen.some((each) => each.id === mutant),
  )
  kills[id] = [...new Set([...kept, ...(kills[id] ?? [])])]
}

const sorted = Object.entries(kills)
  .filter(([, list]) => list.length > 0)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([id, list]) => [id, list.toSorted()])
await writeFile(record, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
console.log(`${chosen.length - survivors.length} killed, ${survivors.length} survived`)
if (survivors.length > 0) {
  console.error(`survivors: ${survivors.join(', ')}`)
  process.exitCode = 1
}
