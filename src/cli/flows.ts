import { join } from 'node:path'
import type { Chart } from '../../machines/chart.ts'
import { charts } from '../../machines/charts.ts'
import { journeyChart } from '../../machines/journey.ts'
import { asError } from '../as-error.ts'
import type { CountedHop } from '../drawing/coverage-marks.ts'
import { CommandError } from './command-error.ts'
import { formats } from './formats.ts'
import { loadEngine } from './load-engine.ts'
import { parseArguments } from './parse-arguments.ts'
import { readCoverage } from './read-coverage.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** Every flow that can be drawn, and the journey of a browser through all of them, by their names. */
export const drawable: ReadonlyMap<string, Chart> = new Map(
  [...Object.values(charts), journeyChart].map((chart): [string, Chart] => [chart.id, chart]),
)

/** Options of the command. */
export const flowsOptions = {
  all: { type: 'boolean' },
  coverage: { type: 'string' },
  format: { type: 'string', short: 'f', default: 'svg' },
  out: { type: 'string', short: 'o' },
  requirements: { type: 'string' },
} as const

const listing = table([...drawable].map(([name, { description }]) => [name, description]))

/** What `authmachine flows --help` prints. */
export const flowsHelp = `Draws the flows, from the machines that run.

Usage: authmachine flows                        list the flows
       authmachine flows <name> [options]       draw one
       authmachine flows --all -o <directory>   draw each into a file

Options:
  -f, --format <format>     ${[...formats.keys()].join(', ')} (default: svg)
  -o, --out <directory>     write <name>.<format> there, instead of printing it
      --all                 all flows
      --coverage <report>   paint how often each transition was taken, and what never was, by a
                            JSON report of authmachine-conformance (svg, html)
      --requirements <url>  the page that requirement ids link to, each as <url>#TX-01
                            (default: no links; in html, the page itself)

Formats:
${table([...formats].map(([name, { says }]) => [name, says]))}

Flows:
${listing}

Examples:
  authmachine flows callback > callback.svg
  authmachine flows sign-in --format mermaid
  authmachine flows --all --format html -o flows
  authmachine-conformance ours --report json
  authmachine flows --all --coverage conformance-report/ours.json -o coverage
`

/**
 * Draws flows as the arguments say, or lists them when they name none.
 *
 * @throws {CommandError} when there is no such flow, format or option
 */
export async function runFlows(args: readonly string[], terminal: Terminal): Promise<void> {
  const { names, all, format, out, requirements, coverage: report } = readArguments(args)
  if (names.length === 0 && !all) return terminal.print(`${listing}\n`)
  if (out === undefined && all)
    throw new CommandError('--all needs a directory to write into: -o <directory>', 2)
  const coverage = report === undefined ? undefined : await loadCoverage(report, terminal)
  const drawer = {
    loadEngine,
    ...(requirements !== undefined && { requirements }),
    ...(coverage && { coverage }),
  }
  for (const chart of all ? drawable.values() : names.map(findFlow)) {
    if (coverage && !isDriven(chart)) {
      if (all) continue
      throw new CommandError(`No handler runs ${chart.id}: there is no coverage of it.`, 2)
    }
    const text = await format.draw(chart, drawer)
    if (out === undefined) terminal.print(text)
    else await terminal.writeFile(join(out, `${chart.id}.${format.extension}`), text)
  }
}

/** The journey is what browsers do: it has no steps, and no run is one of it. */
function isDriven({ id }: Chart): boolean {
  return Object.hasOwn(charts, id)
}

async function loadCoverage(path: string, terminal: Terminal): Promise<readonly CountedHop[]> {
  const text = await terminal.readFile(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${asError(error).message}`, 1)
  })
  return readCoverage(text, path)
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArguments('flows', args, flowsOptions)
  const format = formats.get(values.format)
  if (!format) {
    throw new CommandError(
      `There is no format ${values.format}. There are ${[...formats.keys()].join(', ')}.`,
      2,
    )
  }
  if (values.coverage !== undefined && !format.paints)
    throw new CommandError('--coverage is painted on svg and html.', 2)
  if (positionals.length > (values.all ? 0 : 1)) throw new CommandError('One flow at a time, or --all.', 2)
  return { ...values, format, names: positionals, all: values.all ?? false }
}

function findFlow(name: string): Chart {
  const chart = drawable.get(name)
  if (!chart) throw new CommandError(`There is no flow ${name}. The flows are:\n\n${listing}`, 2)
  return chart
}
