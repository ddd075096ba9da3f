import { systemPlatform } from '../platform/clock.ts'
import type { RevocationStore } from '../types/revocation.ts'

/**
 * Stores revoked JWT sessions in the memory of this process, for tests and for sites with one process. After a restart,
 * revoked tokens are valid again until they expire.
 *
 * @returns a store for `jwt.revocations`
 * @example
 * Auth(request, { jwt: { revocations: memoryRevocations() }, ... })
 */
export function memoryRevocations(): RevocationStore {
  const entries = new Map<string, { readonly value: number; readonly expires: number }>()
  return {
    find: (keys) => keys.map((key) => entries.get(key)?.value ?? null),
    add(key, value, seconds) {
      const now = systemPlatform.now()
      for (const [each, { expires }] of entries) if (expires <= now) entries.delete(each)
      const held = entries.get(key)
      entries.set(key, {
        value: Math.max(value, held?.value ?? value),
        expires: Math.max(now + seconds * 1000, held?.expires ?? 0),
      })
    },
  }
}
