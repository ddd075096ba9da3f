import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { isResponse } from '../http/parts.ts'
import { describeClient, seconds, selectClientAuth } from './client.ts'
import { configuredScope } from './authorization-url.ts'
import { callHook } from './call-hook.ts'
import { hookProvider, type OAuthContext } from './context.ts'
import { unknownIssuer } from './discover-server.ts'
import { failFrom, readProviderError, tellProviderError } from './provider-error.ts'
import { type Failed, fail, hasFailed } from './failure.ts'
import { expectIssuer, checkClaims, withoutEmptyClaims } from './id-token.ts'
import { tidyTokens } from './optional-members.ts'
import { outboundFetch, readJson } from './outbound-fetch.ts'
import type { Profile, TokenSet } from '../types/records.ts'

export interface CodeExchange {
  /** The authorization response, as returned by `validateResponse`. */
  readonly response: URLSearchParams
  /** Exactly as in the authorization request (RFC 6749 4.1.3). */
  readonly redirectUri: string
  readonly codeVerifier?: string
  readonly nonce?: string
  /** `max_age` as sent, in seconds. */
  readonly maxAge?: number
  /** The scope of the sign-in request, if it replaced the configured one. */
  readonly scope?: string
}

/** Tokens of a code exchange, and the claims of the id_token. Its signature is not verified yet. */
export interface TokenGrant {
  readonly tokens: TokenSet
  readonly claims?: Profile
}

/** Sends the token request (RFC 6749 4.1.3), or calls the provider's `token.request`. */
export async function requestTokens(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  exchange: CodeExchange,
  context: OAuthContext,
): Promise<{ readonly response: Response } | Failed> {
  try {
    if (provider.token.request)
      return { response: await askHook(provider, exchange, outboundFetch(provider, context)) }
    const selected = selectClientAuth(provider, server)
    if (hasFailed(selected)) return selected
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      describeClient(provider, context),
      selected.auth,
      exchange.response,
      exchange.redirectUri,
      exchange.codeVerifier ?? oauth.nopkce,
      { [oauth.customFetch]: outboundFetch(provider, context), [oauth.allowInsecureRequests]: true },
    )
    return { response }
  } catch (error) {
    // Nothing was sent. Network failures and hooks that threw have other reasons.
    return failFrom(error, 'misconfigured', `Provider "${provider.id}": the token request failed`)
  }
}

/** Passes the parameters of the request to the hook, except those that authenticate the client. */
async function askHook(
  provider: OAuthSettings,
  { response, redirectUri, codeVerifier }: CodeExchange,
  send: typeof fetch,
): Promise<Response> {
  const params = new URLSearchParams({
    grant_type: 'authorization_code',
    code: response.get('code') ?? '',
    redirect_uri: redirectUri,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  })
  const given = { params, provider: hookProvider(provider, send) }
  const { request } = provider.token
  const answer = await callHook('token.request', () => request?.(given))
  return isResponse(answer) ? answer : Response.json(answer?.tokens)
}

/** Lets the provider's `token.conform` repair a token response. */
export async function conformTokens({ token }: OAuthSettings, response: Response): Promise<Response> {
  const { conform } = token
  if (!conform) return response
  return (await callHook('token.conform', () => conform(response.clone()))) ?? response
}

/**
 * Validates a token response (RFC 6749 5.1, OpenID Connect Core 3.1.3.3), after the provider's `token.conform` has
 * repaired it, and the claims of its id_token. The id_token of an OAuth provider without an issuer proves nothing and
 * is removed.
 */
