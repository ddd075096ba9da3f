import type { AuthError } from '../errors/classes.ts'
import { findOptionalWarnings } from '../features/options.ts'
import { platform as platformKey } from '../types/symbols.ts'
import type { AuthConfig, Platform } from '../types/config.ts'
import type { WarningCode } from '../types/logger.ts'
import { createLogger } from './create-logger.ts'
import type { Settings } from './settings.ts'

/** A secret of fewer bytes is weak (decision 26). */
const strongSecret = 32

/** Returns the warnings of a valid configuration. */
export function findWarnings(config: AuthConfig, settings: Settings): WarningCode[] {
  const { providers, secrets, jwt } = settings
  const oauth = [...providers.values()].filter((provider) => provider.kind === 'oauth')
  const bytes = new TextEncoder()
  const conditions: Partial<Record<WarningCode, boolean>> = {
    'debug-enabled': settings.debug,
    'csrf-disabled': !settings.csrf,
    'weak-secret': [...secrets, ...jwt.secrets].some(
      (secret) => typeof secret === 'string' && bytes.encode(secret).length < strongSecret,
    ),
    ...findOptionalWarnings(config),
    'checks-disabled': oauth.some((provider) => provider.checksDisabled),
    // Opening a link signs in, and sign-ins link identities to the user who is signed in.
    'unconfirmed-links':
      settings.accountLinking === 'session' &&
      [...providers.values()].some((provider) => provider.kind === 'email' && provider.confirm === 'never'),
    'dangerous-linking': oauth.some((provider) => provider.allowDangerousEmailAccountLinking),
    'insecure-requests': oauth.some((provider) => provider.allowInsecureRequests),
    'unknown-option': settings.unknownOptions.length > 0,
  }
  return Object.entries(conditions)
    .filter(([, holds]) => holds)
    .map(([code]) => code as WarningCode)
}

/** Milliseconds between two warnings. Anyone can send any cookie, so an attacker could fill the log. */
const silence = 60_000

/**
 * When each warning was last logged. Each clock has its own map, because times of different clocks cannot be compared.
 */
const warnedByClock = new WeakMap<Platform['now'], Map<string, number>>()

/** Logs a warning about a cookie at most once a minute. */
export function warnEachMinute(
  settings: Pick<Settings, 'basePath' | 'logger' | 'platform'>,
  code: WarningCode,
  cookieName: string,
  describe?: () => string,
): void {
  if (!isDue(settings, code, cookieName)) return
  if (describe) settings.logger.warn(code, describe())
  else settings.logger.warn(code)
}

/**
 * Returns true at most once a minute for a log entry about a cookie. Base path and cookie name identify it, because
 * integrations pass a copy of the configuration on each call.
 */
export function isDue(
  { basePath, platform }: Pick<Settings, 'basePath' | 'platform'>,
  entry: string,
  cookieName: string,
): boolean {
  const now = platform.now()
  const warned = warnedByClock.get(platform.now) ?? new Map<string, number>()
  warnedByClock.set(platform.now, warned)
  for (const [name, at] of warned) if (now - at >= silence) warned.delete(name)
  const name = `${entry} ${basePath} ${cookieName}`
  if (warned.has(name)) return false
  warned.set(name, now)
  return true
}

/** How many warnings are remembered. An environment or a configuration causes only a few. */
const limit = 100

/** Keyed by the clock of a test, so that each test starts afresh. */
const toldByClock = new WeakMap<object, Set<string>>()
/**
 * The key of the list of logged warnings on `globalThis`, because each bundle of a site has its own copy of the
 * library.
 */
const toldKey = Symbol.for('authmachine.told')

type Told = Pick<AuthConfig, 'debug' | 'logger' | typeof platformKey>

/**
 * Logs a warning only once. Code, details and application identify it, because integrations create a configuration, and
 * with it a logger, for each request.
 * @param application a name that all copies of a configuration share. Empty for a warning about the whole process.
 */
export function warnOnce(config: Told, code: WarningCode, details?: string, application = ''): void {
  if (!isFirst(config, `${code} ${details ?? ''} ${application}`)) return
  if (details === undefined) createLogger(config).warn(code)
  else createLogger(config).warn(code, details)
}

/** Logs an error of a configuration only once, as `warnOnce` does. */
export function reportOnce(config: Told, error: AuthError, application: string): void {
  if (!isFirst(config, `${error.type} ${error.message} ${application}`)) return
  // The frames are those of the configuration check. The message names the option to set.
  error.stack = `${error.name}: ${error.message}`
  createLogger(config).error(error)
}

function isFirst(config: Told, key: string): boolean {
  const told = findTold(config)
  if (told.has(key)) return false
  const [oldest] = told
  if (told.size >= limit && oldest !== undefined) told.delete(oldest)
  told.add(key)
  return true
}

function findTold(config: Told): Set<string> {
  const clock = config[platformKey]?.now
  if (clock === undefined) {
    const known: unknown = Reflect.get(globalThis, toldKey)
    if (known instanceof Set) return known
  }
  const told = (clock && toldByClock.get(clock)) ?? new Set()
  if (clock) toldByClock.set(clock, told)
  else Reflect.set(globalThis, toldKey, told)
  return told
}

/** The parts that distinguish configurations. Copies of one are equal, whatever order integrations create them in. */
interface Application {
  readonly basePath: string
  readonly audience: string | undefined
  /** Issuer and client id, by provider id. */
  readonly clients: ReadonlyMap<string, string>
}

/** How many applications are remembered. Each is stored under its secret and the name of its session cookie. */
const knownSites = 100
/** Keyed by clock, so that tests do not affect each other. */
const knownByClock = new WeakMap<object, Map<string, Application>>()

/**
 * Warns once about two configurations that accept each other's session tokens: they have the same secret and cookie
 * name, and no different audiences. Integrations create the configuration again for each request. Therefore, only
 * differences that copies cannot have count: a provider with the same id and another client, or another base path with
 * other providers. Two applications with the same providers look like copies, and cause no warning (record 0021).
 */
export function warnOfSharedSessions(config: AuthConfig, settings: Settings): void {
  const { session, jwt, cookies, basePath, providers, platform, fault } = settings
  const { name } = cookies.secure.sessionToken
  if (fault || session.strategy !== 'jwt') return
  const known = knownByClock.get(platform.now) ?? new Map<string, Application>()
  knownByClock.set(platform.now, known)
  const clients = new Map(
    [...providers.values()].map((provider) => [
      provider.id,
      provider.kind === 'oauth' ? `${provider.issuer} ${provider.clientId}` : provider.kind,
    ]),
  )
  const application = { basePath, audience: jwt.audience, clients }
  for (const secret of jwt.secrets) {
    const key = `${name} ${secret}`
    const other = known.get(key)
    if (other && isAnother(other, application))
      warnOnce(config, 'shared-session-secret', `The session cookie of both is ${name}`)
    if (other) continue
    if (known.size >= knownSites) known.clear()
    known.set(key, application)
  }
}

function isAnother(one: Application, other: Application): boolean {
  if (one.audience !== other.audience) return false
  const common = [...one.clients].filter(([id]) => other.clients.has(id))
  if (common.some(([id, client]) => other.clients.get(id) !== client)) return true
  const isSameList = common.length === one.clients.size && common.length === other.clients.size
  return one.basePath !== other.basePath && !isSameList
}
