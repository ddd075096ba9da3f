import type * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import type { CheckValues } from './checks.ts'
import { type Failed, fail } from './failure.ts'

const defaultScope = 'openid profile email'

/** What a sign-in request may not say: who asks, where the answer goes, and what protects it (decision 7). */
const reserved: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
])

export interface AuthorizationRequest {
  /** Byte for byte what the token request will carry (TX-14). */
  readonly redirectUri: string
  /** `state` as it goes over the wire. */
  readonly checks: CheckValues
  /** Of the sign-in request. */
  readonly parameters: URLSearchParams
}

/**
 * The URL that sends the browser to the provider (RFC 6749 4.1.1), and the names of the parameters that the sign-in
 * request may not set. A parameter of the sign-in request takes the place of the configured one, and keeps each of its
 * values.
 */
export function buildAuthorizationUrl(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  { redirectUri, checks, parameters }: AuthorizationRequest,
): MaybePromise<{ readonly url: string; readonly ignored: readonly string[] } | Failed> {
  if (!server.authorization_endpoint)
    return fail('misconfigured', `Provider "${provider.id}": expected an authorization endpoint`)
  const url = new URL(server.authorization_endpoint)
  // Of its own: each change to those of a URL writes the whole URL anew.
  const query = new URLSearchParams(url.search)
  if (!query.has('response_type')) query.set('response_type', 'code')
  if (!query.has('client_id')) query.set('client_id', provider.clientId)
  if (hasDefaultScope(provider) && !query.has('scope')) query.set('scope', defaultScope)

  const names = [...new Set(parameters.keys())]
  for (const name of names.filter((each) => !reserved.has(each))) {
    query.delete(name)
    for (const value of parameters.getAll(name)) query.append(name, value)
  }

  query.set('redirect_uri', redirectUri)
  if (provider.responseMode === 'form_post') query.set('response_mode', 'form_post')
  if (checks.state !== undefined) query.set('state', checks.state)
  const challenge = checks.codeVerifier === undefined ? undefined : sha256Base64url(checks.codeVerifier)
  return whenReady(challenge, (codeChallenge) => {
    if (codeChallenge !== undefined) {
      query.set('code_challenge', codeChallenge)
      query.set('code_challenge_method', 'S256')
    }
    if (checks.nonce !== undefined) query.set('nonce', checks.nonce)
    url.search = query.toString()
    return { url: url.href, ignored: names.filter((name) => reserved.has(name)) }
  })
}

/** A scope that is given stays, even an empty one; OpenID needs one, and so does whoever configures an endpoint without. */
function hasDefaultScope({ type, authorization, preset }: OAuthSettings): boolean {
  if (preset.scopeless) return false
  const isConfigured = authorization.url !== undefined || Object.keys(authorization.params).length > 0
  return type === 'oidc' || isConfigured
}
