export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment variables of the process; none where there is no process (Deno has had one since version 2). A
 * variable that may not be read (Deno's `--allow-env`) is one that is not set.
 */
export function readEnvironment(): Environment {
  const process: { readonly env?: Environment } | undefined = Reflect.get(globalThis, 'process')
  return new Proxy(process?.env ?? {}, { get: readVariable })
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
