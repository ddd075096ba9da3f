import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { loadDescription } from '../../../fuzz/targets/described/load-description.ts'
import { checkConformance } from '../../../fuzz/run/check-conformance.ts'
import { findOrigin } from '../find-origin.ts'
import type { DescribedApp } from './applications.ts'
import { compareResults, describeResult, isFound, type Result } from './compare-results.ts'

/** Options of a run on an application. */
export interface FaultOptions {
  /** The first of the oracle's four ports. */
  readonly port: number
  readonly seed: number
}

/**
 * Starts an application without faults, which must have the expected result, then with one fault at a time, which the
 * oracle must find.
 *
 * @returns the exit code
 */
export async function judgeFaults(app: DescribedApp, options: FaultOptions): Promise<number> {
  process.stdout.write(`\n# ${app.name}\n`)
  const command = app.find()
  if (!command) {
    process.stderr.write(`The application is not installed: ${app.install}\n`)
    return 2
  }
  const began = performance.now()
  const sound = await judge(app, command, undefined, options)
  const seconds = Math.round((performance.now() - began) / 1000)
  const wrong = compareResults(app, sound)
  process.stdout.write(`without faults: ${describe(sound)} in ${seconds} s\n`)
  for (const line of wrong) process.stdout.write(`WRONG   ${line}\n`)
  let missed = 0
  for (const [fault, seeded] of Object.entries(app.faults)) {
    const results = await judge(app, command, { fault, breaks: seeded.breaks }, options)
    const found = results.find(({ id }) => id === seeded.breaks)
    if (!isFound(seeded, found)) missed += 1
    const mark = isFound(seeded, found) ? 'found ' : 'MISSED'
    process.stdout.write(`${mark}  ${fault}: ${seeded.says} (${describeResult(found)})\n`)
  }
  return wrong.length + missed === 0 ? 0 : 1
}

function describe(results: readonly Result[]): string {
  const count = (wanted: string) => results.filter(({ verdict }) => verdict === wanted).length
  return ['PASS', 'FAIL', 'WARN', 'INCONCLUSIVE'].map((verdict) => `${count(verdict)} ${verdict}`).join(', ')
}

/** Runs the oracle on the application: on all requirements, or on the one that a fault breaks. */
async function judge(
  app: DescribedApp,
  [program = '', ...args]: readonly string[],
  broken: { readonly fault: string; readonly breaks: string } | undefined,
  { port, seed }: FaultOptions,
): Promise<readonly Result[]> {
  const loaded = await loadDescription(app.description)
  const { description, log = description?.log } = loaded
  if (log !== undefined) rmSync(log, { force: true })
  const started = spawn(program, [...args, '0', String(port), ...(broken ? [broken.fault] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(log !== undefined && { LOG: log }) },
  })
  const ended = new Promise<undefined>((resolve) => {
    started.once('error', () => resolve(undefined))
    started.once('exit', () => resolve(undefined))
  })
  try {
    const origin = await Promise.race([findOrigin(started.stdout), ended])
    if (origin === undefined) throw new Error(`${app.name} did not start`)
    const { invariants } = await checkConformance(
      {
        kind: 'url',
        name: app.name,
        port,
        ...loaded,
        url: description ? origin : `${origin}/auth`,
      },
      // A run by URL ends after five minutes, and a requirement that it did not reach has no result.
      { only: broken ? [broken.breaks] : [], seed, time: 30 * 60_000 },
    )
    return invariants.filter(({ part }) => part === undefined)
  } finally {
    started.kill()
    await ended
  }
}
