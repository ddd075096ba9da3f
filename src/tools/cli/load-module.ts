import { CommandError } from './arguments.ts'
import { reasonOf } from './reason-of.ts'
import type { Terminal } from './terminal.ts'

/**
 * Returns the exports of the module that the user named in a command.
 *
 * @throws {CommandError} if the module cannot be loaded
 */
export async function loadModule(command: string, path: string, terminal: Terminal): Promise<object> {
  try {
    return await terminal.importModule(path)
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    const todo =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? '\nThis version of Node does not run TypeScript. Use Node 22.18 or newer, install a compiler with\n' +
          'npm install --save-dev typescript@6, or run after npm install --save-dev tsx:\n\n' +
          `  NODE_OPTIONS="--import tsx" npx authmachine ${command} ${path}`
        : ''
    throw new CommandError(`Cannot load ${path}: ${reasonOf(error)}${todo}`, 1)
  }
}
