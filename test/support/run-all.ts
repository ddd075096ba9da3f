/**
 * `npm test`: every part in turn, the cheap ones first. Stops at the first part that fails, with that part's exit
 * code, and ends with the time each part took.
 */
import { spawnSync } from 'node:child_process'

const parts: readonly (readonly string[])[] = [
  ['typecheck'],
  ['lint'],
  ['format:check'],
  ['generated', '--', '--check'],
  ['test:unit'],
  ['test:browser'],
  ['test:package'],
]

interface PartResult {
  readonly name: string
  readonly code: number
  readonly seconds: number
}

function runPart(args: readonly string[]): PartResult {
  const name = args.filter((arg) => arg !== '--').join(' ')
  console.log(`\n> ${name}`)
  const startedAt = performance.now()
  const child = spawnSync('npm', ['run', '--silent', ...args], { stdio: 'inherit' })
  if (child.error) console.error(child.error.message)
  // A part that a signal ended has no exit code of its own.
  return { name, code: child.status ?? 1, seconds: (performance.now() - startedAt) / 1000 }
}

function summarize(results: readonly PartResult[]): string {
  const rows = results.map(
    ({ name, code, seconds }) =>
      `  ${code === 0 ? 'passed' : 'FAILED'}  ${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s`,
  )
  const notRun = parts.slice(results.length).map((args) => `  not run ${args[0]}`)
  const failed = results.filter((result) => result.code !== 0).length
  return ['', ...rows, ...notRun, '', `${results.length - failed} passed, ${failed} failed`].join('\n')
}

const results: PartResult[] = []
for (const part of parts) {
  const result = runPart(part)
  results.push(result)
  if (result.code !== 0) break
}
console.log(summarize(results))
process.exitCode = results.at(-1)?.code ?? 0
