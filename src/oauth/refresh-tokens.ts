import { decodeJwt } from 'jose/jwt/decode'
import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import type { TokenSet } from '../types/records.ts'
import { describeClient, selectClientAuth } from './client.ts'
import type { OAuthContext } from './context.ts'
import { unknownIssuer } from './discover-server.ts'
import { conformTokens, errorOf, withExpiry, withLifetime } from './exchange-code.ts'
import { failFrom, readProviderError, tellProviderError } from './provider-error.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { expectIssuer } from './id-token.ts'
import { outboundFetch, readJson } from './outbound-fetch.ts'

/** The stored tokens of the grant to refresh. */
export interface HeldGrant {
  readonly refreshToken: string
  /** The id_token of the sign-in. A new one must have the same issuer and subject. */
  readonly idToken?: string
}

/**
 * The result of a refresh. `refused` is permanent: the token is used, expired or revoked. `postponed` may be temporary.
 */
export type Refreshed =
  { readonly tokens: TokenSet } | { readonly refused: Failed } | { readonly postponed: Failed }

/** Codes that mean that the refresh token is no longer valid (RFC 6749 5.2, and GitHub's own code). */
const forGood: readonly unknown[] = ['invalid_grant', 'bad_refresh_token']

/** Sends the refresh token, and validates the response (RFC 6749 6, OpenID Connect Core 12.2). */
export async function refreshTokens(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  held: HeldGrant,
  context: OAuthContext,
): Promise<Refreshed> {
  const what = `Provider "${provider.id}": the refresh`
  const selected = selectClientAuth(provider, server)
  if (hasFailed(selected)) return { postponed: selected }
  try {
    const sent = await oauth.refreshTokenGrantRequest(
      server,
      describeClient(provider, context),
      selected.auth,
      held.refreshToken,
      { [oauth.customFetch]: outboundFetch(provider, context), [oauth.allowInsecureRequests]: true },
    )
    const response = await conformTokens(provider, sent)
    const body = response.status === 200 ? await readJson(response) : {}
    const problem = errorOf(body) ?? (response.ok ? undefined : await readProviderError(response))
    if (problem) {
      const told = tellProviderError(problem, [held.refreshToken, held.idToken, provider.clientSecret])
      const failed = fail('code.refused', `${what} failed with ${response.status} with ${told}`)
      return forGood.includes(problem.error) ? { refused: failed } : { postponed: failed }
    }
    return await judge(provider, server, response, body, held, context)
  } catch (error) {
    return { postponed: failFrom(error, 'code.refused', `${what} failed`) }
  }
}

/** An id_token is used only if there is one from the sign-in to compare it with. */
async function judge(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  response: Response,
  { ...body }: Record<string, unknown>,
  { idToken }: HeldGrant,
  context: OAuthContext,
): Promise<Refreshed> {
  if (!idToken || server.issuer === unknownIssuer) delete body.id_token
  const came = typeof body.id_token === 'string' ? body.id_token : undefined
  const tokens = await oauth.processRefreshTokenResponse(
    came === undefined ? server : { ...server, issuer: expectIssuer(provider, server, came) },
    describeClient(provider, context),
    response.status === 200 ? Response.json(withLifetime(body)) : response,
  )
  if (came !== undefined && idToken && !isSameSubject(came, idToken))
    return {
      postponed: fail(
        'claims.invalid',
        `Provider "${provider.id}": the id_token of the refresh belongs to another user`,
      ),
    }
  return { tokens: withExpiry(tokens, context) }
}

function isSameSubject(a: string, b: string): boolean {
  const [one, other] = [decodeJwt(a), decodeJwt(b)]
  return one.sub !== undefined && one.sub === other.sub && one.iss === other.iss
}