export async function checkTokens(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  answer: Response,
  exchange: Pick<CodeExchange, 'response' | 'nonce' | 'maxAge' | 'scope'>,
  context: OAuthContext,
): Promise<{ readonly grant: TokenGrant } | Failed> {
  const what = `Provider "${provider.id}"`
  try {
    const response = await conformTokens(provider, answer)
    const body = response.status === 200 ? tidyTokens(await readJson(response)) : {}
    const problem = errorOf(body) ?? (response.ok ? undefined : await readProviderError(response))
    if (problem) {
      const told = tellProviderError(problem, [exchange.response.get('code'), provider.clientSecret])
      return fail('code.refused', `${what}: the token endpoint returned ${response.status} with ${told}`)
    }
    if (provider.type === 'oauth' && server.issuer === unknownIssuer) delete body.id_token
    const idToken = typeof body.id_token === 'string' ? body.id_token : undefined
    if (idToken !== undefined && server.issuer === unknownIssuer)
      return fail(
        'misconfigured',
        `${what}: the response has an id_token, and there is no issuer to compare it with. Set \`issuer\``,
      )
    if (idToken === undefined && provider.type === 'oidc' && response.status === 200)
      return fail('tokens.malformed', `${what}: ${missingIdToken}`)

    const judged = await oauth.processAuthorizationCodeResponse(
      idToken === undefined ? server : { ...server, issuer: expectIssuer(provider, server, idToken) },
      describeClient(provider, context),
      response.status === 200 ? Response.json(withReadableClaims(body)) : response,
      {
        requireIdToken: provider.type === 'oidc',
        expectedNonce: exchange.nonce ?? oauth.expectNoNonce,
        maxAge: exchange.maxAge,
      },
    )
    if (judged.token_type !== 'bearer')
      return fail('tokens.malformed', `${what}: expected token_type to be bearer, got another one`)
    // The token is sent in a header, and the error for an invalid header would quote it.
    if (!/^[\x20-\x7e]+$/.test(judged.access_token))
      return fail('tokens.malformed', `${what}: expected access_token to be visible ASCII (RFC 6749 A.12)`)
    const claims = oauth.getValidatedIdTokenClaims(judged)
    if (claims && idToken !== undefined) {
      const bound = {
        idToken,
        accessToken: judged.access_token,
        code: exchange.response.get('code') ?? undefined,
      }
      const failed = await checkClaims(provider, claims, bound, context)
      if (failed) return failed
    }
    const tokens = { ...withExpiry(judged, context), ...(idToken !== undefined && { id_token: idToken }) }
    const scope = judged.scope ?? grantedScope(provider, server, exchange)
    return { grant: { tokens: { ...tokens, ...(scope && { scope }) }, ...(claims && { claims }) } }
  } catch (error) {
    return failFrom(error, reasonOf(error), `${what}: the token response is invalid`, adviseTokens)
  }
}

const missingIdToken =
  'expected an id_token, got none. `authorization.params.scope` must contain `openid`. For a provider without OpenID Connect, set `type` to "oauth"'

const adviseTokens = 'If the provider deviates from the standard, repair its response in `token.conform`'

/** Removes empty claims from a copy of the id_token, for the checks of oauth4webapi. */
function withReadableClaims(body: Record<string, unknown>): Record<string, unknown> {
  return typeof body.id_token === 'string' ? { ...body, id_token: withoutEmptyClaims(body.id_token) } : body
}

/**
 * Returns the granted scope if the token response names none. It is the requested scope (RFC 6749 5.1), unless the
 * authorization response names fewer, as with Strava if the user deselects some.
 */
function grantedScope(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  { response, scope: overridden }: Pick<CodeExchange, 'response' | 'scope'>,
): string | undefined {
  const requested = overridden ?? configuredScope(provider, server)
  const named = response.get('scope')
  if (!requested || !named) return requested
  const scopes = requested.split(/[ ,]+/)
  return named.split(/[ ,]+/).every((each) => scopes.includes(each)) ? named : undefined
}

/** Returns the error in a body. Some providers send it with status 200. */
export function errorOf({ error, error_description: description }: Record<string, unknown>) {
  return error === undefined || error === null ? undefined : { error, description }
}

/** Computes when the access token expires, by our clock, in seconds since 1970 (OI-22). */
export function withExpiry(tokens: oauth.TokenEndpointResponse, { platform }: OAuthContext): TokenSet {
  const { expires_at: said, ...others } = tokens
  const expiry = tokens.expires_in === undefined ? said : seconds(platform.now()) + tokens.expires_in
  const isMoment = typeof expiry === 'number' && Number.isSafeInteger(expiry) && expiry >= 0
  return { ...others, ...(isMoment && { expires_at: expiry }) }
}

/** Codes of errors that are in the id_token, because the response itself was parsed before. */
const codesOfIdToken: readonly unknown[] = [
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JWT_CLAIM_COMPARISON,
  oauth.PARSE_ERROR,
]

function reasonOf(error: unknown): 'code.refused' | 'claims.invalid' | 'tokens.malformed' {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return 'code.refused'
  const isKnown =
    error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError
  return isKnown && isOfIdToken(error) ? 'claims.invalid' : 'tokens.malformed'
}

/**
 * If a code is used for several errors, the cause tells them apart: the token, its header or its claims, or else the
 * response body.
 */
function isOfIdToken({ code, cause }: oauth.OperationProcessingError | oauth.UnsupportedOperationError) {
  if (codesOfIdToken.includes(code) || typeof cause === 'string') return true
  return typeof cause === 'object' && cause !== null && ('header' in cause || 'claims' in cause)
}
