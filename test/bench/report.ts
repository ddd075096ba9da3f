/**
 * `npm run bench:report`: runs every benchmark and writes what came out to docs/performance.md. With `--quick` less of each;
 * names of benchmarks (`requests`, `profile` and so on) run only those, and keep the rest as it is.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, loadavg, platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const parts = ['requests', 'profile', 'http', 'cold', 'size', 'memory', 'scale', 'hostile'] as const
const path = new URL('../../docs/performance.md', import.meta.url)
const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true })

const begin = (part: string) => `<!-- begin ${part} -->`
const end = (part: string) => `<!-- end ${part} -->`

/** What the benchmark prints, with the machine, its load and the command. */
function run(part: (typeof parts)[number]): string {
  const file = part === 'requests' ? 'run' : part
  const command = part === 'requests' ? 'npm run bench' : `npm run bench:${part}`
  const program = fileURLToPath(new URL(`${file}.ts`, import.meta.url))
  const quick = values.quick ? ['--quick'] : []
  const loadBefore = loadavg()[0] ?? 0
  const tables = execFileSync(process.execPath, [program, '--markdown', ...quick], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })
  const load = Math.max(loadBefore, loadavg()[0] ?? 0)
  const where = `Node ${process.versions.node}, ${platform()} ${arch()}, ${availableParallelism()} cores, load up to ${load.toFixed(1)}`
  const call = `\`${command}${values.quick ? ' -- --quick' : ''}\``
  return `${tables.trim()}\n\nMeasured by ${call} on ${where}.`
}

/** What an earlier run wrote of a part. */
function keep(part: string): string {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const from = text.indexOf(begin(part))
  return from < 0
    ? 'Not measured yet.'
    : text.slice(from + begin(part).length, text.indexOf(end(part))).trim()
}

const intro = readFileSync(new URL('report-intro.md', import.meta.url), 'utf8').trim()
const wanted = parts.filter((part) => positionals.length === 0 || positionals.includes(part))
const sections = new Map<string, string>()
for (const part of parts) {
  sections.set(part, wanted.includes(part) ? run(part) : keep(part))
  console.error(`${wanted.includes(part) ? 'run' : 'kept'}: ${part}`)
}
const body = [...sections].map(([part, text]) => `${begin(part)}\n\n${text}\n\n${end(part)}`)
writeFileSync(path, [intro, ...body].join('\n\n') + '\n')
