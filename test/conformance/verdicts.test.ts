import { describe, expect, it } from 'vitest'
import { requirements, type RequirementId } from '../../spec/index.ts'
import { assess } from '../../fuzz/run/assess.ts'
import { applyBaseline, readBaseline, writeBaseline, type Expected } from '../../fuzz/run/baseline.ts'
import { listJobs } from '../../fuzz/run/check-conformance.ts'
import { readToken, writeToken } from '../../fuzz/run/replay.ts'
import { writeText } from '../../fuzz/report/text.ts'
import { exitCodeOf, makeReport, mergeReports } from '../../fuzz/run/report.ts'
import { verdicts, type Judgement } from '../../fuzz/run/verdict.ts'
import { failure, judgement, seen } from './support.ts'

const verdictsOf = (...judgements: Judgement[]) =>
  Object.fromEntries(
    assess(judgements).flatMap(({ id, part, verdict, property }) =>
      property === undefined || part !== undefined ? [] : [[id, verdict]],
    ),
  )
const about = { target: 'a', profile: 'ci', seed: 1, took: 1 } as const

describe('the verdict of an invariant', () => {
  it('is the worst of its properties, in any order', () => {
    const order = [
      'FAIL',
      'XPASS',
      'ERROR',
      'XFAIL',
      'INCONCLUSIVE',
      'PASS',
      'WARN',
      'UNTESTED',
      'SKIP',
    ] as const
    expect(order.toSorted()).toEqual(verdicts.toSorted())
    order.forEach((loud, at) => {
      for (const quiet of order.slice(at)) {
        expect(verdictsOf(judgement(loud, ['TX-01']), judgement(quiet, ['TX-01']))).toEqual({ 'TX-01': loud })
        expect(verdictsOf(judgement(quiet, ['TX-01']), judgement(loud, ['TX-01']))).toEqual({ 'TX-01': loud })
      }
    })
  })

  it('is FAIL for the broken invariant, and open for those that its property did not reach', () => {
    const both = judgement('FAIL', ['TX-05', 'TX-07'], { broken: 'TX-07' })
    expect(verdictsOf(both)).toEqual({ 'TX-05': 'INCONCLUSIVE', 'TX-07': 'FAIL' })
    expect(verdictsOf(judgement('FAIL', ['TX-05'], { broken: 'SU-01' }))).toEqual({
      'TX-05': 'INCONCLUSIVE',
      'SU-01': 'FAIL',
    })
  })

  it('is a warning for a broken SHOULD', () => {
    expect(requirements.find(({ id }) => id === 'TX-19')?.level).toBe('should')
    expect(verdictsOf(failure('TX-19'), failure('TX-18'))).toEqual({ 'TX-18': 'FAIL', 'TX-19': 'WARN' })
  })
})

describe('a report', () => {
  it('lists each requirement that can be judged, including those that no property checks', () => {
    const rows = assess([])
    const catalogue = requirements.filter(({ mode }) => mode !== undefined)
    expect(rows.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id))
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(['UNTESTED']))
    expect(assess([], ['SE-04', 'HH']).every(({ id }) => id === 'SE-04' || id.startsWith('HH-'))).toBe(true)
  })

  it('gives the reason of the most severe failure of a requirement', () => {
    const mild = seen('TX-03', { property: 'a state that outlives an error' }, 'a lax check')
    const severe = seen('TX-03', { property: 'a state that is used twice' })
    for (const judgements of [
      [mild, severe],
      [severe, mild],
    ])
      expect(assess(judgements, ['TX-03'])).toMatchObject([
        { severity: 'takeover', property: 'a state that is used twice' },
      ])
  })

  it('has a separate line for the part of a requirement that needs an undeclared capability', () => {
    const { within, capability = '' } = requirements.find(({ id }) => id === 'SE-10') ?? {}
    const judged = judgement('PASS', ['SE-10'], {
      unclaimed: { 'SE-10': capability },
      checks: { 'SE-10': 3 },
    })
    expect(assess([judged], ['SE-10'])).toMatchObject([
      { id: 'SE-10', verdict: 'PASS' },
      { id: 'SE-10', part: within, verdict: 'SKIP', reason: expect.stringContaining(capability) as string },
    ])
    expect(writeText(makeReport(about, [judged]))).toContain(
      ', and a part of 1 other. --report html lists them.',
    )
  })

  it('fails for a warning if it is strict', () => {
    const report = makeReport(about, [failure('TX-19')])
    expect(exitCodeOf(report)).toBe(0)
    expect(exitCodeOf(report, { strict: true })).toBe(1)
  })
})

