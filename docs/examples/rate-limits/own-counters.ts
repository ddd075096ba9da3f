import type { AuthConfig } from '../../../src/index.ts'

const minute = 60_000
/** The times of the attempts for each account. */
const tries = new Map<string, number[]>()

function countTry(account: string, now: number): number {
  const recent = [...(tries.get(account) ?? []).filter((at) => now - at < 15 * minute), now]
  tries.set(account, recent)
  return recent.length
}

export const callbacks: AuthConfig['callbacks'] = {
  rateLimit(attempt) {
    if (attempt.type !== 'credentials') return true
    const account = String(attempt.credentials['username']).toLowerCase()
    return countTry(account, Date.now()) <= 5 || { retryAfter: 15 * 60 }
  },
}
