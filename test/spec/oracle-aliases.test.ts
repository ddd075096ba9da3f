import { describe, expect, it } from 'vitest'
import { rule } from '../../fuzz/adapter/rule.ts'
import { property } from '../../fuzz/properties/property.ts'
import { readBaseline } from '../../fuzz/run/baseline.ts'
import { listJobs } from '../../fuzz/run/check-conformance.ts'
import { Breach } from '../../fuzz/world/breach.ts'
import { idsOf } from '../trace/collect.ts'

describe('the oracle replaces an alias with the id of its row', () => {
  it('in properties, once', () => {
    const written = { name: 'a', story: 'a', advice: 'a', runs: 1, run: async () => {} }
    expect(property({ ...written, proves: ['DEC-17a', 'SE-07', 'DEC-17b'] }).proves).toEqual([
      'SE-07',
      'DEC-17b',
    ])
  })

  it('in rules of adapters and in breaches', () => {
    expect(rule({ proves: ['REC-025', 'EM-10'], name: 'a', uses: [], run: async () => {} }).proves).toEqual([
      'EM-10',
    ])
    expect(new Breach('DEC-17a', 'too late').id).toBe('SE-07')
  })

  it('in a baseline', () => {
    const place = { property: 'a', setup: 'database', fingerprint: 'f' }
    const entry = { ...place, target: 'ours', reason: 'known', expires: '2099-01-01' }
    const text = JSON.stringify([
      { ...entry, invariant: 'DEC-17a' },
      { ...entry, invariant: 'XX-01' },
    ])
    expect(readBaseline(text).map(({ invariant }) => invariant)).toEqual(['SE-07', 'XX-01'])
  })

  it('in the selection of properties', () => {
    expect(listJobs({ only: ['DEC-17a'] })).toEqual(listJobs({ only: ['SE-07'] }))
  })

  it('but accepts it at the start of a test title', () => {
    expect(idsOf('LIM-001, DEC-17a ends')).toEqual(['LIM-001', 'DEC-17a'])
  })
})
