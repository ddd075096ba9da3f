import { configOf } from '../../create-auth.ts'
import { escapeControls } from '../../escape-controls.ts'
import type { AuthConfig } from '../../types/config.ts'
import { CommandError } from '../arguments.ts'
import { reasonOf } from '../reason-of.ts'
import type { Terminal } from '../terminal.ts'

/** Export names to try first. */
const usual = ['config', 'authConfig', 'authOptions', 'auth', 'default']

/**
 * Returns the configuration that a module exports, directly or through the result of `createAuth`.
 *
 * @throws {CommandError} if the module cannot be loaded or exports no configuration
 */
export async function loadConfig(path: string, terminal: Terminal): Promise<AuthConfig> {
  const exported = new Map<string, unknown>(Object.entries(await load(path, terminal)))
  const names = [...usual, ...exported.keys()]
  for (const name of names) {
    const config = readConfig(exported.get(name))
    if (config) return config
  }
  const listed = escapeControls([...exported.keys()].join(', ')) || 'none'
  throw new CommandError(
    `${path} exports no configuration. Its exports: ${listed}.\n` +
      'Export the result of createAuth, or the configuration itself:\n\n' +
      '  export const config = { providers: [...] }',
    1,
  )
}

async function load(path: string, terminal: Terminal): Promise<object> {
  try {
    return await terminal.importModule(path)
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    const todo =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? '\nThis version of Node does not run TypeScript. Use Node 22.18 or newer, pass a JavaScript module, or run:\n\n' +
          `  NODE_OPTIONS="--import tsx" npx authmachine doctor ${path}\n\nafter npm install --save-dev tsx`
        : ''
    throw new CommandError(`Cannot load ${path}: ${reasonOf(error)}${todo}`, 1)
  }
}

function readConfig(value: unknown): AuthConfig | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const given = configOf(value)
  if (given) return given
  if (!('providers' in value && Array.isArray(value.providers))) return undefined
  const config = value as AuthConfig
  // The SolidStart integration calls the base path `prefix`.
  return 'prefix' in value && typeof value.prefix === 'string'
    ? { ...config, basePath: value.prefix }
    : config
}
