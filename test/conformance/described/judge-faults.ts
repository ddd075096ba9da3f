import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { loadDescription } from '../../../fuzz/targets/described/load-description.ts'
import { checkConformance } from '../../../fuzz/run/check-conformance.ts'
import { findOrigin } from '../find-origin.ts'
import type { DescribedApp } from './applications.ts'
import { faults, type FaultName } from './faults.ts'

/** Options of a run on an application. */
export interface FaultOptions {
  /** The first of the oracle's four ports. */
  readonly port: number
  readonly seed: number
}

/**
 * Starts an application without faults, which must pass, then with one fault at a time, which the oracle must find.
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
  const sound = await judge(app, command, undefined, options)
  const expected = new Set<string>(app.faults.map((fault) => faults[fault].breaks))
  const wrong = [...sound].filter(([id, verdict]) =>
    expected.has(id) ? verdict !== 'PASS' : verdict === 'FAIL',
  )
  for (const [id, verdict] of wrong) process.stdout.write(`without faults: ${id} is ${verdict}\n`)
  let missed = 0
  for (const fault of app.faults) {
    const { breaks, says } = faults[fault]
    const verdict = (await judge(app, command, fault, options)).get(breaks)
    if (verdict !== 'FAIL') missed += 1
    process.stdout.write(
      `${verdict === 'FAIL' ? 'found' : 'MISSED'}  ${fault}: ${says} (${breaks} is ${verdict})\n`,
    )
  }
  return wrong.length + missed === 0 ? 0 : 1
}

/** Runs the oracle on the application. @returns the verdict of each requirement that it tested */
async function judge(
  app: DescribedApp,
  [program = '', ...args]: readonly string[],
  fault: FaultName | undefined,
  { port, seed }: FaultOptions,
): Promise<ReadonlyMap<string, string>> {
  const description = await loadDescription(app.description)
  const log = description?.log
  if (log !== undefined) rmSync(log, { force: true })
  const started = spawn(program, [...args, '0', String(port), ...(fault ? [fault] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(log !== undefined && { LOG: log }) },
  })
  const ended = new Promise<undefined>((resolve) => {
    started.once('error', () => resolve(undefined))
    started.once('exit', () => resolve(undefined))
  })
  try {
    const url = await Promise.race([findOrigin(started.stdout), ended])
    if (url === undefined || !description) throw new Error(`${app.name} did not start`)
    const ofFaults = app.isReference ? [] : app.faults.map((each) => faults[each].breaks)
    const only = fault ? [faults[fault].breaks] : ofFaults
    const { invariants } = await checkConformance(
      { kind: 'url', name: app.name, url, port, description },
      { only, seed },
    )
    const whole = invariants.filter(({ part }) => part === undefined)
    return new Map(whole.map(({ id, verdict }) => [id, verdict]))
  } finally {
    started.kill()
    await ended
  }
}
