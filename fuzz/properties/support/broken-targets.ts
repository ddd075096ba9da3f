import { type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'

export const withPasswords = { passwords: { strategy: 'jwt', providers: ['alpha', 'form'] } } as const

export const all = { database: {}, ...withPasswords }

/** An error for one request. A cookie can repeat it with each request of a browser. */
const meanings = { 'RD-04': { observed: 'a lax check' }, 'RD-05': { observed: 'a sign-out' } } as const

/** Checks that a response is not that of a misconfigured or failing application. */
export function checkNotBroken(
  world: World,
  id: 'RD-04' | 'RD-05',
  { status, failure, location }: Reply,
  what: string,
): void {
  const says = `${what} returns ${status}${failure ? ` (${failure})` : ''}`
  world.check(id, status < 500, says, meanings[id])
  const error = location?.searchParams.get('error')
  world.check(id, error !== 'Configuration', `${what} leads to the page for server errors`, meanings[id])
}
