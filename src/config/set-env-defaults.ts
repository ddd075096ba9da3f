import type { AuthConfig } from '../types/config.ts'
import type { Provider } from '../types/provider.ts'
import { createLogger } from './create-logger.ts'
import { environmentSecrets, type Environment } from './environment.ts'

/**
 * Fills what a configuration leaves open from environment variables: base path (`AUTH_URL`), secret (`AUTH_SECRET`,
 * `_1` to `_3`), redirect proxy, host trust, and each provider's `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`.
 * Writes to the configuration it is given, as the frameworks that call it expect.
 */
export function setEnvDefaults(
  environment: Environment,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  const path = pathOf(environment.AUTH_URL)
  if (path && config.basePath && !suppressBasePathWarning) createLogger(config).warn('env-url-basepath-redundant')
  config.basePath ??= path || '/auth'
  if (!config.secret || config.secret.length === 0) {
    const secrets = environmentSecrets(environment)
    if (secrets.length > 0) config.secret = secrets
  }
  config.redirectProxyUrl ??= environment.AUTH_REDIRECT_PROXY_URL
  config.trustHost ??= trustsHost(environment)
  config.providers = config.providers.map((provider) => withCredentials(environment, provider))
}

/** The path of `AUTH_URL` without a trailing slash; undefined when there is none, or no URL. */
function pathOf(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const path = new URL(url).pathname.replace(/\/+$/, '')
  return path === '' ? undefined : path
}

/** The first variable that is set decides; a platform that names itself sets the host header safely. */
function trustsHost(environment: Environment): boolean {
  const { AUTH_URL, AUTH_TRUST_HOST, VERCEL, CF_PAGES, NODE_ENV } = environment
  const told = AUTH_URL ?? AUTH_TRUST_HOST ?? VERCEL ?? CF_PAGES
  return told === undefined ? NODE_ENV !== 'production' : !['', 'false', '0'].includes(told.toLowerCase())
}

function withCredentials(environment: Environment, given: Provider): Provider {
  const provider = typeof given === 'function' ? given() : given
  const id = (provider.options?.id ?? provider.id).toUpperCase().replaceAll('-', '_')
  const read = (suffix: string) => environment[`AUTH_${id}_${suffix}`]
  const found: Record<string, string | undefined> =
    provider.type === 'oauth' || provider.type === 'oidc'
      ? { clientId: read('ID'), clientSecret: read('SECRET'), issuer: read('ISSUER') }
      : provider.type === 'email'
        ? { apiKey: read('KEY') }
        : {}
  const own: Record<string, unknown> = { ...provider, ...provider.options }
  const missing = Object.entries(found).filter(([name, value]) => value !== undefined && own[name] === undefined)
  if (missing.length === 0) return provider
  return { ...provider, options: { ...provider.options, ...Object.fromEntries(missing) } } as Provider
}
