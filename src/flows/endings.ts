import type { AuthError } from '../errors.ts'
import type { Visit } from '../http/visit.ts'
import type { Outcome } from './outcome.ts'

/** The path or URL of a page of the user's, as a URL with a parameter added. */
export function withParameter(page: string, visit: Visit, name: string, value: string): string {
  const url = new URL(page, visit.origin)
  url.searchParams.set(name, value)
  return url.href
}

/** Answers with an expected failure. */
export function fail(failure: AuthError): Outcome {
  return { kind: 'error', error: failure }
}
