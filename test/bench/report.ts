/**
 * `npm run bench:report`: runs every benchmark and writes the results to docs/performance.md. `--quick` takes fewer
 * measurements; names of benchmarks (`requests`, `profile` and so on) run only those and keep the other sections.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, loadavg, platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchmarks, programOf, type Benchmark } from './benchmarks.ts'

const path = new URL('../../docs/performance.md', import.meta.url)
const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true })

const begin = (part: string) => `<!-- begin ${part} -->`
const end = (part: string) => `<!-- end ${part} -->`

/** Returns the benchmark's output, with the machine, its load and the command. */
function run(part: Benchmark): string {
  const options = [...(part === 'requests' ? [] : [part]), ...(values.quick ? ['--quick'] : [])]
  const command = ['npm run bench', ...(options.length > 0 ? ['--', ...options] : [])].join(' ')
  const program = fileURLToPath(new URL(programOf(part), import.meta.url))
  const quick = values.quick ? ['--quick'] : []
  const loadBefore = loadavg()[0] ?? 0
  const tables = execFileSync(process.execPath, [program, '--markdown', ...quick], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })
  const load = Math.max(loadBefore, loadavg()[0] ?? 0)
  const where = `Node ${process.versions.node}, ${platform()} ${arch()}, ${availableParallelism()} cores, load up to ${load.toFixed(1)}`
  return `${tables.trim()}\n\nMeasured by \`${command}\` on ${where}.`
}

/** Returns the section that an earlier run wrote. */
function keep(part: string): string {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const from = text.indexOf(begin(part))
  return from < 0
    ? 'Not measured yet.'
    : text.slice(from + begin(part).length, text.indexOf(end(part))).trim()
}

const intro = readFileSync(new URL('report-intro.md', import.meta.url), 'utf8').trim()
const wanted = benchmarks.filter((part) => positionals.length === 0 || positionals.includes(part))
const sections = new Map<string, string>()
for (const part of benchmarks) {
  sections.set(part, wanted.includes(part) ? run(part) : keep(part))
  console.error(`${wanted.includes(part) ? 'run' : 'kept'}: ${part}`)
}
const body = [...sections].map(([part, text]) => `${begin(part)}\n\n${text}\n\n${end(part)}`)
writeFileSync(path, [intro, ...body].join('\n\n') + '\n')
