import type { Store, WebAuthnSettings } from '../config/settings.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import type { RelayingParty, WebAuthnContext } from '../types/provider.ts'

/** What a hook of the provider is told. */
export function contextFor({ config }: WebAuthnSettings, visit: Visit, store: Store): WebAuthnContext {
  return { provider: config, adapter: store, url: new URL(visit.request.url) }
}

/** For whom ceremonies are: what the provider says, else the site itself, under its canonical origin. */
export async function findRelyingParty(
  provider: WebAuthnSettings,
  visit: Visit,
  store: Store,
): Promise<RelayingParty> {
  const { getRelayingParty, relayingParty = {} } = provider.config
  if (getRelayingParty) return getRelayingParty(contextFor(provider, visit, store), rebuildRequest(visit))
  const { hostname, host } = new URL(visit.origin)
  return {
    id: firstOf(relayingParty.id) ?? hostname,
    name: firstOf(relayingParty.name) ?? host,
    origin: firstOf(relayingParty.origin) ?? visit.origin,
  }
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
