import { formatUuid, randomBytes } from './random.ts'
import type { Awaitable } from '../types/records.ts'

/**
 * Reads something about a user. Without a user, it sends the same query with a random id, and ignores the result or the
 * error of a database with numeric ids, so that the time does not reveal whether there is a user.
 */
export async function readEvenly<T>(
  user: { readonly id: string } | undefined,
  read: (id: string) => Awaitable<T>,
): Promise<T | undefined> {
  if (user) return read(user.id)
  const ignored = async () => read(formatUuid(randomBytes(16)))
  return ignored().then(
    () => undefined,
    () => undefined,
  )
}
