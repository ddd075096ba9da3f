import { expect, it, vi } from 'vitest'

vi.mock('rate-limiter-flexible', () => {
  throw new Error('Cannot find package')
})

it('RL-03 rate limits say which package is missing, and refuse the attempt', async () => {
  vi.resetModules()
  const { createRateLimits } = await import('../../src/rate-limit.ts')
  const { rateLimit } = createRateLimits()
  const attempt = { type: 'email', provider: 'email', identifier: 'ada@example.com' } as const
  await expect(rateLimit({ ...attempt, request: new Request('https://app.test') })).rejects.toThrow(
    'run `npm install rate-limiter-flexible`',
  )
})
