import { describe, expect, it } from 'vitest'
import { isDetected } from './detection.ts'

const limit = 30_000

describe('a mutant', () => {
  it('is detected by any verdict but PASS', () => {
    const time = { usual: 29_000, limit }
    for (const verdict of ['FAIL', 'INCONCLUSIVE', 'ERROR', 'SKIP', 'WARN'] as const)
      expect(isDetected({ verdict, took: 400 }, time)).toBe(true)
    expect(isDetected({ verdict: 'PASS', took: 400 }, time)).toBe(false)
  })

  it.each(['INCONCLUSIVE', 'ERROR'] as const)(
    'is not detected by %s at the limit, unless the unchanged library is quick',
    (verdict) => {
      for (const took of [limit, limit + 60_000]) {
        expect(isDetected({ verdict, took }, { usual: 20_000, limit })).toBe(false)
        expect(isDetected({ verdict, took }, { usual: 3000, limit })).toBe(false)
        expect(isDetected({ verdict, took }, { usual: 2999, limit })).toBe(true)
      }
    },
  )

  it('is detected by a case that fails after the limit', () => {
    expect(isDetected({ verdict: 'FAIL', took: limit + 1 }, { usual: 20_000, limit })).toBe(true)
  })
})
