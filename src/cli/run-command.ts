import { version } from '../version.ts'
import { CommandError } from './command-error.ts'
import { flowsHelp, runFlows } from './flows.ts'
import type { Terminal } from './terminal.ts'

interface Command {
  /** One line of help. */
  readonly says: string
  readonly help: string
  run(args: readonly string[], terminal: Terminal): Promise<void>
}

const commands: ReadonlyMap<string, Command> = new Map([
  ['flows', { says: 'draw the flows, from the machines that run', help: flowsHelp, run: runFlows }],
])

const help = `authmachine ${version}: authentication as statecharts

Usage: authmachine <command> [options]

Commands:
${[...commands].map(([name, { says }]) => `  ${name.padEnd(10)}${says}`).join('\n')}

authmachine <command> --help says more. --version prints the version.
`

/**
 * Runs what was typed behind `authmachine`.
 *
 * @returns the exit code: 0, 2 for what was typed wrongly, 1 for what is missing
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await dispatch(args, terminal)
    return 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    terminal.complain(`${error.message}\n`)
    return error.exitCode
  }
}

async function dispatch([name, ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  if (name === '--version' || name === '-v') return terminal.print(`${version}\n`)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return terminal.print(help)
  const command = commands.get(name)
  if (!command) throw new CommandError(`There is no command ${name}.\n\n${help.trimEnd()}`, 2)
  if (rest.includes('--help') || rest.includes('-h')) return terminal.print(command.help)
  await command.run(rest, terminal)
}
