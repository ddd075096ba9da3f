import { decodeJwt } from 'jose/jwt/decode'
import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import type { TokenSet } from '../types/records.ts'
import { selectClientAuth } from './client-authentication.ts'
import { describeClient } from './client.ts'
import type { OAuthContext } from './context.ts'
import { unknownIssuer } from './discover-server.ts'
import { errorOf, withExpiry, withLifetime } from './exchange-code.ts'
import { failFrom } from './explain.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { expectIssuer } from './judge-claims.ts'
import { outboundFetch } from './outbound-fetch.ts'
import { readProviderError, tellProviderError } from './provider-error.ts'
import { readJson } from './read-json.ts'

/** What is held of the grant that is refreshed. */
export interface HeldGrant {
  readonly refreshToken: string
  /** That of the sign-in; one that comes now has to be of the same issuer and subject. */
  readonly idToken?: string
}

/**
 * What came of a refresh. `refused` is for good: the token is used up, expired or taken back; `postponed` may pass.
 */
export type Refreshed =
  { readonly tokens: TokenSet } | { readonly refused: Failed } | { readonly postponed: Failed }

/** Codes that say that the refresh token is worth nothing any more (RFC 6749 5.2, and GitHub's own word for it). */
const forGood: readonly unknown[] = ['invalid_grant', 'bad_refresh_token']

/** Sends the refresh token, and judges what comes for it (RFC 6749 6, OpenID Connect Core 12.2). */
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
    const response = (await provider.token.conform?.(sent.clone())) ?? sent
    const body = response.status === 200 ? await readJson(response) : {}
    const problem = errorOf(body) ?? (response.ok ? undefined : await readProviderError(response))
    if (problem) {
      const told = tellProviderError(problem, [held.refreshToken, held.idToken, provider.clientSecret])
      const failed = fail('code-refused', `${what} was answered ${response.status} with ${told}`)
      return forGood.includes(problem.error) ? { refused: failed } : { postponed: failed }
    }
    return await judge(provider, server, response.status === 200 ? body : response, held, context)
  } catch (error) {
    return { postponed: failFrom(error, 'code-refused', `${what} failed`) }
  }
}

/** An id_token counts only beside the one of the sign-in, which it is held against. */
async function judge(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  answer: Response | Record<string, unknown>,
  { idToken }: HeldGrant,
  context: OAuthContext,
): Promise<Refreshed> {
  const body = answer instanceof Response ? undefined : { ...answer }
  if (body && (!idToken || server.issuer === unknownIssuer)) delete body.id_token
  const came = typeof body?.id_token === 'string' ? body.id_token : undefined
  const tokens = await oauth.processRefreshTokenResponse(
    came === undefined ? server : { ...server, issuer: expectIssuer(provider, server, came) },
    describeClient(provider, context),
    answer instanceof Response ? answer : Response.json(withLifetime(body ?? {})),
  )
  if (came !== undefined && idToken && !isSameSubject(came, idToken))
    return {
      postponed: fail('claims-invalid', `Provider "${provider.id}": the id_token of a refresh is another's`),
    }
  return { tokens: withExpiry(tokens, context) }
}

function isSameSubject(a: string, b: string): boolean {
  const [one, other] = [decodeJwt(a), decodeJwt(b)]
  return one.sub !== undefined && one.sub === other.sub && one.iss === other.iss
}
