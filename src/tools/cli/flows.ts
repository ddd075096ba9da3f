import { join } from 'node:path'
import type { AnyChart } from '../../../machines/chart.ts'
import { charts } from '../../../machines/by-id.ts'
import { readHop } from '../../../machines/hop.ts'
import type { CountedHop } from '../diagrams/coverage-marks.ts'
import { drawable } from '../diagrams/drawable.ts'
import { findEngine, type LayoutEngine } from '../diagrams/lay-out.ts'
import { CommandError, parseArguments } from './arguments.ts'
import { chartsOfConfig } from './charts-of-config.ts'
import { loadConfig } from './doctor/load-config.ts'
import { explore } from './explore.ts'
import { formats } from './formats.ts'
import { reasonOf } from './reason-of.ts'
import { table, type Terminal } from './terminal.ts'

/**
 * Loads the layout engine.
 *
 * @throws {CommandError} when elkjs is not installed
 */
export async function loadEngine(): Promise<LayoutEngine> {
  const engine = await findEngine()
  if (engine) return engine
  throw new CommandError(
    'The formats svg and html need elkjs, which is not installed. Run: npm install --save-dev elkjs',
    1,
  )
}

/**
 * Adds up the transition counts of a JSON report of the oracle.
 *
 * @throws {CommandError} if the report contains no transition counts
 */
function readCoverage(text: string, path: string): readonly CountedHop[] {
  const counts = new Map<string, number>()
  for (const hops of listHops(text))
    for (const [hop, count] of Object.entries(hops))
      if (typeof count === 'number') counts.set(hop, (counts.get(hop) ?? 0) + count)
  const read = [...counts].flatMap(([hop, count]) => {
    const named = readHop(hop)
    return named ? [{ ...named, count }] : []
  })
  if (read.length > 0) return read
  throw new CommandError(
    `${path} contains no transition counts. Create a report with a target that records its flows:\n\n` +
      '  authmachine-conformance ours --report json',
    1,
  )
}

function listHops(text: string): object[] {
  const judgements = member(parse(text), 'judgements')
  if (!Array.isArray(judgements)) return []
  return judgements.map((judgement) => member(judgement, 'hops')).filter(isObject)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Options of the command. */
export const flowsOptions = {
  all: { type: 'boolean' },
  config: { type: 'string' },
  coverage: { type: 'string' },
  format: { type: 'string', short: 'f' },
  open: { type: 'boolean' },
  out: { type: 'string', short: 'o' },
  play: { type: 'string' },
  requirements: { type: 'string' },
} as const

const listing = list(drawable)

function list(known: ReadonlyMap<string, AnyChart>): string {
  return table([...known].map(([name, { description }]) => [name, description]))
}

/** The output of `authmachine flows --help`. */
export const flowsHelp = `Draws diagrams of the flows, generated from the state machines that run.

Usage: authmachine flows                        list the flows
       authmachine flows --open [options]       explore all flows in a browser
       authmachine flows <name> [options]       draw one flow
       authmachine flows --all -o <directory>   write a file for each flow

Options:
      --open                write the flow explorer, and open it in a browser
      --config <module>     draw the flows with the features of this configuration; in the explorer,
                            mark the flows that it uses
      --play <file>         in the explorer, play a run that devtools saved as JSON
  -f, --format <format>     ${[...formats.keys()].join(', ')} (default: by the file's extension, or svg)
  -o, --out <path>          write this file, or <name>.<extension> in this directory, instead
                            of printing; without a name, <path>.html is the explorer
      --all                 draw all flows
      --coverage <report>   show how often each transition was taken, from a JSON report of
                            authmachine-conformance (svg, html)
      --requirements <url>  link requirement ids to this page, as <url>#TX-01
                            (default: no links; in html, the page itself)

Formats:
${table([...formats].map(([name, { says }]) => [name, says]))}

Flows:
${listing}

Examples:
  authmachine flows --open --config ./auth.ts
  authmachine flows -o explorer.html
  authmachine flows callback -o callback.svg
  authmachine flows sign-in --format mermaid
  authmachine flows callback --config ./auth.ts -o callback.svg
  authmachine flows --all --format html -o flows
  authmachine-conformance ours --report json
  authmachine flows --all --coverage conformance-report/ours.json -o coverage
`

/**
 * Draws the flows in the arguments, or lists all flows without arguments.
 *
 * @throws {CommandError} for an unknown flow, format or option
 */
export async function runFlows(args: readonly string[], terminal: Terminal): Promise<void> {
  const { names, all, format, out, requirements, config, coverage: report, explorer } = readArguments(args)
  if (explorer) return explore(explorer, terminal)
  const known = config === undefined ? drawable : await chartsOfConfig(await loadConfig(config, terminal))
  if (names.length === 0 && !all) return terminal.print(`${list(known)}\n`)
  if (out === undefined && all) throw new CommandError('--all needs an output directory: -o <directory>', 2)
  const coverage = report === undefined ? undefined : await loadCoverage(report, terminal)
  const drawer = {
    loadEngine,
    ...(requirements !== undefined && { requirements }),
    ...(coverage && { coverage }),
  }
  for (const chart of all ? known.values() : names.map((name) => findFlow(name, known))) {
    if (coverage && !isDriven(chart)) {
      if (all) continue
      throw new CommandError(`${chart.id} has no coverage, because no handler runs it.`, 2)
    }
    const text = await format.draw(chart, drawer)
    if (out === undefined) terminal.print(text)
    else
      await terminal.writeFile(isFile(out) && !all ? out : join(out, `${chart.id}.${format.extension}`), text)
  }
}

/** The journey describes a browser across requests. It has no steps, and no run belongs to it. */
function isDriven({ id }: AnyChart): boolean {
  return Object.hasOwn(charts, id)
}

async function loadCoverage(path: string, terminal: Terminal): Promise<readonly CountedHop[]> {
  const text = await terminal.readFile(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}`, 1)
  })
  return readCoverage(text, path)
}

/** Returns whether a path names a file of a known format, and not a directory. */
function isFile(path: string): boolean {
  return formatOf(path) !== undefined
}

function formatOf(path: string): string | undefined {
  return [...formats].find(([, { extension }]) => path.endsWith(`.${extension}`))?.[0]
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArguments('flows', args, flowsOptions)
  const { out = '', open, config, play } = values
  const name = values.format ?? formatOf(out) ?? 'svg'
  const format = formats.get(name)
  if (!format)
    throw new CommandError(`Unknown format: ${name}. Choose one of ${[...formats.keys()].join(', ')}.`, 2)
  const isNamed = positionals.length > 0 || values.all === true
  const isExplorer = open === true || (!isNamed && out !== '' && name === 'html' && isFile(out))
  if (!isExplorer && play !== undefined)
    throw new CommandError('--play needs --open, or -o with the name of an HTML file.', 2)
  if (isExplorer && isNamed) throw new CommandError('--open shows all flows. Omit the name, and --all.', 2)
  if (values.coverage !== undefined && !format.paints)
    throw new CommandError('--coverage needs the format svg or html.', 2)
  if (positionals.length > (values.all ? 0 : 1)) throw new CommandError('Name one flow, or use --all.', 2)
  return {
    ...values,
    format,
    names: positionals,
    all: values.all ?? false,
    explorer: isExplorer ? { open, config, play, out: values.out } : undefined,
  }
}

function findFlow(name: string, known: ReadonlyMap<string, AnyChart>): AnyChart {
  const chart = known.get(name)
  if (!chart) throw new CommandError(`Unknown flow: ${name}. The flows are:\n\n${list(known)}`, 2)
  return chart
}
