import { asError } from '../errors/as-error.ts'
import { systemPlatform } from '../platform/clock.ts'
import { createCookieTable, findCookieFault } from '../cookies/cookie-table.ts'
import { copyOfError } from '../copies/copy-handed-out.ts'
import { AuthError, DuplicateProvider, InvalidConfig } from '../errors/classes.ts'
import { encodeHex } from '../crypto/bytes.ts'
import { platform as platformKey, raw, siteEnvironment, skipCSRFCheck, tracer } from '../types/symbols.ts'
import type { AuthConfig, Platform } from '../types/config.ts'
import type { FeatureOptions } from '../features/types.ts'
import type { Feature } from '../types/feature.ts'
import type { PagesOptions } from '../types/theme.ts'
import { featureOptions } from '../features/options.ts'
import { checkConfig } from './check-config.ts'
import { describeIgnored, describeUnknown } from './check-names.ts'
import { createLogger } from './create-logger.ts'
import { defaultCallbacks } from './default-callbacks.ts'
import {
  type Environment,
  environmentSecrets,
  findSiteFault,
  readEnvironment,
  readSiteUrl,
  readVariable,
} from './environment.ts'
import { describeLeftOut, type Lack } from './left-out.ts'
import { options, recordingOptions } from './options.ts'
import { feature } from './rule.ts'
import { findLack } from './resolve-oauth.ts'
import { resolveProvider } from './resolve-provider.ts'
import type { ProviderSettings, Settings } from './settings.ts'
import { serialiseStore, wrapStore } from './store.ts'
import { findWarnings, reportOnce, warnOfSharedSessions, warnOnce } from './warnings.ts'

/** The options that integrations set, some of them after the first use of the configuration. */
const written = ['basePath', 'raw', 'secret', 'skipCSRFCheck', 'trustHost', siteEnvironment] as const

interface Derived {
  readonly settings: Settings
  /** The values of these options when the settings were derived. */
  readonly from: readonly unknown[]
  /** Copies of the lists of secrets, so that removing a secret from a list takes effect. Empty without a list. */
  readonly secrets: readonly unknown[]
  readonly jwtSecrets: readonly unknown[]
}

const derived = new WeakMap<AuthConfig, Derived>()

/**
 * Returns the settings of a configuration, which it never modifies. They are derived once per config object, and again
 * after an integration has changed it.
 */
export function settingsOf(config: AuthConfig): Settings {
  const known = derived.get(config)
  if (known && isUnchanged(config, known)) return known.settings
  const settings = deriveSettings(config, readEnvironment())
  derived.set(config, {
    settings,
    from: written.map((name) => config[name]),
    secrets: copyList(config.secret),
    jwtSecrets: copyList(config.jwt?.secret),
  })
  if (!known) {
    warn(config, settings)
    warnOfSharedSessions(config, settings)
  }
  return settings
}

function isUnchanged(config: AuthConfig, { from, secrets, jwtSecrets }: Derived): boolean {
  return (
    written.every((name, at) => config[name] === from[at]) &&
    isSameList(config.secret, secrets) &&
    isSameList(config.jwt?.secret, jwtSecrets)
  )
}

function copyList(secret: unknown): readonly unknown[] {
  return Array.isArray(secret) ? [...(secret as unknown[])] : []
}

function isSameList(secret: unknown, copy: readonly unknown[]): boolean {
  if (!Array.isArray(secret)) return copy.length === 0
  return secret.length === copy.length && secret.every((each, at) => each === copy[at])
}

function warn(config: AuthConfig, settings: Settings): void {
  const { warnings, unknownOptions } = settings
  for (const code of warnings)
    warnOnce(
      config,
      code,
      code === 'unknown-option' ? unknownOptions.join('; ') : undefined,
      nameApplication(settings),
    )
  reportLeftOut(config, settings)
}

/** Returns a name that all copies of a configuration share. */
function nameApplication({ basePath, providers }: Settings): string {
  return `${basePath} ${[...providers.keys()].join(' ')}`
}

function reportLeftOut(config: AuthConfig, settings: Settings): void {
  // If no provider is complete, the first one is the fault.
  if (settings.providers.size === 0) return
  const error = describeLeftOut(settings.leftOut)
  if (error) reportOnce(config, copyOfError(error), nameApplication(settings))
}

/**
 * Logs the errors of a configuration after the modules that are being loaded have run, because they may still set
 * variables. Otherwise the errors would show only at the first request. A build also loads these modules, mostly
 * without the variables of the site, so nothing is logged during a build of Next.js or SvelteKit.
 *
 * The settings are not kept, so that values that are set before the first request still take effect.
 */
export function reportAtStart(config: AuthConfig): void {
  if (isBuild(readEnvironment())) return
  queueMicrotask(() => {
    // The first request has already logged it.
    if (derived.has(config)) return
    const settings = tryDerive(config)
    if (!settings) return
    if (settings.fault) reportOnce(config, settings.fault, nameApplication(settings))
    reportLeftOut(config, settings)
  })
}

