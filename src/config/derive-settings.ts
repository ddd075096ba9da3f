import { systemPlatform } from '../clock.ts'
import { createCookieTable } from '../cookies/cookie-table.ts'
import { AuthError, DuplicateProvider, InvalidConfig } from '../errors.ts'
import { encodeHex } from '../crypto/hex.ts'
import { platform as platformKey, raw, skipCSRFCheck } from '../symbols.ts'
import type { AuthConfig, Platform } from '../types/config.ts'
import { checkConfig, findWarnings } from './check-config.ts'
import { createLogger } from './create-logger.ts'
import { defaultCallbacks } from './default-callbacks.ts'
import { environmentSecrets, readEnvironment, type Environment } from './environment.ts'
import { resolveProvider } from './resolve-provider.ts'
import type { ProviderSettings, Settings } from './settings.ts'
import { wrapStore } from './wrap-store.ts'

const day = 86_400
const derived = new WeakMap<AuthConfig, Settings>()

/** The settings of a configuration; derived once per config object, which is never written to. */
export function settingsOf(config: AuthConfig): Settings {
  const known = derived.get(config)
  if (known) return known
  const settings = deriveSettings(config, readEnvironment())
  derived.set(config, settings)
  for (const code of settings.warnings) settings.logger.warn(code)
  return settings
}

/** Never throws: what is wrong with the configuration is its `fault`. */
export function deriveSettings(config: AuthConfig, environment: Environment): Settings {
  const logger = createLogger(config)
  const platform: Platform = { ...systemPlatform, ...config[platformKey] }
  const secrets = listSecrets(config.secret ?? environmentSecrets(environment))
  const { providers, fault } = resolveProviders(config, environment)
  const session = deriveSession(config, platform)
  const jwtSecrets = config.jwt?.secret === undefined ? secrets : listSecrets(config.jwt.secret)
  const callbacks = { ...defaultCallbacks, ...withoutUndefined(config.callbacks) }
  const store = config.adapter && wrapStore(config.adapter, logger)
  const settings: Settings = {
    basePath: trimBasePath(config.basePath ?? '/auth'),
    canonicalOrigin: readOrigin(environment.AUTH_URL),
    trustHost: config.trustHost === true,
    secrets,
    session,
    jwt: {
      secrets: jwtSecrets,
      maxAge: Math.min(config.jwt?.maxAge ?? session.maxAge, session.maxAge),
      encode: config.jwt?.encode,
      decode: config.jwt?.decode,
    },
    callbacks,
    events: config.events ?? {},
    pages: config.pages ?? {},
    theme: config.theme ?? {},
    providers,
    store,
    cookies: {
      secure: createCookieTable(config.cookies, true),
      plain: createCookieTable(config.cookies, false),
    },
    useSecureCookies: config.useSecureCookies,
    logger,
    debug: config.debug === true,
    csrf: config.skipCSRFCheck !== skipCSRFCheck,
    raw: config.raw === raw,
    platform,
    fault: undefined,
    warnings: [],
  }
  const found = fault ?? checkConfig(config, settings)
  return Object.freeze({ ...settings, fault: found, warnings: findWarnings(config, settings) })
}

function resolveProviders(config: AuthConfig, environment: Environment) {
  const providers = new Map<string, ProviderSettings>()
  const redirectProxyUrl = config.redirectProxyUrl ?? environment.AUTH_REDIRECT_PROXY_URL
  try {
    for (const provider of Array.isArray(config.providers) ? config.providers : []) {
      const resolved = resolveProvider(provider, redirectProxyUrl)
      if (providers.has(resolved.id))
        throw new DuplicateProvider(`Two providers have the id "${resolved.id}"; each needs its own`)
      providers.set(resolved.id, resolved)
    }
    return { providers }
  } catch (error) {
    // A user's factory may throw anything.
    const fault = error instanceof AuthError ? error : new InvalidConfig(asError(error))
    return { providers, fault }
  }
}

function deriveSession(config: AuthConfig, { randomBytes }: Platform): Settings['session'] {
  const given = config.session
  return {
    strategy: given?.strategy ?? (config.adapter ? 'database' : 'jwt'),
    maxAge: given?.maxAge ?? 30 * day,
    updateAge: given?.updateAge ?? day,
    generateSessionToken: given?.generateSessionToken ?? (() => encodeHex(randomBytes(32))),
  }
}

function listSecrets(secret: string | readonly string[]): readonly string[] {
  return typeof secret === 'string' ? [secret] : Array.isArray(secret) ? [...secret] : []
}

/** `/` and a trailing slash add nothing to a path. */
function trimBasePath(path: unknown): string {
  return typeof path === 'string' ? path.replace(/\/+$/, '') : ''
}

function readOrigin(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined
}

function withoutUndefined<T extends object>(value: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
