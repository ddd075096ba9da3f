import type { AuthConfig } from '../../../src/index.ts'

const minute = 60_000
/** When each key was tried; on several machines, a counter that they share, such as INCR of Redis. */
const tries = new Map<string, number[]>()

function countTry(key: string, now: number): number {
  const recent = [...(tries.get(key) ?? []).filter((at) => now - at < 15 * minute), now]
  tries.set(key, recent)
  return recent.length
}

export const callbacks: AuthConfig['callbacks'] = {
  rateLimit(attempt) {
    const who = attempt.type === 'credentials' ? String(attempt.credentials['username']) : attempt.identifier
    return countTry(`${attempt.type} ${attempt.provider} ${who.toLowerCase()}`, Date.now()) <= 5
  },
}
