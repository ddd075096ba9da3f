import { decodeJwt } from 'jose/jwt/decode'
import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import type { TokenSet } from '../types/records.ts'
import { describeClient, selectClientAuth } from './client.ts'
import type { OAuthContext } from './context.ts'
import { unknownIssuer } from './discover-server.ts'
import { conformTokens, errorOf, withExpiry } from './exchange-code.ts'
import { failFrom, readProviderError, tellProviderError } from './provider-error.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { expectIssuer, checkClaims, verifySignature, withoutEmptyClaims } from './id-token.ts'
import { tidyTokens } from './optional-members.ts'
import { outboundFetch, readJson } from './outbound-fetch.ts'

/** The stored tokens of the grant to refresh. */
export interface HeldGrant {
  readonly refreshToken: string
  /** The id_token of the sign-in. A new one must have the same issuer and subject. */
  readonly idToken?: string
}

/**
 * The result of a refresh. `refused` is permanent: the token is used, expired or revoked. `postponed` may be temporary.
 * `ignored` says why an invalid id_token was dropped. It does not fail the refresh, because it is optional, and a
 * rotated refresh token must not be lost.
 */
export type Refreshed =
  | { readonly tokens: TokenSet; readonly ignored?: Failed }
  | { readonly refused: Failed }
  | { readonly postponed: Failed }

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
    const body = response.status === 200 ? tidyTokens(await readJson(response)) : {}
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

/** Validates the tokens, and then the id_token beside them. */
async function judge(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  response: Response,
  { id_token: came, ...body }: Record<string, unknown>,
  { idToken: held }: HeldGrant,
  context: OAuthContext,
): Promise<Refreshed> {
  const client = describeClient(provider, context)
  const answer = response.status === 200 ? Response.json(body) : response
  const judged = await oauth.processRefreshTokenResponse(server, client, answer)
  const tokens = withExpiry(judged, context)
  // A new id_token is used only if it can be compared with the one from the sign-in.
  if (typeof came !== 'string' || !held || server.issuer === unknownIssuer) return { tokens }
  if (isForeign(came, held, provider.clientId)) {
    const what = `Provider "${provider.id}": the id_token of the refresh is for another user or client`
    return { postponed: fail('claims.invalid', what) }
  }
  const ignored = await checkIdToken(
    provider,
    server,
    { came, held, accessToken: tokens.access_token },
    context,
  )
  return ignored ? { tokens, ignored } : { tokens: { ...tokens, id_token: came } }
}

/**
 * Verifies the id_token of a refresh as that of a sign-in, with the nonce of the sign-in if it has one (OpenID Connect
 * Core 12.2).
 */
async function checkIdToken(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  {
    came,
    held,
    accessToken = '',
  }: { readonly came: string; readonly held: string; readonly accessToken?: string },
  context: OAuthContext,
): Promise<Failed | undefined> {
  const what = `Provider "${provider.id}": the id_token of the refresh is not stored`
  try {
    const expected = { ...server, issuer: expectIssuer(provider, server, came) }
    const body = { access_token: accessToken, token_type: 'bearer', id_token: withoutEmptyClaims(came) }
    const client = describeClient(provider, context)
    const judged = await oauth.processRefreshTokenResponse(expected, client, Response.json(body))
    const claims = oauth.getValidatedIdTokenClaims(judged)
    if (!claims) return fail('claims.invalid', what)
    if (claims.nonce !== undefined && claims.nonce !== decodeJwt(held).nonce)
      return fail('claims.invalid', `${what}: expected the nonce of the sign-in, got another one`)
    const declared = provider.client.id_token_signed_response_alg
    const failed =
      (await checkClaims(provider, claims, { idToken: came, accessToken }, context)) ??
      (await verifySignature(came, declared, provider, server, context))
    return (
      failed &&
      fail(failed.failed.reason, `${what}: ${failed.failed.error.message}`, failed.failed.error.cause)
    )
  } catch (error) {
    return failFrom(error, 'claims.invalid', what)
  }
}

/**
 * Returns whether an id_token, which is not validated yet, names another user or client than that of the sign-in. A
 * malformed id_token names nobody.
 */
function isForeign(came: string, held: string, clientId: string): boolean {
  try {
    const [one, other] = [decodeJwt(came), decodeJwt(held)]
    return one.sub !== other.sub || one.iss !== other.iss || ![one.aud].flat().includes(clientId)
  } catch {
    return false
  }
}
