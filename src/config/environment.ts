import { InvalidConfig } from '../errors/classes.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the environment variables of the process, or an empty object if there is no process. A variable that may not
 * be read (Deno's `--allow-env`) counts as not set.
 */
export function readEnvironment(): Environment {
  return new Proxy(findVariables(), { get: readMember })
}

/** Some runtimes have a `process` whose members throw. */
function findVariables(): Environment {
  try {
    const process: { readonly env?: Environment } | undefined = Reflect.get(globalThis, 'process')
    return process?.env ?? {}
  } catch {
    return {}
  }
}

function readMember(environment: Environment, name: string | symbol): string | undefined {
  try {
    return typeof name === 'string' ? environment[name] : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the value of a variable, or undefined if it is not set. Empty counts as not set, because shells, compose
 * files and CI systems pass unset variables as empty strings.
 */
export function readVariable(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined
}

/** Returns the name of a variable of a provider: `AUTH_MY_SITE_ID` for the id `my-site`. */
export function nameVariable(providerId: string, suffix: 'ID' | 'SECRET' | 'ISSUER' | 'KEY'): string {
  return `AUTH_${providerId.toUpperCase().replaceAll('-', '_')}_${suffix}`
}

/** Returns those of `AUTH_SECRET_3`, `_2`, `_1` and `AUTH_SECRET` that are set, the newest first. */
export function environmentSecrets(environment: Environment): string[] {
  return ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET']
    .map((name) => readVariable(environment, name))
    .filter((secret) => secret !== undefined)
}

/** A variable that holds the URL of the site. */
export type SiteVariable = 'AUTH_URL' | 'NEXTAUTH_URL'

/** Whether the environment allows trusting the host of requests. */
export interface HostTrust {
  readonly trusted: boolean
  /** The reason, if the host is trusted without being configured. */
  readonly inferredFrom?: string
}

/**
 * Returns the URL of the site, or undefined if the variable is not set or empty.
 * @throws InvalidConfig if it is not a valid URL. The message never quotes the value, since it may contain a password.
 */
export function readSiteUrl(environment: Environment, name: SiteVariable = 'AUTH_URL'): URL | undefined {
  const text = readVariable(environment, name)
  if (text === undefined) return undefined
  const problem = checkSiteUrl(text)
  if (problem === undefined) return new URL(text)
  throw new InvalidConfig(
    `${name} ${problem}. Set it to the URL of the site, such as https://example.com, or remove it`,
  )
}

function checkSiteUrl(text: string): string | undefined {
  if (text.trim() === '') return 'is blank'
  // `localhost:3000` parses, with the scheme `localhost:`.
  if (!/^\s*https?:/i.test(text)) return 'does not start with https:// or http://'
  if (!URL.canParse(text)) return 'is not a valid URL'
  const { username, password } = new URL(text)
  return username === '' && password === '' ? undefined : 'contains a user name or a password'
}

const trusting: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  // Other variables count as not set when they are empty. Here, trust would then be inferred.
  ['', false],
])

/**
 * Decides by the first variable that is set. Platforms that set their own variable also set the Host header safely, and
 * only developers reach a server that is not in production.
 * @throws InvalidConfig if a variable has an invalid value
 */
export function readHostTrust(environment: Environment): HostTrust {
  const isDeclared = readSiteUrl(environment) !== undefined
  const told = readTrustVariable(environment)
  if (isDeclared) return { trusted: true }
  if (told !== undefined) return { trusted: told }
  const platform = (['VERCEL', 'CF_PAGES'] as const).find((name) => environment[name] !== undefined)
  if (platform) {
    const trusted = trusting.get(environment[platform]?.toLowerCase() ?? '') !== false
    return { trusted, ...(trusted && { inferredFrom: `${platform} is set` }) }
  }
  const { NODE_ENV } = environment
  if (NODE_ENV === 'production') return { trusted: false }
  return { trusted: true, inferredFrom: NODE_ENV ? `NODE_ENV is "${NODE_ENV}"` : 'NODE_ENV is not set' }
}

function readTrustVariable({ AUTH_TRUST_HOST: told }: Environment): boolean | undefined {
  if (told === undefined) return undefined
  const trusted = trusting.get(told.toLowerCase())
  if (trusted !== undefined) return trusted
  throw new InvalidConfig('`AUTH_TRUST_HOST` must be true, 1, false, 0 or empty')
}

/** Returns the fault of the variables that hold the URL and trust of the site, or undefined. */
export function findSiteFault(environment: Environment): InvalidConfig | undefined {
  try {
    readHostTrust(environment)
    return undefined
  } catch (error) {
    if (error instanceof InvalidConfig) return error
    throw error
  }
}

/** Names that other versions and libraries give to the variable `name`. */
function namesElsewhere(name: string): readonly string[] {
  if (name === 'AUTH_SECRET' || name === 'AUTH_URL') return [`NEXT${name}`]
  const [, id, suffix] = /^AUTH_(.+)_([A-Z]+)$/.exec(name) ?? []
  if (id === undefined) return []
  const word = suffix === 'KEY' ? 'API' : 'CLIENT'
  return [`${id}_${suffix}`, `${id}_${word}_${suffix}`, `AUTH_${id}_${word}_${suffix}`]
}

/**
 * Describes each variable that is set but not read, with the name of the variable that is read instead.
 * @param missing the variables that are read and not set
 */
export function describeUnread(environment: Environment, missing: readonly string[]): readonly string[] {
  return missing.flatMap((name) =>
    namesElsewhere(name)
      .filter((other) => readVariable(environment, other) !== undefined)
      .map((other) => `\`${other}\` is set, but \`${name}\` is read instead`),
  )
}
