import { reportAtStart } from '../config/derive-settings.ts'
import { readEnvironment } from '../config/environment.ts'
import { setEnvDefaults } from '../config/set-env-defaults.ts'
import { optionalMethods } from '../features/options.ts'
import type { OptionalMethods } from '../features/types.ts'
import { createResponder } from '../handler/create-handler.ts'
import type { OwnAuth } from '../handler/direct-auth.ts'
import { createTokenReader } from '../handler/get-access-token.ts'
import { serveSessionParts, serveSessions } from '../handler/serve-sessions.ts'
import type { ResponseParts } from '../http/parts.ts'
import { toResponse } from '../http/respond.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import { once } from '../async/once.ts'
import { configListener, readElsewhere } from '../types/symbols.ts'
import type { Adapter } from '../types/adapter.ts'
import type { AuthConfig, AuthOptions } from '../types/config.ts'
import type { Feature, FeatureMethods } from '../types/feature.ts'
import type { AuthTypes, OAuthProviderIds, ProviderIds, ShownSession } from '../types/inference.ts'
import type { AuthBase, AuthFor, AuthInstance } from '../types/instance.ts'
import type { ReturnedClaims, NoOwnClaims } from '../types/inferred-callbacks.ts'
import type { JWT } from '../types/jwt.ts'
import type { Provider } from '../types/provider.ts'
import type { DefaultSession, Session } from '../types/records.ts'

const answer = createResponder((parts) => parts)
const readToken = createTokenReader()
/** Loads the management of sessions when it is first used. */
const loadManagement = once(() => import('../handler/manage-sessions.ts'))

/**
 * Creates handlers for a configuration. Environment variables fill in missing options; see `setEnvDefaults`.
 *
 * Infers the types of the instance from the configuration: the session from `callbacks.session`, the claims from
 * `callbacks.jwt`, the ids of the providers, and whether `getAccessToken` exists. A variable of type `AuthConfig` gives
 * the general types.
 *
 * Does not throw. Logs a faulty configuration once at the start. Each request then fails with one of these errors:
 *
 * - `InvalidConfig`: an option has an invalid value, or a callback is misspelt or never called.
 * - `MissingSecret`: there is neither `secret` nor `AUTH_SECRET`.
 * - `UntrustedHost`: the host of requests is not trusted, and `AUTH_URL` is not set.
 * - `DuplicateProvider`, `InvalidEndpoints`, `MissingAuthorize`: a provider is invalid.
 * - `MissingClientId`: no provider is complete. With several providers, the incomplete ones are logged and left out.
 * - `MissingAdapter`, `MissingAdapterMethods`, `UnsupportedStrategy`: the adapter does not fit the providers or the
 *   session strategy.
 * - `ExperimentalFeatureNotEnabled`, `DuplicateConditionalUI`, `MissingWebAuthnAutocomplete`: a WebAuthn provider.
 *
 * @param config is read on the first request, and never modified
 * @returns the handlers, and functions that read and manage sessions and access tokens
 * @example
 * export const { handler, getSession } = createAuth({ providers: [GitHub] })
 */
export function createAuth<
  const Providers extends readonly Provider[],
  Store extends Adapter | undefined = undefined,
  Claims extends JWT = NoOwnClaims,
  Returned extends DefaultSession = Session,
>(
  config: AuthOptions<Providers, Store, Returned, Claims>,
): AuthFor<
  {
    readonly session: ShownSession<Returned>
    readonly claims: ReturnedClaims<Claims>
    readonly provider: ProviderIds<Providers[number]>
    readonly oauthProvider: OAuthProviderIds<Providers[number]>
  },
  Store
>
export function createAuth(config: Omit<AuthConfig, 'raw'>): AuthInstance {
  const complete: AuthConfig = { ...config, [readElsewhere]: [] }
  setEnvDefaults(readEnvironment(), complete)
  reportAtStart(complete)
  const { [configListener]: tell } = globalThis as { [configListener]?: (config: AuthConfig) => void }
  tell?.(config)
  return serveConfig(complete, config)
}

const givenTo = new WeakMap<object, AuthConfig>()

/** Returns the configuration of an instance or of its handler, or undefined for anything else. */
export function configOf(made: object): AuthConfig | undefined {
  return givenTo.get(made)
}

const directs = new WeakMap<object, OwnAuth>()

/** Returns the direct functions of an instance, and undefined for any other object, such as a wrapper around one. */
export function directOf<T extends AuthTypes>(auth: AuthBase<T>): OwnAuth<T> | undefined {
  // They were stored with this instance, so they have its types.
  return directs.get(auth) as OwnAuth<T> | undefined
}

/**
 * Creates handlers for a configuration without completing it.
 * @param given the configuration before it was completed
 */
export function serveConfig(complete: AuthConfig, given = complete): AuthInstance {
  const direct: OwnAuth = {
    answer: (request) => answer(request, complete) as MaybePromise<ResponseParts>,
    ...serveSessionParts(complete),
  }
  const handler = async (request: Request) => toResponse(await direct.answer(request))
  const instance: AuthInstance = {
    handler,
    GET: handler,
    POST: handler,
    ...serveSessions(complete, direct),
    getAccessToken: (account) => readToken(complete, account),
    listSessions: async (...args) => (await loadManagement()).listSessions(complete, ...args),
    revokeSession: async (...args) => (await loadManagement()).revokeSession(complete, ...args),
    revokeSessions: async (...args) => (await loadManagement()).revokeSessions(complete, ...args),
    ...bindOptional(complete),
    deleteUser: async (...args) => (await loadManagement()).deleteUser(complete, ...args),
    feature: (feature) => bindMethods(feature, complete),
  }
  directs.set(instance, direct)
  for (const made of [instance, handler]) givenTo.set(made, given)
  return instance
}

/** Binds the methods of optional features to a configuration. */
function bindOptional(config: AuthConfig): OptionalMethods {
  const bound = optionalMethods.map((name) => [
    name,
    async (userId: string) => (await loadManagement()).callOptional(config, name, userId),
  ])
  return Object.fromEntries(bound) as OptionalMethods
}

const loadMethods = once(() => import('../handler/call-method.ts'))

/** Binds the methods of a feature to a configuration, which is read when the first one is called. */
function bindMethods<Methods extends object>(
  feature: Feature<Methods>,
  config: AuthConfig,
): FeatureMethods<Methods> {
  const call = async (name: string, args: readonly unknown[]) =>
    (await loadMethods()).callMethod(config, feature, name, args)
  const bound = Object.keys(feature.methods ?? {}).map((name) => [
    name,
    (...args: readonly unknown[]) => call(name, args),
  ])
  return Object.fromEntries(bound) as FeatureMethods<Methods>
}
