import * as oauth from 'oauth4webapi'
import type { OAuthSettings } from '../config/settings.ts'
import { describeClient } from './client.ts'
import type { OAuthContext } from './context.ts'
import { type Failed, fail, show } from './failure.ts'
import { tellProviderError } from './provider-error.ts'
import { unknownIssuer } from './discover-server.ts'

/** Parameters that must not be duplicated (decision 8). */
const singular = ['code', 'state', 'iss', 'error', 'response', 'token', 'email']

/** Error codes of RFC 6749 4.1.2.1 and OpenID Connect Core 3.1.2.6. All others are reported as `other`. */
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

/** The events that refuse an authorization response. */
type ResponseFailure =
  'state.mismatched' | 'issuer.mismatched' | 'response.malformed' | 'authorization.declined'

/** Returns the duplicated parameters. */
export function findAmbiguous(parameters: URLSearchParams): readonly string[] {
  return singular.filter((name) => parameters.getAll(name).length > 1)
}

/**
 * Validates an authorization response: no duplicates, the expected issuer (RFC 9207), the state that was sent, then the
 * provider's error, then the code. State comes first, because an error of another transaction does not concern this one
 * (TX-11).
 *
 * @param state the state as sent; without one, the response's is ignored
 * @returns the parameters, for `requestTokens`
 */
export function validateResponse(
  provider: OAuthSettings,
  server: oauth.AuthorizationServer,
  parameters: URLSearchParams,
  state: string | undefined,
  context: OAuthContext,
): { readonly response: URLSearchParams } | Failed<ResponseFailure> {
  const ambiguous = findAmbiguous(parameters)
  if (ambiguous.length > 0)
    return fail('response.malformed', `The response contains duplicate parameters: ${ambiguous.join(', ')}`)
  // oauth4webapi treats an empty iss as missing.
  if (parameters.get('iss') === '') return mismatchedIssuer(server, '')
  try {
    const client = describeClient(provider, context)
    const response = oauth.validateAuthResponse(server, client, parameters, state ?? oauth.skipStateCheck)
    if (!response.get('code')) return fail('response.malformed', 'Expected a code, got none')
    return { response }
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) return denied(parameters, provider.clientSecret)
    return nameReason(server, parameters, state, error)
  }
}

function denied(parameters: URLSearchParams, clientSecret: string | undefined): Failed<ResponseFailure> {
  const error = parameters.get('error')
  const code = errorCodes.includes(error) && error !== null ? error : 'other'
  const told = tellProviderError({ error, description: parameters.get('error_description') }, [
    parameters.get('state'),
    parameters.get('code'),
    clientSecret,
  ])
  const { failed } = fail('authorization.declined', `Expected a code, but the provider returned ${told}`)
  return { failed: { ...failed, code } }
}

const signedResponse =
  'the provider sent it as a JWT, which is not supported. Remove `response_mode` from `authorization.params`, or register the client without signed authorization responses'

/** Finds the reason for which oauth4webapi has rejected the response, in the order of its checks. */
function nameReason(
  server: oauth.AuthorizationServer,
  parameters: URLSearchParams,
  state: string | undefined,
  error: unknown,
): Failed<ResponseFailure> {
  const message = error instanceof Error ? error.message : 'refused'
  if (parameters.has('response'))
    return fail('response.malformed', `Authorization response: ${signedResponse}`)
  const iss = parameters.get('iss')
  if (iss === null ? server.authorization_response_iss_parameter_supported : iss !== server.issuer)
    return mismatchedIssuer(server, iss ?? undefined)
  if (state !== undefined && parameters.get('state') !== state) {
    const came = parameters.has('state') ? 'another' : 'none'
    return fail('state.mismatched', `Authorization response: expected the state that was sent, got ${came}`)
  }
  return fail('response.malformed', `Authorization response: ${message}`)
}

function mismatchedIssuer(
  { issuer }: oauth.AuthorizationServer,
  came: string | undefined,
): Failed<ResponseFailure> {
  const expected =
    issuer === unknownIssuer ? "the provider's `issuer`, which is not configured" : show(issuer)
  return fail(
    'issuer.mismatched',
    `Authorization response: expected iss to be ${expected}, got ${show(came)}`,
  )
}
