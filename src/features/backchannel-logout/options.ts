import type { Settings } from '../../config/settings.ts'
import { type AuthError, InvalidConfig, MissingAdapterMethods } from '../../errors/classes.ts'

/** Checks that a site with `backChannelLogout` can end sessions. */
export function checkLogouts({ providers, session, jwt, store }: Settings): AuthError | undefined {
  const seen = new Map<string, string>()
  for (const provider of providers.values()) {
    if (provider.kind !== 'oauth' || !provider.endsSessions) continue
    const what = `\`backChannelLogout\` of provider "${provider.id}"`
    // A logout token names only the issuer and the client.
    const key = JSON.stringify([provider.clientId, provider.issuer])
    const twin = seen.get(key)
    if (twin !== undefined)
      return new InvalidConfig(`${what} needs another client id than that of provider "${twin}"`)
    seen.set(key, provider.id)
    if (provider.type !== 'oidc' || !(provider.issuer || provider.wellKnown))
      return new InvalidConfig(`${what} needs an OpenID Connect provider with an \`issuer\``)
    if (session.strategy === 'jwt' && !jwt.revocations)
      return new InvalidConfig(`${what} needs \`jwt.revocations\`, which ends JWT sessions`)
    if (session.strategy === 'database' && store && !store.has('listSessionsByUserId'))
      return new MissingAdapterMethods(`${what} needs an adapter with \`listSessionsByUserId\``)
  }
  return undefined
}
