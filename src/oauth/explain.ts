import { JOSEError } from 'jose/errors'
import * as oauth from 'oauth4webapi'
import { type Failed, fail, type OAuthFailureReason, show } from './failure.ts'
import { providerAdvice } from './provider-advice.ts'
import { OutboundError } from './outbound-fetch.ts'
import { UnusableAnswer } from './read-json.ts'

/** Claims whose values are no secrets and name nobody. */
const tellable: readonly unknown[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'auth_time', 'issuer']

/**
 * A failure for what was thrown, with the network's own reason or else the one given. The message says what was expected
 * and what came as far as that may be told: never a token, a code, a nonce or a subject.
 */
export function failFrom(error: unknown, otherwise: OAuthFailureReason, what: string): Failed {
  if (error instanceof OutboundError) return fail(error.reason, `${what}: ${error.message}`, error.cause)
  const why = explain(error)
  // What a hook threw is the application's own, which knows what it holds.
  return why === undefined ? fail(otherwise, what, error) : fail(otherwise, `${what}: ${why}`)
}

/** The reason in words, of errors whose words are known. */
function explain(error: unknown): string | undefined {
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return `the provider answered ${error.status} and demands authentication. ${providerAdvice.invalid_client}`
  if (error instanceof oauth.OperationProcessingError) return `${error.message}${facts(error.cause)}`
  const isKnown =
    error instanceof oauth.UnsupportedOperationError ||
    error instanceof JOSEError ||
    error instanceof UnusableAnswer
  return isKnown ? error.message : undefined
}

function facts(cause: unknown): string {
  if (cause instanceof Response) {
    const type = cause.headers.get('content-type') ?? undefined
    return ` (status ${cause.status}, content-type ${show(type)})`
  }
  if (!isRecord(cause)) return ''
  const { claim, attribute, claims, body, expected } = cause
  const name = claim ?? attribute
  const came = isRecord(claims) ? claims : isRecord(body) ? body : undefined
  if (!came || typeof name !== 'string' || !tellable.includes(name)) return ''
  return ` (expected ${show(expected)}, came ${show(came[name])})`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
