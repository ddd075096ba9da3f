import { escapeLines } from '../../text/escape-controls.ts'
import { version } from '../../platform/version.ts'
import { CommandError } from './arguments.ts'
import { completionHelp, runCompletion, shellNames } from './completion.ts'
import { doctorHelp, doctorOptions, runDoctor } from './doctor/run-doctor.ts'
import { flowsHelp, flowsOptions, runFlows } from './flows.ts'
import { drawable } from '../diagrams/drawable.ts'
import { migrateHelp, migrateOptions, runMigrate } from './migrate/run-migrate.ts'
import { reasonOf } from './reason-of.ts'
import { runSecret, secretHelp, secretOptions } from './secret.ts'
import { table, type Terminal } from './terminal.ts'

interface Command {
  /** One line of help. */
  readonly says: string
  readonly help: string
  /** For the shell's completion. */
  readonly options?: object
  /** For the shell's completion. */
  readonly words?: readonly string[]
  /** @returns the exit code, if it is not 0 */
  run(args: readonly string[], terminal: Terminal): Promise<number | void>
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'secret',
    {
      says: 'create an AUTH_SECRET, and optionally write it to a file',
      help: secretHelp,
      options: secretOptions,
      run: runSecret,
    },
  ],
  [
    'doctor',
    {
      says: 'check a configuration or a running site',
      help: doctorHelp,
      options: doctorOptions,
      run: runDoctor,
    },
  ],
  [
    'migrate',
    {
      says: 'create or update the tables of an SQL database',
      help: migrateHelp,
      options: migrateOptions,
      run: runMigrate,
    },
  ],
  [
    'flows',
    {
      says: 'draw diagrams of the flows',
      help: flowsHelp,
      options: flowsOptions,
      words: [...drawable.keys()],
      run: runFlows,
    },
  ],
  [
    'completion',
    {
      says: 'print a completion script for your shell',
      help: completionHelp,
      words: shellNames,
      run: async (args, terminal) => runCompletion(args, terminal, listCompletable()),
    },
  ],
])

const help = `authmachine ${version}: sign-in flows as state machines

Usage: authmachine <command> [options]

Commands:
${table([...commands].map(([name, { says }]) => [name, says]))}

Run authmachine <command> --help for details. --version prints the version.
Exit codes: 0 success, 1 a problem or an error, 2 a usage error.

The conformance oracle is a separate package: authmachine-conformance.
`

function listCompletable() {
  return [...commands].map(([name, { says, options = {}, words = [] }]) => ({
    name,
    says,
    options: [...Object.keys(options), 'help'],
    words,
  }))
}

/**
 * Runs the `authmachine` command.
 *
 * @returns the exit code: 0, 1 for a problem or an error, 2 for a usage error
 */
export async function runCommand(args: readonly string[], given: Terminal): Promise<number> {
  // Texts may contain data from sites, providers and errors. A terminal would execute their control characters.
  const terminal: Terminal = {
    ...given,
    print: (text) => given.print(escapeLines(text)),
    complain: (text) => given.complain(escapeLines(text)),
    async writeFile(path, content, mode) {
      await given.writeFile(path, content, mode).catch((error: unknown) => {
        throw new CommandError(`Cannot write ${path}: ${reasonOf(error)}`, 1)
      })
    },
  }
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
  if (!command) throw new CommandError(`Unknown command: ${name}.\n\n${help.trimEnd()}`, 2)
  const asksForHelp = rest.includes('--help') || rest.includes('-h')
  if (asksForHelp) return terminal.print(command.help)
  return command.run(rest, terminal)
}
