import { asError } from '../../as-error.ts'
import { configOf } from '../../create-auth.ts'
import type { AuthConfig } from '../../types/config.ts'
import { CommandError } from '../command-error.ts'
import type { Terminal } from '../terminal.ts'

/** Names that are looked at before the others. */
const usual = ['config', 'authConfig', 'authOptions', 'auth', 'default']

/**
 * The configuration that a module exports: itself, or what `createAuth` made of it.
 *
 * @throws {CommandError} when the module cannot be loaded, or exports none
 */
export async function loadConfig(path: string, terminal: Terminal): Promise<AuthConfig> {
  const exported = new Map<string, unknown>(Object.entries(await load(path, terminal)))
  const names = [...usual, ...exported.keys()]
  for (const name of names) {
    const config = readConfig(exported.get(name))
    if (config) return config
  }
  const listed = [...exported.keys()].join(', ') || 'nothing'
  throw new CommandError(
    `${path} exports ${listed}, and no configuration among it.\n` +
      'Expected what createAuth makes, or the configuration itself:\n\n' +
      '  export const config = { providers: [...] }',
    1,
  )
}

async function load(path: string, terminal: Terminal): Promise<object> {
  try {
    return await terminal.importModule(path)
  } catch (error) {
    const { message } = asError(error)
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    const todo =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? '\nThis version of Node does not run TypeScript. Use Node 22.18 or newer, name a JavaScript module, or run:\n\n' +
          `  NODE_OPTIONS="--import tsx" npx authmachine doctor ${path}\n\nafter npm install --save-dev tsx`
        : ''
    throw new CommandError(`${path} cannot be loaded: ${message}${todo}`, 1)
  }
}

function readConfig(value: unknown): AuthConfig | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const given = configOf(value)
  if (given) return given
  if (!('providers' in value && Array.isArray(value.providers))) return undefined
  const config = value as AuthConfig
  // SolidStart's integration calls the base path so.
  return 'prefix' in value && typeof value.prefix === 'string'
    ? { ...config, basePath: value.prefix }
    : config
}
