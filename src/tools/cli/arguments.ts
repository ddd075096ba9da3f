import { parseArgs, type ParseArgsConfig } from 'node:util'

/** An error that the user of the command can fix. It is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 2 for a usage error, 1 for any other error. */
  readonly exitCode: number

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * Parses the arguments of a command.
 *
 * @throws {CommandError} for an unknown option, or an option without its value
 */
export function parseArguments<const O extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: O,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CommandError(`${error.message}\n\nRun authmachine ${command} --help for a list of options.`, 2)
  }
}
