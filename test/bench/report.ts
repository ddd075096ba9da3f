/**
 * `npm run bench:report`: builds the package, runs every benchmark, and writes docs/performance.md, its charts and the
 * figures in README.md. `--quick` takes fewer measurements. Names of benchmarks (`requests`, `profile` and so on) run
 * only those and keep the other results. `--keep` runs none.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { whyNoRedis } from '../support/redis.ts'
import { benchmarks, programOf, type Benchmark } from './benchmarks.ts'
import { top } from './bundle.ts'
import type { Table } from './present.ts'
import { writeFigures } from './write-figures.ts'
import { writePage, type Result, type Results } from './write-page.ts'

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, keep: { type: 'boolean' } },
  allowPositionals: true,
})
const quick = values.quick ? ['--quick'] : []
const kept = new URL('results.json', import.meta.url)

/** Returns the benchmark's tables, with the command, the machine and its load. */
function run(part: Benchmark): Result {
  const options = [...(part === 'requests' ? [] : [part]), ...quick]
  const command = ['npm run bench', ...(options.length > 0 ? ['--', ...options] : [])].join(' ')
  const program = fileURLToPath(new URL(programOf(part), import.meta.url))
  const startedAt = performance.now()
  const loadBefore = loadavg()[0] ?? 0
  const printed = execFileSync(process.execPath, [program, '--json', ...quick], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })
  const load = Math.max(loadBefore, loadavg()[0] ?? 0)
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`
  const where = `Node ${process.versions.node}, ${platform()} ${arch()}, ${machine}, load up to ${load.toFixed(1)}`
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.error(`run: ${part}, in ${seconds} s`)
  return { tables: JSON.parse(printed) as Table[], measured: `\`${command}\` on ${where}, in ${seconds} s` }
}

/** Builds the package, and the application whose middleware is measured. */
function prepare(): void {
  const program = fileURLToPath(new URL('../dropin/prepare.ts', import.meta.url))
  execFileSync(process.execPath, [program, 'next-edge'], { cwd: top, stdio: ['ignore', 2, 2] })
}

const earlier: Results = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Results) : {}
const wanted = values.keep
  ? []
  : benchmarks.filter((part) => positionals.length === 0 || positionals.includes(part))
// Checked at the start, because half an hour of other measurements follows.
const whyNot = wanted.includes('million') ? whyNoRedis() : undefined
if (whyNot !== undefined) throw new Error(whyNot)
if (wanted.includes('cold') || wanted.includes('size')) prepare()
const results: Results = { ...earlier }
for (const part of wanted) {
  results[part] = run(part)
  // Written after each part, so that a failure loses only the remaining measurements.
  writeFileSync(kept, `${JSON.stringify(results, null, 1)}\n`)
}
await writePage(results)
writeFigures(results)
