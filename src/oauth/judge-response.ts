import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { describeClient } from './client.ts'
import type { OAuthContext } from './context.ts'
import { type Failed, fail, show } from './failure.ts'
import { tellProviderError } from './provider-error.ts'
import { unknownIssuer } from './discover-server.ts'

/** Parameters that may come once (decision 8). */
const singular = ['code', 'state', 'iss', 'error', 'response', 'token', 'email']

/** Error codes of RFC 6749 4.1.2.1 and OpenID Connect Core 3.1.2.6; the provider's own are told as `other`. */
const errorCodes: readonly (string | null)[] = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
]

/** The parameters that came more than once, though they may not. */
export function findAmbiguous(parameters: URLSearchParams): readonly string[] {
  return singular.filter((name) => parameters.getAll(name).length > 1)
}

/**
 * Judges an authorization response: nothing twice, the issuer that was asked (RFC 9207), the state that was sent, then
 * the provider's error, then the code. An error of another transaction is none of ours, so state comes before it (TX-11).
 *
 * @param state the one sent, as it went over the wire; without one the response's is not looked at
 * @returns the parameters, as `requestTokens` takes them
 */
export function judgeResponse(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  parameters: URLSearchParams,
  state: string | undefined,
  context: OAuthContext,
): { readonly response: URLSearchParams } | Failed {
  const ambiguous = findAmbiguous(parameters)
  if (ambiguous.length > 0)
    return fail('response-ambiguous', `Expected each parameter once, and twice came: ${ambiguous.join(', ')}`)
  // oauth4webapi takes an empty iss for none.
  if (parameters.get('iss') === '') return mismatchedIssuer(server, '')
  try {
    const client = describeClient(provider, context)
    const response = oauth.validateAuthResponse(server, client, parameters, state ?? oauth.skipStateCheck)
    if (!response.get('code')) return fail('response-malformed', 'Expected a code, and none came')
    return { response }
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      return denied(server, parameters, provider.clientSecret)
    return nameReason(server, parameters, state, error)
  }
}

function denied(
  server: oauth.AuthorizationServer,
  parameters: URLSearchParams,
  clientSecret: string | undefined,
): Failed {
  const error = parameters.get('error')
  const code = errorCodes.includes(error) && error !== null ? error : 'other'
  const demandsPar = error === 'invalid_request' && server.require_pushed_authorization_requests === true
  const told = tellProviderError(
    { error, description: parameters.get('error_description') },
    [parameters.get('state'), parameters.get('code'), clientSecret],
    demandsPar ? 'require_pushed_authorization_requests' : error,
  )
  const { failed } = fail('denied', `Expected a code, and the provider answered with ${told}`)
  return { failed: { ...failed, code } }
}

/** oauth4webapi has refused; this only finds the name for it, in the order in which that looks. */
function nameReason(
  server: oauth.AuthorizationServer,
  parameters: URLSearchParams,
  state: string | undefined,
  error: unknown,
): Failed {
  const message = error instanceof Error ? error.message : 'refused'
  if (parameters.has('response')) return fail('response-malformed', `Authorization response: ${message}`)
  const iss = parameters.get('iss')
  if (iss === null ? server.authorization_response_iss_parameter_supported : iss !== server.issuer)
    return mismatchedIssuer(server, iss ?? undefined)
  if (state !== undefined && parameters.get('state') !== state) {
    const came = parameters.has('state') ? 'another' : 'none'
    return fail(
      'state-mismatched',
      `Authorization response: expected the state that was sent, and ${came} came`,
    )
  }
  return fail('response-malformed', `Authorization response: ${message}`)
}

function mismatchedIssuer({ issuer }: oauth.AuthorizationServer, came: string | undefined): Failed {
  const expected =
    issuer === unknownIssuer ? "the provider's `issuer`, which is not configured" : show(issuer)
  return fail(
    'issuer-mismatched',
    `Authorization response: expected iss to be ${expected}, and ${show(came)} came`,
  )
}
