import { version } from '../version.ts'
import { CommandError } from './command-error.ts'
import { flowsHelp, runFlows } from './flows.ts'
import { runConformance } from './hand-over.ts'
import type { Terminal } from './terminal.ts'

interface Command {
  /** One line of help. */
  readonly says: string
  /** A command without it answers for itself. */
  readonly help?: string
  /** @returns the exit code, when it isn't 0 */
  run(args: readonly string[], terminal: Terminal): Promise<number | void>
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['flows', { says: 'draw the flows, from the machines that run', help: flowsHelp, run: runFlows }],
  ['conformance', { says: 'judge an implementation by the invariants of its field', run: runConformance }],
])

const help = `authmachine ${version}: authentication as statecharts

Usage: authmachine <command> [options]

Commands:
${[...commands].map(([name, { says }]) => `  ${name.padEnd(13)}${says}`).join('\n')}

authmachine <command> --help says more. --version prints the version.
`

/**
 * Runs what was typed behind `authmachine`.
 *
 * @returns the exit code: 0, 2 for what was typed wrongly, 1 for what is missing, or that of a command that has its own
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return (await dispatch(args, terminal)) ?? 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    terminal.complain(`${error.message}\n`)
    return error.exitCode
  }
}

async function dispatch([name, ...rest]: readonly string[], terminal: Terminal): Promise<number | void> {
  if (name === '--version' || name === '-v') return terminal.print(`${version}\n`)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return terminal.print(help)
  const command = commands.get(name)
  if (!command) throw new CommandError(`There is no command ${name}.\n\n${help.trimEnd()}`, 2)
  const asksForHelp = rest.includes('--help') || rest.includes('-h')
  if (asksForHelp && command.help !== undefined) return terminal.print(command.help)
  return command.run(rest, terminal)
}
