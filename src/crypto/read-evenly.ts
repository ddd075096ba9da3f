import { formatUuid, randomBytes } from './random.ts'
import type { Awaitable } from '../types/records.ts'

/**
 * Reads data of a user. Without a user, it sends the same query with a random id, so that the response time does
 * not reveal whether there is a user. It ignores the result, or the error of a database with numeric ids.
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
