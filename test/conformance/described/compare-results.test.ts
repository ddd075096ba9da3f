import { expect, it } from 'vitest'
import { describedApps } from './applications.ts'
import { compareResults, isFound, type Result } from './compare-results.ts'
import type { Expected } from './expected.ts'

const expected: Expected = {
  results: { 'TX-12': { verdict: 'FAIL', severity: 'hardening', why: 'It takes the first of two.' } },
  faults: { redirect: { says: 'returns to any URL', breaks: 'RD-02' } },
}
const known: Result = { id: 'TX-12', verdict: 'FAIL', severity: 'hardening', reason: 'twice' }
const passed: Result = { id: 'RD-02', verdict: 'PASS', severity: 'leak' }

it('finds no difference if the listed requirements fail as listed, and all others pass or cannot be judged', () => {
  const skipped: Result = { id: 'SE-01', verdict: 'SKIP', severity: 'takeover' }
  expect(compareResults(expected, [known, passed, skipped])).toEqual([])
})

it('needs no failure that only some seeds show', () => {
  const results = {
    'CC-08': { verdict: 'FAIL', severity: 'hardening', why: 'A race.', sometimes: true },
  } as const
  expect(compareResults({ results, faults: {} }, [])).toEqual([])
})

it.each<[string, readonly Result[], string]>([
  [
    'a requirement that is not listed',
    [known, passed, { id: 'SE-01', verdict: 'FAIL', severity: 'takeover', reason: 'fixed' }],
    'SE-01 is FAIL (takeover): fixed, which is not expected',
  ],
  [
    'another severity',
    [{ ...known, severity: 'takeover' }, passed],
    'TX-12 is FAIL (takeover): twice, which is not expected',
  ],
  ['a listed requirement that passes', [passed], 'TX-12 should be FAIL, and is not judged'],
  [
    'a fault that could not be judged',
    [known, { ...passed, verdict: 'INCONCLUSIVE', reason: 'too few cases' }],
    'RD-02 is INCONCLUSIVE: too few cases, so a failure with its fault would prove nothing',
  ],
])('reports %s', (_, found, difference) => {
  expect(compareResults(expected, found)).toEqual([difference])
})

it('finds a fault only by a failure of its requirement, as severe as it says', () => {
  const severe = { says: 'accepts any state', breaks: 'TX-02', severity: 'session' } as const
  expect(isFound(severe, undefined)).toBe(false)
  expect(isFound(severe, { id: 'TX-02', verdict: 'FAIL', severity: 'hardening' })).toBe(false)
  expect(isFound(severe, { id: 'TX-02', verdict: 'FAIL', severity: 'session' })).toBe(true)
})

it('knows an application for each of the eight libraries, and says why each of its failures is true', () => {
  const words = describedApps.map(({ word }) => word)
  expect(words).toEqual([
    'python',
    'passport',
    'better-auth',
    'authjs',
    'mod-auth-openidc',
    'express-openid-connect',
    'allauth',
    'omniauth',
    'authlib',
    'passport-openidconnect',
  ])
  for (const { results } of describedApps)
    for (const [id, { why }] of Object.entries(results))
      expect(`${id} ${why}`).toMatch(/^[A-Z]+-\w+ [A-Z].*\.$/)
})