describe('a baseline', () => {
  const entry: Expected = {
    invariant: 'TX-01',
    property: 'of TX-01',
    setup: 'database',
    fingerprint: failure('TX-01').finding?.fingerprint ?? '',
    target: 'a',
    reason: 'known',
    expires: '2030-06-30',
  }
  const apply = (given: Judgement, expected: Expected = entry, today = '2030-06-30') =>
    applyBaseline([given], [expected], 'a', today)[0]

  it('excuses a known failure until its last day, and no longer', () => {
    expect(apply(failure('TX-01'))).toMatchObject({ verdict: 'XFAIL', reason: 'known' })
    expect(apply(failure('TX-01'), entry, '2030-07-01')).toMatchObject({
      verdict: 'FAIL',
      reason: 'the baseline entry expired after 2030-06-30',
    })
  })

  it('fails if its expected failure does not occur', () => {
    const [passed] = applyBaseline([judgement('PASS', ['TX-01'])], [entry], 'a', '2030-01-01')
    expect(passed?.verdict).toBe('XPASS')
    expect(exitCodeOf(makeReport(about, passed ? [passed] : []))).toBe(1)
  })

  it('is about one property on one application, and says nothing of others', () => {
    const others = [
      judgement('PASS', ['TX-01'], { property: 'another' }),
      judgement('PASS', ['TX-01'], { setup: 'jwt' }),
    ]
    const judged = applyBaseline([failure('TX-01'), ...others], [entry], 'a', '2030-01-01')
    expect(judged.map(({ verdict }) => verdict)).toEqual(['XFAIL', 'PASS', 'PASS'])
    expect(applyBaseline(others, [entry], 'a', '2030-01-01').map(({ verdict }) => verdict)).toEqual([
      'PASS',
      'PASS',
    ])
  })

  it('expects no failure with another story', () => {
    expect(apply(failure('TX-01'), { ...entry, fingerprint: 'another' })).toMatchObject({
      verdict: 'FAIL',
      reason: 'not the failure that the baseline expects',
    })
  })

  it('is unexpected for the requirement that it names, and not for the others of its property', () => {
    const both = judgement('PASS', ['TX-02', 'TX-01'], { property: 'of TX-01' })
    const judged = applyBaseline([both], [entry], 'a', '2030-01-01')
    expect(judged.map(({ verdict, proves }) => [verdict, proves])).toEqual([
      ['PASS', ['TX-02']],
      ['XPASS', ['TX-01']],
    ])
  })

  it('expects a failure that only one of several seeds finds', () => {
    const judged = [failure('TX-01', { seed: 1 }), judgement('PASS', ['TX-01'], { seed: 1001 })]
    expect(applyBaseline(judged, [entry], 'a', '2030-01-01').map(({ verdict }) => verdict)).toEqual([
      'XFAIL',
      'PASS',
    ])
  })

  it('applies to its own target and invariant only', () => {
    expect(apply(failure('TX-01'), { ...entry, target: 'b' })?.verdict).toBe('FAIL')
    expect(apply(failure('TX-02'))?.verdict).toBe('FAIL')
  })

  it('generated from failures excuses the same failures', () => {
    const judged = [failure('TX-01'), failure('TX-01', { setup: 'jwt' }), judgement('PASS', ['TX-02'])]
    const read = readBaseline(writeBaseline(judged, 'a', '2030-06-30'))
    expect(read.map(({ invariant, setup }) => [invariant, setup])).toEqual([
      ['TX-01', 'database'],
      ['TX-01', 'jwt'],
    ])
    expect(applyBaseline(judged, read, 'a', '2030-01-01').map(({ verdict }) => verdict)).toEqual([
      'XFAIL',
      'XFAIL',
      'PASS',
    ])
  })

  it.each([
    ['{}', 'Expected the baseline to be a list of entries'],
    ['[null]', 'Expected entry 1 of the baseline to have a text "invariant"'],
    [
      JSON.stringify([entry, { ...entry, reason: 1 }]),
      'Expected entry 2 of the baseline to have a text "reason"',
    ],
    [JSON.stringify([{ ...entry, expires: 'never' }]), 'to expire on a day like 2027-01-31'],
  ])('is rejected if it is malformed: %s', (text, complaint) => {
    expect(() => readBaseline(text)).toThrow(complaint)
  })
})

