import { type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

export const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'form'] } } as const

export const all = { database: {}, ...withPasswords }

/** Checks that a response does not come from a broken application. */
export function checkNotBroken(
  world: World,
  id: 'RD-04' | 'RD-05',
  { status, failure, location }: Reply,
  what: string,
): void {
  world.check(id, status < 500, `${what} returned ${status}${failure ? ` (${failure})` : ''}`)
  const error = location?.searchParams.get('error')
  world.check(id, error !== 'Configuration', `${what} led to the error page of a broken application`)
}
