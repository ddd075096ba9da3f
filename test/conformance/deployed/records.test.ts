import { expect, it } from 'vitest'
import { makeReport } from '../../../fuzz/run/report.ts'
import type { Judgement } from '../../../fuzz/run/verdict.ts'
import { judgement } from '../support.ts'
import { listChanges, type SiteRecord, summarise } from './record.ts'
import { deployedSites, inProcess } from './sites.ts'
import { tabulateSites } from './tabulate.ts'

const about = { target: 'x', date: '2026-11-27T20:00:00Z', profile: 'smoke', seed: 1, took: 1 } as const
const ids = ['TX-01', 'TX-05', 'HH-04', 'SU-07']

const recordOf = (site: string, ...judgements: readonly Judgement[]) =>
  summarise(site, makeReport({ ...about, only: ids }, judgements))

const whole = recordOf(
  inProcess,
  ...ids.map((id) => judgement('PASS', [id as 'TX-01'], { checks: { [id]: 1 } })),
)
const partial = recordOf(
  'a-site',
  judgement('PASS', ['TX-01'], { checks: { 'TX-01': 1 } }),
  judgement('SKIP', ['TX-05'], { reason: 'there is no second provider' }),
  judgement('PASS', ['HH-04'], { checks: { 'HH-04': 1 }, unclaimed: { 'HH-04': 'every-method' } }),
  judgement('FAIL', ['SU-07'], { broken: 'SU-07' }),
)

it('summarises a report by result and reason', () => {
  expect(whole).toMatchObject({ date: '2026-11-27', failed: {}, notJudged: {}, inPart: {} })
  expect(whole.passed.toSorted()).toEqual(ids.toSorted())
  expect(partial).toMatchObject({
    passed: ['TX-01', 'HH-04'],
    failed: { WARN: ['SU-07'] },
    notJudged: { 'there is no second provider': ['TX-05'] },
    inPart: {
      'the response to methods other than GET and POST: a router in front of the target handles it (routed-methods)':
        ['HH-04'],
    },
  })
})

it('lists what has changed since a record, apart from the date', () => {
  expect(listChanges({ ...partial, date: '2026-12-01' }, partial)).toEqual([])
  expect(listChanges(whole, partial)).toEqual([
    'TX-05: passed, was: there is no second provider',
    'SU-07: passed, was: WARN',
    expect.stringMatching(/^HH-04 in part: not listed, was: the response to methods/),
  ])
})

it('tabulates the counts of each site, its differences, and why it was not judged', () => {
  const records = new Map<string, SiteRecord>(
    deployedSites.map(({ name }) => [
      name,
      name === 'next' ? { ...partial, site: name } : { ...whole, site: name },
    ]),
  )
  const text = tabulateSites(records)
  expect(text).toMatch(/^\| `next` +\| 3 +\| 2 +\| 1 +\| 1 +\| 1 +\| 2026-11-27/m)
  expect(text).toContain('- `next`, WARN: SU-07')
  expect(text).toContain('- 1: there is no second provider (`next`): TX-05')
  expect(text).toMatch(/^- HH-04, the response to methods .* \(`next`\)$/m)
  records.delete('next')
  expect(() => tabulateSites(records)).toThrow('There is no record of next')
})
