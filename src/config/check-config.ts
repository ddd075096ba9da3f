import {
  type AuthError,
  InvalidConfig,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  UnsupportedStrategy,
  UntrustedHost,
} from '../errors.ts'
import type { Adapter } from '../types/adapter.ts'
import type { AuthConfig, WarningCode } from '../types/config.ts'
import { checkNames } from './check-names.ts'
import { checkShape } from './check-shape.ts'
import { checkWebAuthn } from './check-webauthn.ts'
import type { ProviderSettings, Settings } from './settings.ts'

/** A hundred years, in seconds (decision 24). */
const longest = 100 * 365.25 * 86_400
/** Bytes below which a secret is weak (decision 26). */
const strongSecret = 32

/** The first thing that is wrong with a configuration; undefined when nothing is. */
export function checkConfig(config: AuthConfig, settings: Settings): AuthError | undefined {
  return (
    checkShape(config) ??
    checkNames(config) ??
    checkTrust(settings) ??
    checkSecrets(settings) ??
    checkAges(config) ??
    checkCredentials(settings) ??
    checkWebAuthn(config, settings) ??
    checkAdapter(settings)
  )
}

function checkTrust({ trustHost }: Settings): AuthError | undefined {
  if (trustHost) return undefined
  return new UntrustedHost(
    'Host must be trusted: set trustHost where the platform sets the host header safely',
  )
}

function checkSecrets({ secrets, jwt }: Settings): AuthError | undefined {
  for (const list of [secrets, jwt.secrets])
    if (list.length === 0 || list.some((secret) => typeof secret !== 'string' || secret.trim() === ''))
      return new MissingSecret('Please define a `secret`; it may not be empty or blank')
  return undefined
}

function checkAges({ session, jwt }: AuthConfig): AuthError | undefined {
  const maxAges = { 'session.maxAge': session?.maxAge, 'jwt.maxAge': jwt?.maxAge }
  for (const [name, age] of Object.entries(maxAges))
    if (age !== undefined && !(Number.isFinite(age) && age > 0 && age <= longest))
      return new InvalidConfig(`${name} is a positive number of seconds, of at most 100 years`)
  const updateAge = session?.updateAge
  if (updateAge !== undefined && !(Number.isFinite(updateAge) && updateAge >= 0))
    return new InvalidConfig('session.updateAge is a number of seconds, 0 or more')
  return undefined
}

function checkCredentials({ providers, session, store }: Settings): AuthError | undefined {
  for (const provider of providers.values()) {
    if (provider.kind !== 'credentials') continue
    if (typeof provider.config.authorize !== 'function')
      return new MissingAuthorize(
        'Must define an authorize() handler to use credentials authentication provider',
      )
    if (session.strategy === 'database' && !store)
      return new UnsupportedStrategy('Signing in with credentials needs the jwt strategy, or an adapter')
  }
  return undefined
}

const needs = {
  database: ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
  jwt: ['getUser'],
  oauth: ['createUser', 'getUserByEmail', 'getUserByAccount', 'linkAccount'],
  email: ['createUser', 'getUserByEmail', 'updateUser', 'createVerificationToken', 'useVerificationToken'],
  credentials: ['getUser'],
  webauthn: [
    'createUser',
    'getUser',
    'getUserByEmail',
    'getUserByAccount',
    'linkAccount',
    'getAccount',
    'getAuthenticator',
    'createAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
  ],
} as const satisfies Record<string, readonly (keyof Adapter)[]>

/** Every operation that the configured flows will always need has to be there (decision 33). */
function checkAdapter({ providers, session, store }: Settings): AuthError | undefined {
  const stored = hasKind(providers, 'email')
    ? 'e-mail'
    : hasKind(providers, 'webauthn')
      ? 'WebAuthn'
      : undefined
  if (!store && stored) return new MissingAdapter(`Signing in by ${stored} needs an adapter`)
  if (!store && session.strategy === 'database')
    return new MissingAdapter('Sessions of strategy "database" need an adapter')
  if (!store) return undefined
  const kinds = new Set([...providers.values()].map((provider) => provider.kind))
  const strategy = kinds.has('oauth') || kinds.has('webauthn') || session.strategy === 'database'
  const required = new Set<keyof Adapter>([
    ...(strategy ? needs[session.strategy] : []),
    ...[...kinds].flatMap((kind) =>
      kind === 'credentials' && session.strategy === 'jwt' ? [] : needs[kind],
    ),
  ])
  const missing = [...required].filter((operation) => !store.has(operation))
  if (missing.length === 0) return undefined
  return new MissingAdapterMethods(`Required adapter methods were missing: ${missing.join(', ')}`)
}

function hasKind(providers: Settings['providers'], kind: ProviderSettings['kind']): boolean {
  return [...providers.values()].some((provider) => provider.kind === kind)
}

/** What is allowed but worth saying, once per configuration. */
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
    'experimental-webauthn': config.experimental?.enableWebAuthn === true,
    'checks-disabled': oauth.some((provider) => provider.checksDisabled),
    // Whoever opens a link is signed in, and identities are linked to whoever is signed in.
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
