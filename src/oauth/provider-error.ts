import { JOSEError } from 'jose/errors'
import * as oauth from 'oauth4webapi'
import { isResponse } from '../http/parts.ts'
import { HookError } from './call-hook.ts'
import { fail, type Failed, type OAuthFailureReason, show } from './failure.ts'
import { OutboundError, UnusableResponse } from './outbound-fetch.ts'

/** Advice for the error codes of providers, naming the option to change. The troubleshooting guide explains each. */
export const providerAdvice = {
  access_denied:
    'The user, or a policy of the provider, declined. If it happens to everyone, allow them to use the application at the provider.',
  bad_verification_code: 'A code works only once, and for a few minutes. Start the sign-in again.',
  incorrect_client_credentials: 'Check `clientId` and `clientSecret`.',
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
  server_error: 'The provider failed. Try again later, and look at its status page or log.',
  temporarily_unavailable: 'The provider is overloaded or under maintenance. Try again later.',
  unauthorized_client:
    'Allow the authorization code grant for this client at the provider, and the refresh token grant if you use getAccessToken.',
  unsupported_response_type: 'Allow the response type "code" for this client at the provider.',
  use_dpop_nonce:
    'The provider demands DPoP, which is not supported. Register the client without DPoP-bound access tokens.',
} as const satisfies Readonly<Record<string, string>>

/** Returns the advice for a code, or undefined for an unknown one. */
export function adviseProviderError(code: unknown): string | undefined {
  return typeof code === 'string' && Object.hasOwn(providerAdvice, code)
    ? providerAdvice[code as keyof typeof providerAdvice]
    : undefined
}

/** The error in a provider's response (RFC 6749 4.1.2.1 and 5.2, RFC 6750 3), not validated. */
export interface ProviderError {
  readonly error: unknown
  readonly description?: unknown
}

/** Maximum characters of a description in the log. */
const descriptionLimit = 200

/**
 * Reads the error of an unsuccessful response: from its JSON body, or else from its `WWW-Authenticate` header. The
 * response itself stays unread. Only called for failures.
 */
export async function readProviderError(response: Response): Promise<ProviderError | undefined> {
  return (await readBody(response)) ?? readChallenge(response.headers.get('www-authenticate') ?? '')
}

async function readBody(response: Response): Promise<ProviderError | undefined> {
  if (response.bodyUsed) return undefined
  try {
    const body: unknown = await response.clone().json()
    if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
    return {
      error: body.error,
      description: 'error_description' in body ? body.error_description : undefined,
    }
  } catch {
    return undefined
  }
}

