import {
  type AuthError,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  UnsupportedStrategy,
  UntrustedHost,
} from '../errors/classes.ts'
import type { Adapter } from '../types/adapter.ts'
import type { AuthConfig } from '../types/config.ts'
import { findFault } from '../types/symbols.ts'
import { checkProviders, optionalNames, optionalNeeds } from '../features/options.ts'
import { checkNames } from './check-names.ts'
import { checkNeeds, checkShape } from './check-options.ts'
import type { ProviderSettings, Settings } from './settings.ts'

/** Returns the first fault of a configuration, or undefined. */
export function checkConfig(config: AuthConfig, settings: Settings): AuthError | undefined {
  return (
    checkShape(config) ??
    checkNames(config) ??
    checkTrust(settings) ??
    checkSecrets(settings) ??
    checkCredentials(settings) ??
    checkClients(settings) ??
    checkNeeds(config, settings) ??
    checkFeatures(settings) ??
    checkProviders(config, settings) ??
    checkAdapter(settings)
  )
}

/** Each feature brings its own check, so that sites without features do not load it. */
function checkFeatures({ features, providers, leftOut, store }: Settings): AuthError | undefined {
  // A provider that lacks its client id on this machine is not a fault of the features that name it.
  const known = { has: (id: string) => providers.has(id) || leftOut.has(id) }
  for (const feature of features) {
    const fault = feature[findFault]({ features, providers: known, store })
    if (fault) return fault
  }
  return undefined
}

function checkTrust({ trustHost }: Settings): AuthError | undefined {
  if (trustHost) return undefined
  return new UntrustedHost(
    'The host of requests is not trusted. Set `AUTH_URL` to the URL of the site, or set `trustHost` if your platform sets the Host header safely',
  )
}

function checkSecrets({ secrets, jwt }: Settings): AuthError | undefined {
  for (const list of [secrets, jwt.secrets])
    if (list.length === 0 || list.some((secret) => typeof secret !== 'string' || secret.trim() === ''))
      return new MissingSecret(
        'Set `secret`, or the environment variable `AUTH_SECRET`, to a random value. It must not be empty or blank',
      )
  return undefined
}

function checkCredentials({ providers, session, store }: Settings): AuthError | undefined {
  for (const provider of providers.values()) {
    if (provider.kind !== 'credentials') continue
    if (typeof provider.config.authorize !== 'function')
      return new MissingAuthorize(
        `Provider "${provider.id}" has no \`authorize\` function. Add one that returns the user, or null to refuse the sign-in`,
      )
    if (session.strategy === 'database' && !store)
      return new UnsupportedStrategy('Credentials providers need the session strategy "jwt", or an adapter')
  }
  return undefined
}

/** A site works without the providers that are left out, but not without any provider. */
function checkClients({ providers, leftOut }: Settings): AuthError | undefined {
  return providers.size === 0 ? [...leftOut.values()][0]?.error : undefined
}

const needs = {
  database: ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
  jwt: ['getUser'],
  oauth: ['createUser', 'getUserByEmail', 'getUserByAccount', 'linkAccount'],
  email: ['createUser', 'getUserByEmail', 'updateUser', 'createVerificationToken', 'useVerificationToken'],
  credentials: ['getUser'],
  password: [
    'createUser',
    'getUser',
    'getUserByEmail',
    'updateUser',
    'createVerificationToken',
    'useVerificationToken',
    'getPassword',
    'setPassword',
    'deletePassword',
  ],
  ...optionalNeeds,
} as const satisfies Record<string, readonly (keyof Adapter)[]>

const names = { email: 'e-mail', password: 'password', ...optionalNames } as const

/** Checks that the adapter has every operation that the configured flows need (decision 33). */
function checkAdapter({ providers, session, store }: Settings): AuthError | undefined {
  const stored = (Object.keys(names) as (keyof typeof names)[]).find((kind) => hasKind(providers, kind))
  if (!store && stored)
    return new MissingAdapter(`Sign-in by ${names[stored]} needs an adapter. Set \`adapter\``)
  if (!store && session.strategy === 'database')
    return new MissingAdapter('The session strategy "database" needs an adapter. Set `adapter`')
  if (!store) return undefined
  // A feature stores accounts, as OAuth providers do.
  const kinds = new Set([...providers.values()].map(({ kind }) => (kind === 'feature' ? 'oauth' : kind)))
  const strategy = session.strategy === 'database' || [...kinds].some(linksAccounts)
  const required = new Set<keyof Adapter>([
    ...(strategy ? needs[session.strategy] : []),
    ...[...kinds].flatMap((kind) =>
      kind === 'credentials' && session.strategy === 'jwt' ? [] : needs[kind],
    ),
    // A new password ends the other sessions.
    ...(kinds.has('password') && session.strategy === 'database' ? (['listSessionsByUserId'] as const) : []),
  ])
  const missing = [...required].filter((operation) => !store.has(operation))
  if (missing.length === 0) return undefined
  return new MissingAdapterMethods(`The adapter lacks required methods: ${missing.join(', ')}`)
}

function linksAccounts(kind: Exclude<ProviderSettings['kind'], 'feature'>): boolean {
  const operations: readonly (keyof Adapter)[] = needs[kind]
  return operations.includes('linkAccount')
}

function hasKind(providers: Settings['providers'], kind: ProviderSettings['kind']): boolean {
  return [...providers.values()].some((provider) => provider.kind === kind)
}
