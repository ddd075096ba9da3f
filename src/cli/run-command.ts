import { escapeLines } from '../markup/escape-controls.ts'
import { version } from '../version.ts'
import { CommandError } from './command-error.ts'
import { completionHelp, runCompletion, shellNames } from './completion.ts'
import { doctorHelp, doctorOptions, runDoctor } from './doctor/run-doctor.ts'
import { drawable, flowsHelp, flowsOptions, runFlows } from './flows.ts'
import { runSecret, secretHelp, secretOptions } from './secret.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

interface Command {
  /** One line of help. */
  readonly says: string
  readonly help: string
  /** For the shell's completion. */
  readonly options?: object
  /** For the shell's completion. */
  readonly words?: readonly string[]
  /** @returns the exit code, when it isn't 0 */
  run(args: readonly string[], terminal: Terminal): Promise<number | void>
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'secret',
    {
      says: 'make an AUTH_SECRET, and write it into a file if you like',
      help: secretHelp,
      options: secretOptions,
      run: runSecret,
    },
  ],
  [
    'doctor',
    {
      says: 'find what is wrong with a configuration or a site',
      help: doctorHelp,
      options: doctorOptions,
      run: runDoctor,
    },
  ],
  [
    'flows',
    {
      says: 'draw the flows, from the machines that run',
      help: flowsHelp,
      options: flowsOptions,
      words: [...drawable.keys()],
      run: runFlows,
    },
  ],
  [
    'completion',
    {
      says: 'let your shell complete commands and options',
      help: completionHelp,
      words: shellNames,
      run: async (args, terminal) => runCompletion(args, terminal, listCompletable()),
    },
  ],
])

const help = `authmachine ${version}: authentication as statecharts

Usage: authmachine <command> [options]

Commands:
${table([...commands].map(([name, { says }]) => [name, says]))}

authmachine <command> --help says more. --version prints the version.
Exit codes: 0 all well, 1 something is wrong or missing, 2 typed wrongly.

The conformance oracle is a package of its own: authmachine-conformance.
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
 * Runs what was typed behind `authmachine`.
 *
 * @returns the exit code: 0, 1 if something is missing, 2 for a usage error
 */
export async function runCommand(args: readonly string[], given: Terminal): Promise<number> {
  // What sites, providers and thrown errors say ends up in any text; a terminal would obey its control characters.
  const terminal: Terminal = {
    ...given,
    print: (text) => given.print(escapeLines(text)),
    complain: (text) => given.complain(escapeLines(text)),
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
  if (!command) throw new CommandError(`There is no command ${name}.\n\n${help.trimEnd()}`, 2)
  const asksForHelp = rest.includes('--help') || rest.includes('-h')
  if (asksForHelp) return terminal.print(command.help)
  return command.run(rest, terminal)
}
