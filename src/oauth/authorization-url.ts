import type * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import type { CheckValues } from './choose-checks.ts'
import { fail, type Failed } from './failure.ts'

const defaultScope = 'openid profile email'

/**
 * Parameters that a sign-in request must not set: those that identify the client, direct the response, or protect it
 * (decision 7).
 */
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
  /** Exactly as in the token request (TX-14). */
  readonly redirectUri: string
  /** `state` as sent. */
  readonly checks: CheckValues
  /** Parameters of the sign-in request. */
  readonly parameters: URLSearchParams
}

/**
 * Builds the URL that starts the sign-in (RFC 6749 4.1.1), and lists the ignored parameters, which a sign-in request
 * must not set. A parameter of the sign-in request replaces the configured one, with all of its values.
 */
export async function writeAuthorizationUrl(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  { redirectUri, checks, parameters }: AuthorizationRequest,
): Promise<{ readonly url: string; readonly ignored: readonly string[] } | Failed> {
  if (!server.authorization_endpoint)
    return fail('misconfigured', `Provider "${provider.id}": expected an authorization endpoint`)
  const { base, configured, hash } = readEndpoint(provider, server.authorization_endpoint)
  const names = parameters.size === 0 ? [] : [...new Set(parameters.keys())]
  const query = names.length === 0 ? configured : replaceParameters(configured, parameters)
  query.set('redirect_uri', redirectUri)
  if (provider.responseMode === 'form_post') query.set('response_mode', 'form_post')
  if (checks.state !== undefined) query.set('state', checks.state)
  if (checks.codeVerifier !== undefined) {
    query.set('code_challenge', await sha256Base64url(checks.codeVerifier))
    query.set('code_challenge_method', 'S256')
  }
  if (checks.nonce !== undefined) query.set('nonce', checks.nonce)
  if (checks.maxAge === undefined) query.delete('max_age')
  else query.set('max_age', String(checks.maxAge))
  return { url: `${base}?${query}${hash}`, ignored: names.filter((name) => reserved.has(name)) }
}

/** Returns the scope of sign-in requests that set none. */
export function configuredScope(
  provider: OAuthSettings,
  { authorization_endpoint: endpoint }: Pick<oauth.AuthorizationServer, 'authorization_endpoint'>,
): string | undefined {
  return endpoint === undefined
    ? undefined
    : (readEndpoint(provider, endpoint).configured.get('scope') ?? undefined)
}

/** An authorization endpoint with the parameters that all requests of a provider have. */
interface Endpoint {
  /** The URL without query and fragment. */
  readonly base: string
  readonly configured: URLSearchParams
  readonly hash: string
}

function readEndpoint(provider: OAuthSettings, text: string): Endpoint {
  const url = new URL(text)
  const { hash, searchParams } = url
  const configured = new URLSearchParams(searchParams)
  if (!configured.has('response_type')) configured.set('response_type', 'code')
  if (!configured.has('client_id')) configured.set('client_id', provider.clientId)
  if (hasDefaultScope(provider) && !configured.has('scope')) configured.set('scope', defaultScope)
  url.search = url.hash = ''
  return { base: url.href, configured, hash }
}

/** Replaces the parameters that the sign-in request may set, in one pass, because it may have hundreds of them. */
function replaceParameters(configured: URLSearchParams, given: URLSearchParams): URLSearchParams {
  const replaced = new Map<string, [name: string, value: string][]>()
  for (const [name, value] of given) {
    if (reserved.has(name)) continue
    const values = replaced.get(name) ?? []
    values.push([name, value])
    replaced.set(name, values)
  }
  const kept = [...configured].filter(([name]) => !replaced.has(name))
  return new URLSearchParams([...kept, ...[...replaced.values()].flat()])
}

/**
 * A configured scope is kept, even if it is empty. OpenID Connect needs a scope, and so does an endpoint that is
 * configured without a scope.
 */
function hasDefaultScope({ type, authorization, preset }: OAuthSettings): boolean {
  if (preset.scopeless) return false
  const isConfigured = authorization.url !== undefined || Object.keys(authorization.params).length > 0
  return type === 'oidc' || isConfigured
}
