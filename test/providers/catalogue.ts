import type { Provider } from '../../src/types/provider.ts'
import facts from './facts.json' with { type: 'json' }

/** What the ecosystem's module of the same name configures; `{issuer}`, `{accountID}`, CID and SEC stand for options. */
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

/** The catalogue as the ecosystem knows it. */
export const catalogue = facts as readonly Fact[]

/** Those that send the browser to another server. */
export const federated = catalogue.filter(({ type }) => type === 'oauth' || type === 'oidc')

/** Makes a provider of options. */
export type Factory = (options?: object) => Exclude<Provider, () => unknown>

export async function loadFactory(module: string): Promise<Factory> {
  const loaded = (await import(`../../src/providers/${module}.ts`)) as { readonly default: Factory }
  return loaded.default
}
