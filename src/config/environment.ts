export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the environment variables of the process; none where there is no process. A variable that may not be read
 * (Deno's `--allow-env`) counts as not set.
 */
export function readEnvironment(): Environment {
  return new Proxy(findVariables(), { get: readVariable })
}

/** A runtime may have a `process` whose members throw. */
function findVariables(): Environment {
  try {
    const process: { readonly env?: Environment } | undefined = Reflect.get(globalThis, 'process')
    return process?.env ?? {}
  } catch {
    return {}
  }
}

function readVariable(environment: Environment, name: string | symbol): string | undefined {
  try {
    return typeof name === 'string' ? environment[name] : undefined
  } catch {
    return undefined
  }
}

/** `AUTH_SECRET_3`, `_2` and `_1`, the newest first, then `AUTH_SECRET`; those that are set. */
export function environmentSecrets(environment: Environment): string[] {
  return ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET']
    .map((name) => environment[name])
    .filter((secret): secret is string => secret !== undefined && secret !== '')
}
