import { siteEnvironment } from '../symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Provider } from '../types/provider.ts'
import { createLogger } from './create-logger.ts'
import { environmentSecrets, type Environment } from './environment.ts'
import { findSiteFault, readHostTrust, readSiteUrl, type HostTrust } from './site-environment.ts'
import { warnOnce } from './warn-once.ts'

/**
 * Fills what a configuration leaves open from environment variables: base path (`AUTH_URL`), secret (`AUTH_SECRET`,
 * `_1` to `_3`), redirect proxy, host trust, and each provider's `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`.
 * Writes to the configuration it is given, as the frameworks that call it expect. It also warns, once, of a host that is
 * trusted though nobody said so. It does not throw: an unusable `AUTH_URL` or `AUTH_TRUST_HOST` trusts no host, and every
 * request gets the fault of the configuration.
 */
export function setEnvDefaults(
  environment: Environment,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  const isUsable = findSiteFault(environment) === undefined
  const path = isUsable ? pathOf(readSiteUrl(environment)) : undefined
  if (path && config.basePath && !suppressBasePathWarning)
    createLogger(config).warn('env-url-basepath-redundant')
  config.basePath ??= path || '/auth'
  if (!config.secret || config.secret.length === 0) {
    const secrets = environmentSecrets(environment)
    if (secrets.length > 0) config.secret = secrets
  }
  config.redirectProxyUrl ??= environment.AUTH_REDIRECT_PROXY_URL
  setTrust(environment, config, isUsable ? readHostTrust(environment) : { trusted: false })
  config.providers ??= []
  if (Array.isArray(config.providers))
    config.providers = config.providers.map((provider) => withCredentials(environment, provider))
}

function setTrust(environment: Environment, config: AuthConfig, { trusted, inferredFrom }: HostTrust): void {
  const { AUTH_URL, AUTH_TRUST_HOST } = environment
  const known = config[siteEnvironment]
  if (AUTH_URL !== known?.AUTH_URL || AUTH_TRUST_HOST !== known?.AUTH_TRUST_HOST)
    config[siteEnvironment] = { AUTH_URL, AUTH_TRUST_HOST }
  if (config.trustHost === true && !trusted) warnOnce(config, 'unknown-host')
  if ((config.trustHost ?? undefined) === undefined && inferredFrom !== undefined)
    warnOnce(
      config,
      'host-trust-inferred',
      `The Host header of every request is trusted, because ${inferredFrom}. In production, set AUTH_URL to the URL of the site`,
    )
  config.trustHost ??= trusted
}

/** The path of `AUTH_URL` without a trailing slash; undefined when there is none. */
function pathOf(url: URL | undefined): string | undefined {
  const path = url?.pathname.replace(/\/+$/, '')
  return path === '' ? undefined : path
}

/** A provider that needs no making any more. */
type Made = Exclude<Provider, () => unknown>

/** Options that a variable can set, with the suffix of its name. */
const suffixes = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER', apiKey: 'KEY' } as const
type Credentials = { readonly [Name in keyof typeof suffixes]?: string }

const oauthCredentials = ['clientId', 'clientSecret', 'issuer'] as const
/** The credentials that each type of provider takes. */
const credentialsOf: Readonly<Record<string, readonly (keyof Credentials)[]>> = {
  oauth: oauthCredentials,
  oidc: oauthCredentials,
  email: ['apiKey'],
}

/**
 * A factory is called with what was found, since presets derive more from their options; what it makes, and what is not a
 * factory, gets what it still lacks. A provider that cannot be made stays as it is: the check of the configuration names it.
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

/** Looks variables up by the id that the user gave to the provider, then by the preset's own id. */
function findCredentials(environment: Environment, provider: Made): Credentials {
  const own: { id?: unknown; options?: { id?: unknown } } = { ...provider }
  const names = [own.options?.id, own.id]
    .filter((id) => typeof id === 'string')
    .map((id) => id.toUpperCase().replaceAll('-', '_'))
  const found = Object.entries(suffixes).flatMap(([option, suffix]) => {
    const value = names
      .map((name) => environment[`AUTH_${name}_${suffix}`])
      .find((text) => text !== undefined)
    return value === undefined ? [] : [[option, value] as const]
  })
  return Object.fromEntries(found)
}

/** Sets what is missing on the provider itself, where the ecosystem looks for it. The user's options win over it. */
function fillIn(provider: Made, found: Credentials): Provider {
  const { type, ...own }: { type?: string } & Record<string, unknown> = { ...provider }
  const missing = (credentialsOf[type ?? ''] ?? []).filter(
    (name) => (own[name] ?? undefined) === undefined && found[name] !== undefined,
  )
  if (missing.length === 0) return provider
  return { ...provider, ...Object.fromEntries(missing.map((name) => [name, found[name]])) }
}
