import { parseArgs, type ParseArgsConfig } from 'node:util'
import { CommandError } from './command-error.ts'

/**
 * What was typed behind a command, by its options.
 *
 * @throws {CommandError} for an option that there isn't, or that lacks its value
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
    throw new CommandError(`${error.message}\n\nauthmachine ${command} --help lists the options.`, 2)
  }
}
