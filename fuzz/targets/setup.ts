import type { IdpOptions } from '../world/idp/contract.ts'
import type { ProviderName, RemoteName } from '../world/people.ts'

/** The application that a property wants, in terms of every target. */
export interface Setup {
  /** What the property is about; without it the statement holds under either, and a library is opened with 'database'. */
  readonly strategy?: 'jwt' | 'database'
  /** The providers that the property uses. @default all but `passkey`, `form` under `database`, and `mail` without a store */
  readonly providers?: readonly ProviderName[]
  /** The service whose provider this one is, as the target makes it. Needs a target that has it. */
  readonly preset?: Partial<Record<RemoteName, string>>
  /** More of a provider's configuration, in the shape of Auth.js. Needs the feature `setup`. */
  readonly provider?: Partial<Record<ProviderName, Readonly<Record<string, unknown>>>>
  /** More of an identity provider. Needs the feature `setup`. */
  readonly idp?: Partial<Record<RemoteName, Partial<IdpOptions>>>
  /** More of the configuration; `callbacks`, `events`, `session` and `pages` are merged member by member. Needs `setup`. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Environment variables that the target sees. Needs `setup`. */
  readonly env?: Readonly<Record<string, string>>
}

/** Does it ask for more than any application of the world has? */
export function isSpecial({ provider, idp, config, env, preset }: Setup): boolean {
  return [provider, idp, config, env, preset].some((part) => part !== undefined)
}

/** The providers of the application; links by mail need a store. */
export function providersOf({ providers, strategy, config }: Setup): readonly ProviderName[] {
  if (providers) return providers
  if (strategy !== 'jwt') return ['alpha', 'beta', 'plain', 'mail']
  return config?.adapter === true
    ? ['alpha', 'beta', 'plain', 'mail', 'form']
    : ['alpha', 'beta', 'plain', 'form']
}