describe('a campaign', () => {
  it('is divided into shards without gaps or overlap', () => {
    const whole = listJobs({}).map((job) => JSON.stringify(job))
    const shards = [1, 2, 3].map((index) => listJobs({ shard: { index, of: 3 } }))
    for (const shard of shards) expect(shard.length).toBeGreaterThan(0)
    expect(
      shards
        .flat()
        .map((job) => JSON.stringify(job))
        .toSorted(),
    ).toEqual(whole.toSorted())
  })

  it('covers the requested ids and families', () => {
    const asked = new Set(listJobs({ only: ['TX-05'] }).map(({ property }) => property))
    expect(asked.size).toBeGreaterThan(0)
    expect(listJobs({ only: ['TX'] }).length).toBeGreaterThan(asked.size)
    expect(() => listJobs({ only: ['TX-0'] })).toThrow('No property tests TX-0')
  })

  it('can merge its report from the reports of its shards', () => {
    const judged = [failure('TX-01'), judgement('PASS', ['TX-02']), judgement('SKIP', ['SE-10'])]
    const whole = makeReport(about, judged)
    const parts = judged.map((each, n) => makeReport({ ...about, took: n }, [each]))
    expect(mergeReports(parts.toReversed())).toEqual({ ...whole, took: 2 })
    for (const other of [{ target: 'b' }, { profile: 'smoke' as const }, { seed: 2 }])
      expect(() => mergeReports([whole, makeReport({ ...about, ...other }, judged)])).toThrow(
        'Expected reports of one campaign',
      )
    expect(() => mergeReports([])).toThrow('at least one report')
  })

  it('exits with a code for its result', () => {
    const codeOf = (...judged: Judgement[]) => exitCodeOf(makeReport(about, judged))
    const id: [RequirementId] = ['TX-01']
    const quiet = (['PASS', 'WARN', 'SKIP', 'XFAIL'] as const).map((verdict) => judgement(verdict, id))
    expect(codeOf(...quiet)).toBe(0)
    expect(codeOf(judgement('INCONCLUSIVE', ['TX-02']), ...quiet)).toBe(3)
    expect(codeOf(judgement('ERROR', ['TX-03']), judgement('INCONCLUSIVE', ['TX-02']))).toBe(2)
    expect(codeOf(judgement('XPASS', ['TX-04']), judgement('ERROR', ['TX-03']))).toBe(1)
    expect(codeOf(failure('TX-05'), judgement('ERROR', ['TX-03']))).toBe(1)
    expect(codeOf(failure('TX-19'))).toBe(0)
  })
})

describe('the coverage of a campaign', () => {
  const hops = { 'sign-in: checkingCsrf -(csrf.accepted)-> resolvingCallbackUrl': 1 }
  const judged = judgement('PASS', ['TX-01'], { hops })
  const whole = { ...about, applications: 2 }

  it('fails below its minimum', () => {
    const report = makeReport(whole, [judged, judgement('SKIP', ['TX-16'], { runs: 0 })])
    expect(report.gaps.join()).toMatch(/states: 2 of \d+ were reached/)
    expect(exitCodeOf(report)).toBe(1)
  })

  it('fails if a property never checks a requirement that it lists', () => {
    const part = { ...judged, checks: { 'TX-01': 3 } }
    const on = (checks: Judgement['checks']) => ({
      ...part,
      setup: 'jwt',
      proves: ['TX-01', 'TX-02'] as const,
      checks,
    })
    const smoke = { ...whole, profile: 'smoke' as const }
    expect(makeReport(smoke, [part, on({ 'TX-02': 1 })]).gaps).toEqual([])
    const report = makeReport(smoke, [part, on({ 'TX-01': 1 })])
    expect(report.gaps).toEqual([`no case of "${judged.property}" checked TX-02, which it lists`])
    expect(exitCodeOf(report)).toBe(1)
  })

  it('is not required of a partial campaign, or after its time limit', () => {
    const notBegun = judgement('INCONCLUSIVE', ['TX-02'], { runs: 0 })
    for (const part of [[judged], [judged, notBegun]]) expect(makeReport(whole, part).gaps).toEqual([])
    const checked = { ...judged, checks: { 'TX-01': 1 } }
    expect(makeReport({ ...whole, profile: 'smoke' }, [checked, checked]).gaps).toEqual([])
  })
})

describe('a replay token', () => {
  it('is one word, and decodes to the values that it encodes', () => {
    const place = { property: 'ü “quoted”', setup: 'jwt', seed: -5, path: '3:0:1' }
    expect(writeToken(place)).toMatch(/^[\w-]+$/)
    expect(readToken(writeToken(place))).toEqual(place)
  })

  it.each(['', '%', 'bm8', btoa('["a","b","c","d"]'), btoa('{}')])('rejects anything else: %j', (word) => {
    expect(() => readToken(word)).toThrow('Expected a replay token from a report')
  })
})
