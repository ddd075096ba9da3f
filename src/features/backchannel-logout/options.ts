import type { OAuthSettings, Settings } from '../../config/settings.ts'
import { type AuthError, InvalidConfig, MissingAdapterMethods } from '../../errors/classes.ts'
import type { OAuthConfig } from '../../types/provider.ts'

/** The option of a provider that turns the feature on. */
export const logoutOption = 'backChannelLogout'

/** Returns whether a provider may end the sessions of its sign-ins. */
export function endsSessions(config: OAuthConfig): boolean {
  return Reflect.get(config, logoutOption) === true
}

/** Returns the first fault in the configuration of `backChannelLogout`, or undefined. */
export function checkLogouts({ providers, session, jwt, store }: Settings): AuthError | undefined {
  const seen = new Map<string, string>()
  for (const provider of providers.values()) {
    if (provider.kind !== 'oauth' || !provider.endsSessions) continue
    const what = `\`backChannelLogout\` of provider "${provider.id}"`
    const issuer = issuerOf(provider)
    if (provider.type !== 'oidc' || !issuer)
      return new InvalidConfig(`${what} needs an OpenID Connect provider with an \`issuer\``)
    // A logout token names only the issuer and the client.
    const key = JSON.stringify([provider.clientId, issuer])
    const twin = seen.get(key)
    if (twin !== undefined)
      return new InvalidConfig(`${what} needs another client id than that of provider "${twin}"`)
    seen.set(key, provider.id)
    if (session.strategy === 'jwt' && !jwt.revocations)
      return new InvalidConfig(`${what} needs \`jwt.revocations\`, which ends JWT sessions`)
    if (session.strategy === 'database' && store && !store.has('listSessionsByUserId'))
      return new MissingAdapterMethods(`${what} needs an adapter with \`listSessionsByUserId\``)
  }
  return undefined
}

/** The discovery document of an issuer is below its URL (OpenID Connect Discovery 4). */
function issuerOf({ issuer, wellKnown }: Pick<OAuthSettings, 'issuer' | 'wellKnown'>): string | undefined {
  return issuer || wellKnown?.replace(/\/\.well-known\/openid-configuration$/, '')
}
