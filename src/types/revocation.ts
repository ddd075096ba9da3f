import type { Awaitable } from './records.ts'

/**
 * Stores which JWT sessions are revoked, for `jwt.revocations`. The adapters' entry points export stores in memory
 * (`memoryRevocations`), Redis (`redisRevocations`) and SQL (`kyselyRevocations`). All your servers must share one
 * store.
 *
 * If an operation throws, rejects or does not respond within the deadline of a step, nobody is signed in, and the
 * session cookies are kept.
 */
export interface RevocationStore {
  /**
   * Returns the value of each key, in the order of the keys: the highest value that was added and has not expired, or
   * null. A value that has expired may still be returned.
   */
  find(keys: readonly string[]): Awaitable<readonly (number | null)[]>
  /**
   * Stores a value under a key for at least this many seconds. A lower value must not replace a higher one.
   *
   * @param key 22 or 43 characters of base64url
   * @param value an integer of at most `Number.MAX_SAFE_INTEGER`
   */
  add(key: string, value: number, seconds: number): Awaitable<unknown>
}