/** Next.js sets its variable during the build, and SvelteKit in the worker in which its build runs the site. */
function isBuild({ NEXT_PHASE, SVELTEKIT_FORK }: Environment): boolean {
  return NEXT_PHASE === 'phase-production-build' || Boolean(SVELTEKIT_FORK)
}

/** Options may have getters that throw. Requests report this error; this function must not throw. */
function tryDerive(config: AuthConfig): Settings | undefined {
  try {
    return deriveSettings(config, readEnvironment())
  } catch {
    return undefined
  }
}

/** Never throws. A fault of the configuration is returned as `fault`. */
export function deriveSettings(config: AuthConfig, environment: Environment): Settings {
  const logger = createLogger(config)
  const platform: Platform = Object.freeze({ ...systemPlatform, ...config[platformKey] })
  const secrets = listSecrets(config.secret ?? environmentSecrets(environment))
  const features = Object.freeze(listFeatures(config.features))
  const { providers, leftOut, fault } = resolveProviders(config, environment, features)
  const session = deriveSession(config, platform)
  const jwtSecrets = config.jwt?.secret === undefined ? secrets : listSecrets(config.jwt.secret)
  // Frozen, because callbacks get it as their `this`, and later requests also use it.
  const callbacks = Object.freeze({ ...defaultCallbacks, ...onlyGiven(config.callbacks) })
  const store =
    config.adapter && serialiseStore(wrapStore(config.adapter, logger), secrets[0] ?? '', platform)
  const site = readSite(config, environment)
  const basePath = trimBasePath(config.basePath ?? options.basePath.default)
  const cookies = {
    secure: createCookieTable(config.cookies, true),
    plain: createCookieTable(config.cookies, false),
  }
  const settings: Settings = {
    basePath,
    canonicalOrigin: site.origin,
    trustHost: config.trustHost === true && !site.fault,
    secrets,
    session,
    jwt: {
      secrets: jwtSecrets,
      maxAge: Math.min(readAge(config.jwt?.maxAge, session.maxAge), session.maxAge),
      audience: config.jwt?.audience ?? undefined,
      acceptLegacyTokens: config.jwt?.acceptLegacyTokens ?? options.jwt.members.acceptLegacyTokens.default,
      encode: config.jwt?.encode,
      decode: config.jwt?.decode,
      isRevoked: config.jwt?.isRevoked ?? undefined,
      revocations: config.jwt?.revocations ?? undefined,
    },
    callbacks,
    events: onlyGiven(config.events),
    pages: withoutBuiltIn(onlyGiven(config.pages), basePath),
    theme: onlyGiven(config.theme),
    locale: config.locale ?? undefined,
    texts: onlyGiven(config.texts),
    providers,
    leftOut,
    store,
    features,
    optional: readOptional(config),
    sendNotice: config.sendNotice ?? undefined,
    recordsAuthentication:
      recordingOptions.some((name) => config[name]) ||
      // A way to sign in may link an account, which needs a recent session.
      features.some(({ signIn, needsRecentSignIn }) => signIn ?? needsRecentSignIn),
    cookies,
    useSecureCookies: config.useSecureCookies,
    mayForward: readAllowList(config.redirectProxy?.allow),
    accountLinking: config.accountLinking ?? options.accountLinking.default,
    parallelSignIns: config.parallelSignIns === true,
    logger,
    debug: config.debug === true,
    development: config[siteEnvironment]?.NODE_ENV === 'development',
    csrf: config.skipCSRFCheck !== skipCSRFCheck,
    raw: config.raw === raw,
    platform,
    tracer: config[tracer],
    warnings: [],
    unknownOptions: [...describeUnknown(config), ...describeIgnored(config, session.strategy, providers)],
  }
  // The default cookies are valid, and checking them would take 2.5 % of a cold start.
  const found =
    site.fault ??
    fault ??
    checkConfig(config, settings) ??
    (config.cookies ? findCookieFault(cookies.secure) : undefined)
  return Object.freeze({ ...settings, fault: found, warnings: findWarnings(config, settings) })
}

interface Resolved extends Pick<Settings, 'providers' | 'leftOut'> {
  readonly fault?: AuthError
}

/**
 * Leaves out the providers that lack a value from their registration, such as a client id. The features that are ways to
 * sign in come last.
 */