function readChallenge(challenge: string): ProviderError | undefined {
  const read = (name: string) => new RegExp(`\\b${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(challenge)?.[1]
  const error = read('error')
  return error === undefined ? undefined : { error, description: read('error_description') }
}

/**
 * Describes the error for the log, with advice.
 *
 * @param secrets values that the description may not repeat
 */
export function tellProviderError(
  { error, description }: ProviderError,
  secrets: readonly (string | null | undefined)[],
): string {
  const said =
    typeof description === 'string' && description !== '' ? `, saying ${quote(description, secrets)}` : ''
  const advice = adviseProviderError(error)
  return `the error ${showCode(error)}${said}${advice ? `. ${advice}` : ''}`
}

/** Quotes an error code if it is short and well-formed (RFC 6749 5.2). */
export function showCode(code: unknown): string {
  return typeof code === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(code) ? `"${code}"` : 'of an unknown code'
}

/** Quotes a description on one short line of ASCII, without URL queries, e-mail addresses and likely secrets. */
function quote(description: string, secrets: readonly (string | null | undefined)[]): string {
  // Truncated first, so that no description is expensive. A truncated secret is still long enough to be detected.
  let text = description.slice(0, 4 * descriptionLimit)
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '…')
  text = text
    .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '…')
    .replaceAll(/[?#][^\s"'<>]*=[^\s"'<>]*/g, '?…')
    .replaceAll(/[\w~+/=.-]{16,}/g, (word) => (mayBeSecret(word) ? '…' : word))
  const short = text.length > descriptionLimit ? `${text.slice(0, descriptionLimit)}…` : text
  return JSON.stringify(short).replaceAll(/[^ -~…]/g, (character) => `\\u${hex(character)}`)
}

/** Returns whether a word has the length and digits of a token. Hosts, paths and plain words are not redacted. */
function mayBeSecret(word: string): boolean {
  return (
    word.split(/[/.=]/).some((part) => part.length >= 40 || (part.length >= 16 && /\d/.test(part))) ||
    (word.split('.').length === 3 && word.length > 60)
  )
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}

/** Claims whose values are neither secret nor personal. */
const tellable: readonly unknown[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'auth_time', 'issuer']

/**
 * Creates a failure from a thrown error, with the network's own reason or else the given one. The message says what was
 * expected and received, but never contains a token, code, nonce or subject.
 *
 * @param advice which option decides, for a response that cannot be used
 */
export function failFrom(
  error: unknown,
  otherwise: OAuthFailureReason,
  what: string,
  advice?: string,
): Failed {
  if (error instanceof OutboundError) return fail(error.reason, `${what}: ${error.message}`, error.cause)
  // Errors of hooks are the application's own, and it knows what they contain.
  if (error instanceof HookError) return fail('hook-failed', `${what}: ${error.message}`, error.cause)
  const why = explain(error)
  if (why === undefined) return fail(otherwise, what, error)
  const isOfBody = error instanceof UnusableResponse || otherwise === 'tokens.malformed'
  const isAdvised = advice !== undefined && isOfBody
  return fail(otherwise, `${what}: ${why}${isAdvised ? `. ${advice}` : ''}`)
}

/** Explains known errors in words. */
function explain(error: unknown): string | undefined {
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return `the provider returned ${error.status} and demands authentication. ${providerAdvice.invalid_client}`
  if (error instanceof oauth.OperationProcessingError)
    return explainAlgorithm(error.cause) ?? `${error.message}${facts(error.cause)}${adviseClaim(error.cause)}`
  if (error instanceof oauth.UnsupportedOperationError)
    return error.message === 'JWE decryption is not configured' ? encrypted : error.message
  const isKnown = error instanceof JOSEError || error instanceof UnusableResponse
  return isKnown ? error.message : undefined
}

const encrypted =
  'the JWT is encrypted, which is not supported. Register the client at the provider without encryption'

/** Where oauth4webapi found the algorithm that it expected. */
const sources: ReadonlyMap<unknown, string> = new Map([
  ['client configuration', 'by `client.id_token_signed_response_alg`'],
  ['authorization server metadata', "by the provider's metadata"],
  ['default value', 'by default'],
])

/** Explains a token with another algorithm than expected. */
function explainAlgorithm(cause: unknown): string | undefined {
  if (!isRecord(cause) || !isRecord(cause.header) || cause.expected === undefined) return undefined
  const expected = [cause.expected].flat().map(String).join(' or ')
  const source = sources.get(cause.reason) ?? ''
  return `expected a JWT signed with ${expected} (${source}), got ${show(cause.header.alg)}. ${adviseAlgorithm}`
}

/** Which option decides on the algorithm of an id_token. */
export const adviseAlgorithm =
  'Set `client.id_token_signed_response_alg` to the algorithm that is registered for the client'

/** Which option decides on a claim. */
const decidedBy: Readonly<Record<string, string>> = {
  iss: 'Set `issuer` to the issuer of the id_token, if that is the provider',
  aud: 'Set `clientId` to the client id at the provider',
  nonce:
    'A provider that adds its own needs `checks` with "nonce"; with the check, start the sign-in again in the same browser',
  exp: 'Check the clock of this machine',
  nbf: 'Check the clock of this machine',
  iat: 'Check the clock of this machine',
  auth_time: 'Check the clock of this machine, and `max_age`',
}

function adviseClaim(cause: unknown): string {
  const claim = isRecord(cause) ? cause.claim : undefined
  return typeof claim === 'string' && Object.hasOwn(decidedBy, claim) ? `. ${decidedBy[claim]}` : ''
}

function facts(cause: unknown): string {
  if (isResponse(cause)) {
    const type = cause.headers.get('content-type') ?? undefined
    return ` (status ${cause.status}, content-type ${show(type)})`
  }
  if (!isRecord(cause)) return ''
  const { claim, attribute, claims, body, expected } = cause
  const name = claim ?? attribute
  const came = isRecord(claims) ? claims : isRecord(body) ? body : undefined
  if (!came || typeof name !== 'string' || !tellable.includes(name)) return ''
  const wanted = expected === undefined ? '' : `expected ${show(expected)}, `
  return ` (${wanted}got ${show(came[name])})`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
