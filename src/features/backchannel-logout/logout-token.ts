import { decodeProtectedHeader } from 'jose/decode/protected_header'
import type { JWTPayload } from 'jose'
import { decodeJwt } from 'jose/jwt/decode'
import type { AuthorizationServer } from 'oauth4webapi'
import type { OAuthSettings } from '../../config/settings.ts'
import { clockTolerance, seconds } from '../../oauth/client.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { fail, type Failed, show } from '../../oauth/failure.ts'
import { expectIssuer, limitJwt, verifySignature } from '../../oauth/id-token.ts'
import { dropEmpty } from '../../oauth/optional-members.ts'
import { failFrom } from '../../oauth/provider-error.ts'

/** The sessions that a provider ended: one of its sessions, or all sessions of a user. */
export interface ProviderLogout {
  /** Whole seconds since 1970, by the clock of the provider. */
  readonly issuedAt: number
  readonly sub?: string
  readonly sid?: string
}

/** The member of `events` that makes a token a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Finds the provider that a logout token names: the issuer and the client among its audience. The token is not trusted
 * yet: `checkLogoutToken` compares the issuer again, and verifies the signature.
 */
export function findIssuer(
  providers: readonly OAuthSettings[],
  token: string,
): { readonly provider: OAuthSettings } | Failed {
  try {
    limitJwt(token)
    const { iss, aud } = decodeJwt(token)
    const audience = new Set<unknown>([aud].flat())
    const named = providers.filter(({ clientId }) => audience.has(clientId))
    // For the other providers, only the metadata or the token of a tenant names the issuer. `checkLogoutToken` compares
    // it.
    const provider =
      named.find(({ issuer }) => issuer === iss) ??
      named.find(({ issuer, preset }) => !issuer || preset.issuerTemplate !== undefined)
    if (provider) return { provider }
    const ids = providers.map(({ id }) => id).join(', ')
    return fail('claims.invalid', `Logout token: expected the issuer and the audience of ${ids}`)
  } catch (error) {
    return failFrom(error, 'claims.invalid', 'Logout token: expected a signed JWT')
  }
}

/** Verifies a logout token (section 2.6): the signature, as for an id_token, and then the claims. */
export async function checkLogoutToken(
  provider: OAuthSettings,
  server: AuthorizationServer,
  token: string,
  context: OAuthContext,
): Promise<{ readonly logout: ProviderLogout } | Failed> {
  const declared = provider.client.id_token_signed_response_alg
  const unsigned = await verifySignature(token, declared, provider, server, context)
  if (unsigned) return unsigned
  const claims: JWTPayload = dropEmpty(decodeJwt(token))
  const now = seconds(context.platform.now())
  const { alg = '', typ = 'logout+jwt' } = decodeProtectedHeader(token)
  // Without a registration and metadata, the keys alone decide.
  const allowed = declared === undefined ? server.id_token_signing_alg_values_supported : [declared]
  const { iss, aud, iat, exp, jti, sub, sid, events } = claims
  const issuer = expectIssuer(provider, server, token)
  const rules: readonly (readonly [isKept: boolean, expected: string, came?: unknown])[] = [
    [allowed?.includes(alg) ?? true, `alg to be ${allowed?.join(' or ')}`, alg],
    // The type is only recommended (section 2.4): without it, the event and the missing nonce show that it is not an id_token.
    [/^((application\/)?logout\+)?jwt$/i.test(typ), 'typ to be "logout+jwt" or "JWT"', typ],
    [iss === issuer, `iss to be ${show(issuer)}`, iss],
    [[aud].flat().includes(provider.clientId), `aud to contain ${show(provider.clientId)}`, aud],
    [isNumber(iat) && iat <= now + clockTolerance, `iat to be at most ${now + clockTolerance}`, iat],
    [isNumber(exp) && exp > now - clockTolerance, `exp to be more than ${now - clockTolerance}`, exp],
    [isText(jti), 'jti to be text'],
    [
      isObject(events) && isObject(Reflect.get(events, logoutEvent)),
      'events to have the logout event',
      events,
    ],
    // Only an id_token has a nonce (section 2.4).
    [claims.nonce === undefined, 'no nonce'],
    [sub === undefined || isText(sub), 'sub to be text'],
    [sid === undefined || isText(sid), 'sid to be text'],
    [sub !== undefined || sid !== undefined, 'sub or sid'],
  ]
  const broken = rules.find(([isKept]) => !isKept)
  if (broken) {
    const [, expected, came] = broken
    return fail(
      'claims.invalid',
      `Logout token: expected ${expected}${came === undefined ? '' : `, got ${show(came)}`}`,
    )
  }
  const logout = {
    issuedAt: Math.floor(Number(iat)),
    ...(sub !== undefined && { sub }),
    ...(isText(sid) && { sid }),
  }
  return { logout }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 255
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
