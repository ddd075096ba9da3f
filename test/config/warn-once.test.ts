import { expect, it } from 'vitest'
import { warnOnce } from '../../src/config/warnings.ts'
import { platform } from '../../src/types/symbols.ts'

it('CF-04 forgets only the oldest of more than a hundred warnings', () => {
  const received: string[] = []
  const logger = {
    warn: (_: string, details?: unknown) => void received.push(String(details)),
    error() {},
    debug() {},
  }
  const now = () => 0
  const config = { logger, [platform]: { now } } as unknown as Parameters<typeof warnOnce>[0]
  const warn = (n: number) => warnOnce(config, 'unknown-option', `option ${n}`)
  for (let n = 0; n <= 100; n++) warn(n)
  expect(received).toHaveLength(101)
  for (let n = 1; n <= 100; n++) warn(n)
  expect(received).toHaveLength(101)
  warn(0)
  expect(received.at(-1)).toBe('option 0')
})
