import type { Provider } from '../../src/types/provider.ts'
import facts from './facts.json' with { type: 'json' }

/**
 * The configuration of the ecosystem's module of the same name. `{issuer}`, `{accountID}`, CID and SEC are placeholders
 * for options.
 */
export interface Fact {
  readonly module: string
  readonly factory: string
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn'
  readonly issuer?: string
  readonly wellKnown?: string
  readonly authorization?: FactualEndpoint
  readonly token?: FactualEndpoint
  readonly userinfo?: FactualEndpoint
  readonly checks?: readonly string[]
  readonly client?: Readonly<Record<string, string>>
  readonly idToken?: boolean
  readonly style?: { readonly brandColor?: string; readonly bg?: string }
}

export type FactualEndpoint =
  string | { readonly url?: string; readonly params?: Readonly<Record<string, unknown>> }

/** The catalogue as the ecosystem has it. */
export const catalogue = facts as readonly Fact[]

/** Providers that redirect the browser to another server. */
export const federated = catalogue.filter(({ type }) => type === 'oauth' || type === 'oidc')

/** Creates a provider from options. */
export type Factory = (options?: object) => Exclude<Provider, () => unknown>

export async function loadFactory(module: string): Promise<Factory> {
  const loaded = (await import(`../../src/providers/${module}.ts`)) as { readonly default: Factory }
  return loaded.default
}
