import type { Setup } from '../../targets/setup.ts'

/** Tokens outlive a sign-out, unless the application has a list of those that are revoked. */
export function withRevocations(strategy: 'database' | 'jwt', setup: Setup = {}): Record<string, Setup> {
  const usual = { ...setup, strategy }
  return strategy === 'database'
    ? { database: usual }
    : { jwt: usual, 'jwt with revocations': { ...usual, with: { 'jwt-revocation': true } } }
}
