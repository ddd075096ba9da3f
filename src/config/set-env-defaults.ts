import { siteEnvironment } from '../types/symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Provider } from '../types/provider.ts'
import {
  type Environment,
  describeUnread,
  environmentSecrets,
  findSiteFault,
  type HostTrust,
  nameVariable,
  readHostTrust,
  readSiteUrl,
  readVariable,
} from './environment.ts'
import { warnOnce } from './warnings.ts'

/**
 * Fills in missing options from environment variables: base path (`AUTH_URL`), secret (`AUTH_SECRET`, `_1` to `_3`),
 * redirect proxy, host trust, and the `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY` of each provider. Modifies the
 * given configuration, as the calling frameworks expect. Warns once if it trusts the host although no option or
 * variable says so. Also warns about variables with names of older versions, such as `NEXTAUTH_SECRET` or `GITHUB_ID`,
 * if nothing else sets the option.
 *
 * Does not throw. If `AUTH_URL` or `AUTH_TRUST_HOST` is invalid, no host is trusted, and every request gets the fault
 * of the configuration.
 *
 * @param environment the variables, such as `process.env`
 * @param config is modified
 * @param suppressBasePathWarning for frameworks that read the base path from the environment themselves
 * @example
 * setEnvDefaults(process.env, config)
 * const response = await Auth(request, config)
 */
export function setEnvDefaults(
  environment: Environment,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  const isUsable = findSiteFault(environment) === undefined
  const path = isUsable ? pathOf(readSiteUrl(environment)) : undefined
  if (path && config.basePath && !suppressBasePathWarning)
    warnOnce(config, 'env-url-basepath-redundant', undefined, config.basePath)
  config.basePath ??= path || '/auth'
  if (!config.secret || config.secret.length === 0) {
    const secrets = environmentSecrets(environment)
    if (secrets.length > 0) config.secret = secrets
  }
  config.redirectProxyUrl ??= readVariable(environment, 'AUTH_REDIRECT_PROXY_URL')
  setTrust(environment, config, isUsable ? readHostTrust(environment) : { trusted: false })
  config.providers ??= []
  if (Array.isArray(config.providers))
    config.providers = config.providers.map((provider) => withCredentials(environment, provider))
  // A framework that reads the base path itself may also read `NEXTAUTH_URL`.
  const missing = listMissing(environment, config).filter(
    (name) => name !== 'AUTH_URL' || !suppressBasePathWarning,
  )
  for (const hint of describeUnread(environment, missing)) warnOnce(config, 'unread-variable', hint)
}

/** Returns the names of the variables that would have filled in an option. */
function listMissing(environment: Environment, { secret, providers }: AuthConfig): readonly string[] {
  return [
    ...(secret === undefined ? ['AUTH_SECRET'] : []),
    ...(readVariable(environment, 'AUTH_URL') === undefined ? ['AUTH_URL'] : []),
    ...(Array.isArray(providers) ? providers.flatMap(listMissingCredentials) : []),
  ]
}

/** After the environment was read, only a factory that throws is still a function. */
function listMissingCredentials(provider: Provider): readonly string[] {
  if (typeof provider !== 'object' || provider === null) return []
  const { type, options, ...own }: Mergeable = { ...provider }
  const given: Mergeable = { ...own, ...options }
  if (typeof given.id !== 'string') return []
  const { id } = given
  return (credentialsOf.get(type) ?? [])
    .filter((option) => (given[option] ?? undefined) === undefined)
    .map((option) => nameVariable(id, suffixes[option]))
}

function setTrust(environment: Environment, config: AuthConfig, { trusted, inferredFrom }: HostTrust): void {
  const { AUTH_TRUST_HOST } = environment
  const AUTH_URL = readVariable(environment, 'AUTH_URL')
  const NODE_ENV = environment.NODE_ENV === 'development' ? environment.NODE_ENV : undefined
  const known = config[siteEnvironment]
  if (
    AUTH_URL !== known?.AUTH_URL ||
    AUTH_TRUST_HOST !== known?.AUTH_TRUST_HOST ||
    NODE_ENV !== known?.NODE_ENV
  )
    config[siteEnvironment] = { AUTH_URL, AUTH_TRUST_HOST, NODE_ENV }
  if (config.trustHost === true && !trusted) warnOnce(config, 'unknown-host')
  if ((config.trustHost ?? undefined) === undefined && inferredFrom !== undefined)
    warnOnce(config, 'host-trust-inferred', `The reason is that ${inferredFrom}`)
  config.trustHost ??= trusted
}

/** Returns the path of `AUTH_URL` without a trailing slash, or undefined if there is none. */
function pathOf(url: URL | undefined): string | undefined {
  const path = url?.pathname.replace(/\/+$/, '')
  return path === '' ? undefined : path
}

interface Mergeable {
  readonly options?: object
  readonly [option: string]: unknown
}

/** A provider, after its factory was called. */
type Made = Exclude<Provider, () => unknown>

/** Options that a variable can set, and the suffix of its name. */
const suffixes = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER', apiKey: 'KEY' } as const
type Credentials = { readonly [Name in keyof typeof suffixes]?: string }

type CredentialNames = readonly (keyof Credentials)[]

const oauthCredentials: CredentialNames = ['clientId', 'clientSecret', 'issuer']
/** The credentials of each type of provider. */
const credentialsOf: ReadonlyMap<unknown, CredentialNames> = new Map<unknown, CredentialNames>([
  ['oauth', oauthCredentials],
  ['oidc', oauthCredentials],
  ['email', ['apiKey']],
])

/**
 * Calls factories with the credentials found, because presets derive more from their options. Then fills in the
 * values that are still missing. If a factory throws, the provider is returned unchanged, and the configuration check reports it.
 */
function withCredentials(environment: Environment, given: Provider): Provider {
  try {
    if (typeof given !== 'function') return fillIn(given, findCredentials(environment, given))
    const make: (options?: object) => Made = given
    const found = findCredentials(environment, make({}))
    return fillIn(make(found), found)
  } catch {
    return given
  }
}

/** Looks up variables by the id that the user gave to the provider, then by the id of the preset. */
function findCredentials(environment: Environment, provider: Made): Credentials {
  const own: { id?: unknown; options?: { id?: unknown } } = { ...provider }
  const ids = [own.options?.id, own.id].filter((id) => typeof id === 'string')
  const found = Object.entries(suffixes).flatMap(([option, suffix]) => {
    const value = ids
      .map((id) => readVariable(environment, nameVariable(id, suffix)))
      .find((text) => text !== undefined)
    return value === undefined ? [] : [[option, value] as const]
  })
  return Object.fromEntries(found)
}

/**
 * Sets missing credentials on the provider itself, where the ecosystem expects them. The user's options override them.
 */
function fillIn(provider: Made, found: Credentials): Provider {
  const { type, ...own }: { type?: string } & Record<string, unknown> = { ...provider }
  const missing = (credentialsOf.get(type) ?? []).filter(
    (name) => (own[name] ?? undefined) === undefined && found[name] !== undefined,
  )
  if (missing.length === 0) return provider
  return { ...provider, ...Object.fromEntries(missing.map((name) => [name, found[name]])) }
}
