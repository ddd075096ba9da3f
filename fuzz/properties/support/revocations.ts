import type { Setup } from '../../targets/setup.ts'
import { Absent } from '../../world/breach.ts'
import type { World } from '../../world/world.ts'

/** Tokens outlive a sign-out, unless the application has a list of those that are revoked. */
export function withRevocations(strategy: 'database' | 'jwt', setup: Setup = {}): Record<string, Setup> {
  const usual = { ...setup, strategy }
  return strategy === 'database'
    ? { database: usual }
    : { jwt: usual, 'jwt with revocations': { ...usual, with: { 'jwt-revocation': true } } }
}

/**
 * Demands an application that accepts tokens which name no session, such as those of Auth.js.
 *
 * @throws {Absent} if it could not revoke them
 */
export function demandUnnamedTokens({ capabilities }: World): void {
  if (capabilities.has('jwt-revocation')) throw new Absent('tokens that cannot be revoked are refused')
}
