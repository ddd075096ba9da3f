import { configOf } from '../../../instance/create-auth.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { configListener, readElsewhere } from '../../../types/symbols.ts'
import type { AuthConfig } from '../../../types/config.ts'
import { CommandError } from '../arguments.ts'
import { loadModule } from '../load-module.ts'
import type { Terminal } from '../terminal.ts'

/** Export names to try first. */
const usual = ['config', 'authConfig', 'authOptions', 'auth', 'default']

/**
 * Returns the configuration that a module exports, directly or through the result of `createAuth`. Without such an
 * export, returns the only one that the module and its imports passed to `createAuth`.
 *
 * @throws {CommandError} if the module cannot be loaded, or has no configuration or several
 */
export async function loadConfig(path: string, terminal: Terminal): Promise<AuthConfig> {
  const { result, created } = await collectConfigs(() => loadModule('doctor', path, terminal))
  const exported = new Map<string, unknown>(Object.entries(result))
  const names = [...usual, ...exported.keys()]
  for (const name of names) {
    const config = readConfig(exported.get(name))
    if (config) return config
  }
  const [only, ...more] = created
  if (only && more.length === 0) return { ...only, [readElsewhere]: [] }
  const listed = escapeControls([...exported.keys()].join(', ')) || 'none'
  throw new CommandError(
    (only
      ? `${path} calls createAuth several times and exports no result. `
      : `${path} exports no configuration. `) +
      `Its exports: ${listed}.\n` +
      'Export the result of createAuth, or the configuration itself:\n\n' +
      '  export const config = { providers: [...] }',
    1,
  )
}

/** Runs a function, and collects the configurations that `createAuth` receives during the call. */
async function collectConfigs<T>(run: () => Promise<T>): Promise<{ result: T; created: AuthConfig[] }> {
  const created: AuthConfig[] = []
  Object.assign(globalThis, { [configListener]: (config: AuthConfig) => created.push(config) })
  try {
    return { result: await run(), created }
  } finally {
    Reflect.deleteProperty(globalThis, configListener)
  }
}

function readConfig(value: unknown): AuthConfig | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const given = configOf(value)
  if (given) return { ...given, [readElsewhere]: [] }
  if (!('providers' in value && Array.isArray(value.providers))) return undefined
  const config = value as AuthConfig
  // The SolidStart integration calls the base path `prefix`.
  return 'prefix' in value && typeof value.prefix === 'string'
    ? { ...config, basePath: value.prefix }
    : config
}
