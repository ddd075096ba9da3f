import type { IdpClient } from './contract.ts'

/** A code that the provider issued. */
interface Issued {
  readonly client: IdpClient
  /** The parameters of the authorization request. */
  readonly query: URLSearchParams
  /** Present after the code was exchanged. */
  readonly accessToken?: string
}

/** Returns why a code cannot be exchanged; undefined if it can. */
export function findGrantFault(
  grant: Issued | undefined,
  client: IdpClient,
  body: URLSearchParams,
): string | undefined {
  const type = body.get('grant_type')
  if (type !== 'authorization_code') return `expected the grant_type authorization_code, got "${type ?? ''}"`
  if (!grant) return 'it never issued the code'
  if (grant.client.id !== client.id)
    return `it issued the code to ${grant.client.id}, and not to ${client.id}`
  if (grant.accessToken !== undefined) return 'the code was used before'
  const [was, is] = [grant.query.get('redirect_uri'), body.get('redirect_uri')]
  return was === is ? undefined : `the redirect_uri was ${was}, and is ${is}`
}

/** Says why the verifier of a token request is refused (RFC 7636). */
export function describeVerifier(query: URLSearchParams, body: URLSearchParams): string {
  const method = query.get('code_challenge_method') ?? 'plain'
  if (query.has('code_challenge') && method !== 'S256')
    return `the code_challenge_method is ${method}, and the provider supports only S256`
  if (!body.has('code_verifier')) return 'the token request has no code_verifier'
  return query.has('code_challenge')
    ? 'the code_verifier does not match the code_challenge'
    : 'the token request has a code_verifier, although the sign-in had no code_challenge'
}

/** Says why an authorization request is refused. */
export function describeAuthorization(query: URLSearchParams, redirectUri: string): string {
  const type = query.get('response_type') ?? ''
  if (type !== 'code') return `expected the response_type code, got "${type}"`
  return `the redirect_uri "${redirectUri}" or the client "${query.get('client_id') ?? ''}" is not valid`
}
