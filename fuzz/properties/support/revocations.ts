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

/** Creates a list of revoked tokens that keeps everything. */
export function createRevocations() {
  const values = new Map<string, number>()
  return {
    find: async (keys: readonly string[]) => keys.map((key) => values.get(key) ?? null),
    async add(key: string, value: number) {
      values.set(key, Math.max(value, values.get(key) ?? 0))
    },
  }
}

/**
 * Demands an application that accepts tokens which name no session, such as those of Auth.js.
 *
 * @throws {Absent} if it could not revoke them
 */
export function demandUnnamedTokens({ capabilities }: World): void {
  if (capabilities.has('jwt-revocation')) throw new Absent('tokens that cannot be revoked are refused')
}
