import { type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

export const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'form'] } } as const

export const all = { database: {}, ...withPasswords }

/** Holds that a reply is none of a broken application. */
export function holdUp(
  world: World,
  id: 'RD-04' | 'RD-05',
  { status, failure, location }: Reply,
  what: string,
): void {
  world.hold(id, status < 500, `${what} was answered with ${status}${failure ? ` (${failure})` : ''}`)
  const error = location?.searchParams.get('error')
  world.hold(id, error !== 'Configuration', `${what} led to the error page of a broken application`)
}
