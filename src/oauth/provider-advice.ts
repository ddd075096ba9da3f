/** What to do about an error code of a provider, naming the option to change. The troubleshooting guide explains each. */
export const providerAdvice = {
  access_denied:
    'The user declined, or a policy of the provider did. If it happens to everybody, allow them to use the application there.',
  bad_verification_code: 'The code works once, and for a few minutes. Start the sign-in again.',
  incorrect_client_credentials: 'Check clientId and clientSecret.',
  insufficient_scope: 'Ask for the missing scope in authorization.params.scope.',
  invalid_client:
    'Check clientId and clientSecret, and set client.token_endpoint_auth_method to the method that is registered at the provider.',
  invalid_dpop_proof:
    'The provider demands DPoP, which is not supported. Register the client without DPoP-bound access tokens.',
  invalid_grant:
    'The code or refresh token was used before or has expired, or the redirect_uri differs from that of the request. Check AUTH_URL and the clock of the server.',
  invalid_request: 'Compare authorization.params with what the provider documents.',
  invalid_scope: 'Set authorization.params.scope to scopes that the provider grants to this client.',
  invalid_token:
    'The endpoint does not accept the access token. Check userinfo, and that authorization.params.scope allows it.',
  redirect_uri_mismatch:
    'Register the callback URL <AUTH_URL>/callback/<provider id> at the provider, to the letter. If its host is wrong, set AUTH_URL.',
  require_pushed_authorization_requests:
    'The provider demands pushed authorization requests (PAR), which are not supported. Register the client without require_pushed_authorization_requests.',
  server_error: 'The provider failed. Try again later, and look at its status page or log.',
  temporarily_unavailable: 'The provider is overloaded or under maintenance. Try again later.',
  unauthorized_client:
    'Allow the authorization code grant for this client at the provider, and the refresh token grant if you use getAccessToken.',
  unsupported_response_type: 'Allow the response type "code" for this client at the provider.',
  use_dpop_nonce:
    'The provider demands DPoP, which is not supported. Register the client without DPoP-bound access tokens.',
} as const satisfies Readonly<Record<string, string>>

/** The advice for a code; undefined for one that is not known. */
export function adviseProviderError(code: unknown): string | undefined {
  return typeof code === 'string' && Object.hasOwn(providerAdvice, code)
    ? providerAdvice[code as keyof typeof providerAdvice]
    : undefined
}
