import { expect, it, vi } from 'vitest'
import { createRateLimits } from '../../src/rate-limit.ts'

vi.mock('rate-limiter-flexible', () => {
  throw new Error('Cannot find package')
})

it('RL-03 rate limits say which package is missing, and refuse the attempt', async () => {
  const { rateLimit } = createRateLimits()
  const attempt = { type: 'email', provider: 'email', identifier: 'ada@example.com' } as const
  await expect(rateLimit({ ...attempt, request: new Request('https://app.test') })).rejects.toThrow(
    'run `npm install rate-limiter-flexible`',
  )
})
