/**
 * `npm test`: the parts that only read go side by side in two lanes, the others in turn after them. What a part prints is
 * printed together. No further part starts once one has failed; the exit code is that of the first that did, and at the
 * end stands how long each took.
 */
import { spawn } from 'node:child_process'

type Part = readonly [script: string, ...args: string[]]

/** Each lane in turn; the lanes at once. The longest part of each comes first. */
const stages: readonly (readonly (readonly Part[])[])[] = [
  [
    [['typecheck'], ['generated', '--', '--check']],
    [['docs'], ['format:check'], ['lint']],
  ],
  [
    [
      ['test:unit'],
      ['conformance', '--', 'ours', '--profile', 'smoke', '--seed', '1'],
      ['test:browser'],
      ['test:package'],
    ],
  ],
]

interface PartResult {
  readonly name: string
  readonly code: number
  readonly seconds: number
}

const results: PartResult[] = []
const hasFailed = () => results.some(({ code }) => code !== 0)
const nameOf = (part: Part) => part.filter((arg) => arg !== '--').join(' ')

/** Beside another part, what this one prints is held back until it is done. */
async function runPart(part: Part, isAlone: boolean): Promise<void> {
  const name = nameOf(part)
  const title = `\n> ${name}\n`
  if (isAlone) process.stdout.write(title)
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', ...part], {
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void printed.push(chunk))
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      printed.push(Buffer.from(`${error.message}\n`))
      resolve(1)
    })
    // A part that a signal ended has no exit code of its own.
    child.on('close', (status) => resolve(status ?? 1))
  })
  results.push({ name, code, seconds: (performance.now() - startedAt) / 1000 })
  if (!isAlone) process.stdout.write(title)
  process.stdout.write(Buffer.concat(printed))
}

async function runLane(lane: readonly Part[], isAlone: boolean): Promise<void> {
  for (const part of lane) if (!hasFailed()) await runPart(part, isAlone)
}

function summarize(seconds: number): string {
  const rows = results.map(
    (result) =>
      `  ${result.code === 0 ? 'passed' : 'FAILED'}  ${result.name.padEnd(34)} ${result.seconds.toFixed(1).padStart(6)} s`,
  )
  const ran = new Set(results.map(({ name }) => name))
  const notRun = stages
    .flat(2)
    .map(nameOf)
    .filter((name) => !ran.has(name))
    .map((name) => `  not run ${name}`)
  const failed = results.filter(({ code }) => code !== 0).length
  const total = `${results.length - failed} passed, ${failed} failed, in ${seconds.toFixed(1)} s`
  return ['', ...rows, ...notRun, '', total].join('\n')
}

const startedAt = performance.now()
for (const lanes of stages) await Promise.all(lanes.map((lane) => runLane(lane, lanes.length === 1)))
console.log(summarize((performance.now() - startedAt) / 1000))
process.exitCode = results.find(({ code }) => code !== 0)?.code ?? 0
