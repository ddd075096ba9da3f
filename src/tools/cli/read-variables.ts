import util from 'node:util'
import { CommandError } from './arguments.ts'
import type { Terminal } from './terminal.ts'

/** Default environment files. The first file that sets a variable wins. */
const usualFiles = ['.env.local', '.env']

/**
 * Reads the environment files that exist, by default `.env.local` and `.env`. Variables of the process win.
 *
 * @returns the names of the files
 * @throws {CommandError} if a given file cannot be read
 */
export async function readVariables(
  given: readonly string[] | undefined,
  terminal: Terminal,
): Promise<readonly string[]> {
  const read: string[] = []
  for (const file of given ?? usualFiles) {
    const text = await terminal.readFile(file).catch(() => undefined)
    if (text !== undefined) {
      terminal.setDefaults(util.parseEnv(text))
      read.push(file)
    } else if (given) throw new CommandError(`Cannot read ${file}.`, 1)
  }
  return read
}