function resolveProviders(
  config: AuthConfig,
  environment: Environment,
  features: readonly Feature[],
): Resolved {
  const providers = new Map<string, ProviderSettings>()
  const leftOut = new Map<string, Lack>()
  const isTaken = (id: string) => providers.has(id) || leftOut.has(id)
  const redirectProxyUrl = config.redirectProxyUrl ?? readVariable(environment, 'AUTH_REDIRECT_PROXY_URL')
  try {
    for (const given of Array.isArray(config.providers) ? config.providers : []) {
      const provider = resolveProvider(given, redirectProxyUrl)
      const { id } = provider
      if (isTaken(id))
        throw new DuplicateProvider(`Two providers have the id "${id}". Give each provider its own id`)
      const lack = provider.kind === 'oauth' ? findLack(provider) : undefined
      if (lack) leftOut.set(id, lack)
      else providers.set(id, provider)
    }
    for (const { signIn, ...more } of features) {
      const { name: id, title: name } = more
      if (signIn && isTaken(id))
        throw new DuplicateProvider(`A provider and a feature have the name "${id}". Rename one of them`)
      if (signIn)
        providers.set(id, { kind: 'feature', id, name, type: 'feature', config: { ...more, signIn } })
    }
    return { providers, leftOut }
  } catch (error) {
    // A user's factory may throw anything.
    const fault = error instanceof AuthError ? error : new InvalidConfig(asError(error))
    return { providers, leftOut, fault }
  }
}

function deriveSession(config: AuthConfig, { randomBytes }: Platform): Settings['session'] {
  const given = config.session
  const { maxAge, updateAge } = options.session.members
  return {
    strategy: given?.strategy ?? (config.adapter ? 'database' : 'jwt'),
    maxAge: readAge(given?.maxAge, maxAge.default),
    updateAge: readAge(given?.updateAge, updateAge.default),
    generateSessionToken: given?.generateSessionToken ?? (() => encodeHex(randomBytes(32))),
    signInMaxAge: given?.signInMaxAge ?? undefined,
    absoluteMaxAge: given?.absoluteMaxAge ?? undefined,
    describe: given?.describe ?? undefined,
  }
}

/** The configuration check refuses other types, but the settings are derived first. */
function readAge(age: unknown, otherwise: number): number {
  return typeof age === 'number' ? age : otherwise
}

function listSecrets(secret: string | readonly string[]): readonly string[] {
  return typeof secret === 'string' ? [secret] : Array.isArray(secret) ? [...secret] : []
}

/** The configuration check refuses other values, but the settings are derived first. */
function listFeatures(given: unknown): readonly Feature[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  return list.filter((each): each is Feature => feature.accepts(each))
}

/** Without a list, the proxy forwards nothing. */
function readAllowList(
  allow: NonNullable<AuthConfig['redirectProxy']>['allow'] | null = [],
): Settings['mayForward'] {
  if (typeof allow === 'function')
    return async (origin) => {
      const answer: unknown = await allow(origin)
      return answer === true
    }
  const origins = new Set(
    (Array.isArray(allow) ? allow : [])
      .filter((origin: unknown) => typeof origin === 'string')
      .map((origin) => origin.replace(/\/$/, '')),
  )
  return (origin) => origins.has(origin)
}

/** Removes a trailing slash, even from `/`. */
function trimBasePath(path: unknown): string {
  return typeof path === 'string' ? path.replace(/\/+$/, '') : ''
}

/** Uses the variables that `setEnvDefaults` read. Otherwise the core reads only `AUTH_URL`. */
function readSite(
  config: AuthConfig,
  { AUTH_URL }: Environment,
): { readonly origin?: string; readonly fault?: InvalidConfig } {
  const said = config[siteEnvironment]
  const known = { AUTH_URL: said?.AUTH_URL ?? AUTH_URL, AUTH_TRUST_HOST: said?.AUTH_TRUST_HOST }
  const fault = findSiteFault(known)
  if (fault) return { fault }
  const url = readSiteUrl(known)
  return url ? { origin: url.origin } : {}
}

/** Returns the options of optional features, each read by its name, as the other options are. */
function readOptional(config: AuthConfig): FeatureOptions {
  const names = Object.keys(featureOptions) as (keyof FeatureOptions)[]
  return onlyGiven(Object.fromEntries(names.map((name) => [name, config[name]])))
}

/** Drops undefined and null members, so that they do not override the defaults. */
function onlyGiven<T extends object>(value: T | undefined): { [K in keyof T]?: NonNullable<T[K]> } {
  const given = Object.entries(value ?? {}).filter(([, member]) => member !== undefined && member !== null)
  return Object.fromEntries(given) as { [K in keyof T]?: NonNullable<T[K]> }
}

const builtIn = { signIn: 'signin', signOut: 'signout', error: 'error', verifyRequest: 'verify-request' }

/** Ignores a page that is the built-in one, because the browser would be redirected to it forever, and other types. */
function withoutBuiltIn(pages: Partial<PagesOptions>, basePath: string): Partial<PagesOptions> {
  const paths: Partial<Record<string, string>> = builtIn
  const others = Object.entries(pages).filter(
    ([name, page]) => typeof page === 'string' && page.replace(/\/$/, '') !== `${basePath}/${paths[name]}`,
  )
  return Object.fromEntries(others)
}
