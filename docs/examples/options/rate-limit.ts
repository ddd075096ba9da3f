import type { AuthConfig } from '../../../src/index.ts'

const minute = 60_000
/** The times of the attempts for each key. With several servers, use a shared counter, such as Redis INCR. */
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
