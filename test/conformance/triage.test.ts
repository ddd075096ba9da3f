import { describe, expect, it } from 'vitest'
import { causeOf } from '../../fuzz/causes.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { writeReports } from '../../fuzz/report/formats.ts'
import { writeText } from '../../fuzz/report/text.ts'
import { makeReport } from '../../fuzz/run/report.ts'
import { triage } from '../../fuzz/run/triage.ts'
import { outOfTime, type Finding, type Judgement } from '../../fuzz/run/verdict.ts'
import type { Frame } from '../../src/tools/explorer/data.ts'
import { failure, judgement, seen } from './support.ts'

const about = { target: 'a', profile: 'ci', seed: 1, took: 1 } as const
const property = properties[0]?.name ?? ''
const story = (steps: number, frames?: readonly Frame[]) => {
  const { finding } = failure('TX-01')
  const trace = Array.from({ length: steps }, (_, n) => `ada takes step ${n + 1}`)
  return finding && { finding: { ...finding, trace, ...(frames && { frames }) } }
}

describe('the triage of failures', () => {
  it('orders causes by verdict, then by severity', () => {
    const problems = triage([
      failure('HH-03'),
      seen('JW-06'),
      failure('SE-10'),
      failure('IL-02'),
      seen('TX-05', { verdict: 'XFAIL' }),
      failure('RD-04'),
      seen('OI-07'),
    ])
    expect(problems.map(({ verdict, severity }) => [verdict, severity])).toEqual([
      ['FAIL', 'takeover'],
      ['FAIL', 'session'],
      ['FAIL', 'leak'],
      ['FAIL', 'denial of service'],
      ['FAIL', 'hardening'],
      ['WARN', 'takeover'],
      ['XFAIL', 'takeover'],
    ])
  })

  it('shows a property once, with its applications and its shortest story, and the shortest story of a cause first', () => {
    const rows = triage([
      failure('TX-01', { property: 'long', ...story(9) }),
      failure('TX-02', { property: 'short', setup: 'database', ...story(4) }),
      failure('TX-02', { property: 'short', setup: 'jwt', ...story(2) }),
    ])
    expect(rows.map(({ id, setups, shown }) => [id, setups, shown.setup])).toEqual([
      ['TX-02', ['database', 'jwt'], 'jwt'],
      ['TX-01', ['database'], 'database'],
    ])
  })

  it('orders causes by the worst failure that occurred, and starts with it', () => {
    const problems = triage([
      failure('OI-14'),
      failure('WIR-063'),
      failure('ATN-012'),
      failure('RO-05', story(1)),
      failure('SE-10'),
      seen('AL-01', story(90)),
      failure('DEC-47a', story(2)),
    ])
    expect(problems.map(({ id, severity }) => [causeOf(id).id, id, severity])).toEqual([
      ['linking', 'AL-01', 'takeover'],
      ['revocation', 'SE-10', 'session'],
      ['linking', 'DEC-47a', 'denial of service'],
      ['identity-tokens', 'OI-14', 'hardening'],
      ['bypassed-refusals', 'ATN-012', 'hardening'],
      ['shared-state', 'WIR-063', 'hardening'],
      ['weak-configuration', 'RO-05', 'hardening'],
    ])
  })

  it('uses the severity of what the case saw, and not the worst case of the requirement', () => {
    const { finding } = failure('OI-14')
    const found = { ...finding, meaning: { observed: 'another user' } } as Finding
    expect(triage([failure('OI-14', { finding: found })])[0]?.severity).toBe('takeover')
  })

  it('shows the worst of the failures of one property, however long its story is', () => {
    const steps = story(30)
    const found = { ...steps?.finding, meaning: { observed: 'another user' } } as Finding
    const both = [failure('OI-14', { ...story(2) }), failure('OI-14', { finding: found })]
    expect(triage(both)[0]).toMatchObject({ severity: 'takeover', shown: { finding: found } })
    const { invariants } = makeReport({ ...about, only: ['OI-14'] }, both)
    expect(invariants).toMatchObject([{ id: 'OI-14', severity: 'takeover' }])
  })

  it('keeps the impact of a property if a monitor knows only how severe the failure is', () => {
    const [tested] = properties
    const { finding } = failure('OI-14')
    const found = { ...finding, meaning: { observed: 'another user' } } as Finding
    const shown = failure('OI-14', { property: tested?.name ?? '', finding: found })
    expect(writeText(makeReport(about, [shown]))).toContain(`Could lead to ${tested?.story}`)
  })

  it('lists a requirement once, with its worst failure first', () => {
    const { finding } = failure('OI-14')
    const trace = ['one', 'two', 'three']
    const found = { ...finding, trace, meaning: { observed: 'another user' } } as Finding
    const [row, ...more] = triage([
      failure('OI-14', { property: 'harmless' }),
      failure('OI-14', { property: 'harmful', finding: found }),
    ])
    expect(more).toEqual([])
    expect(row).toMatchObject({
      severity: 'takeover',
      property: 'harmful',
      others: [{ severity: 'hardening', property: 'harmless' }],
    })
  })

  it('lists each requirement on its own, with its own fix, and advice after requirements', () => {
    const rows = triage([
      seen('TX-18'),
      failure('TX-19'),
      seen('TX-17', {}, 'a request'),
      seen('SE-03', {}, 'a request'),
      seen('ACP-07', {}, 'a sign-out'),
    ])
    expect(rows.map(({ severity, id }) => [severity, id])).toEqual([
      ['takeover', 'TX-18'],
      ['denial of service', 'ACP-07'],
      ['hardening', 'SE-03'],
      ['hardening', 'TX-17'],
      ['hardening', 'TX-19'],
    ])
    const text = writeText(
      makeReport(
        about,
        rows.map(({ shown }) => shown),
      ),
    )
    const fixes = text.slice(text.indexOf('Fix first'))
    expect(fixes.match(/^ +\d\. .*: it broke$/gm)).toHaveLength(5)
    expect(fixes).toContain('5. WARN hardening, advice: it broke')
    expect(text).not.toContain(' more')
  })

  it('ignores what does not fail', () => {
    expect(triage([judgement('PASS', ['TX-01']), judgement('ERROR', ['TX-01'])])).toEqual([])
  })
})

describe('the severity of a failure', () => {
  const severityOf = (judged: Judgement) => triage([judged])[0]?.severity

  it('is a takeover only if the case saw the session of another user', () => {
    expect(severityOf(seen('TX-01'))).toBe('takeover')
    expect(severityOf(seen('OI-14'))).toBe('takeover')
    expect(severityOf(failure('TX-01'))).toBe('session')
  })

  it('is what the case saw, and never more than the worst case of the requirement', () => {
    const severities = (['a session', 'a sign-out', 'a request', 'a text'] as const).map((observed) => [
      severityOf(seen('TX-11', {}, observed)),
      severityOf(seen('OI-14', {}, observed)),
    ])
    expect(severities).toEqual([
      ['session', 'hardening'],
      ['denial of service', 'hardening'],
      ['hardening', 'hardening'],
      ['hardening', 'hardening'],
    ])
  })

  it('is a label at each failure, and explained once', async () => {
    const report = makeReport(about, [seen('TX-01'), seen('TX-03'), seen('TX-05', {}, 'a request')])
    const [[html], [markdown]] = await Promise.all([
      writeReports('html', [report]),
      writeReports('markdown', [report]),
    ])
    for (const each of [writeText(report), html?.content, markdown?.content]) {
      expect(each?.match(/An attacker can use the session or the account of another user/g)).toHaveLength(1)
      expect(each?.match(/Alone, it gives an attacker nothing/g)).toHaveLength(1)
      expect(each).not.toMatch(/At worst|Kind of defect|Impact/)
    }
  })
})

it('a report separates standards from the specification of authmachine and from advice', async () => {
  const report = makeReport(about, [
    seen('TX-01'),
    seen('TX-08', {}, 'a broken rule'),
    failure('RD-06'),
    failure('TX-19'),
  ])
  const text = writeText(report)
  const [[html], [markdown]] = await Promise.all([
    writeReports('html', [report]),
    writeReports('markdown', [report]),
  ])
  for (const each of [text, html?.content, markdown?.content])
    expect(each).toContain(
      '3 requirements broken (1 required by a standard, 2 required by the specification of authmachine) and 1 recommendation not followed.',
    )
  expect(text).toMatch(/Required {4}A callback from .* \(TX-01, required by a standard: RFC 9700 §2\.1/)
  expect(text).toMatch(/\(TX-08, required by the specification of authmachine, beyond RFC 7636 §/)
  expect(text).toMatch(/Recommended The CSRF token .* \(TX-19, advice: /)
})

describe('a report of failures', () => {
  const report = makeReport({ ...about, only: ['IL-02', 'TX-01', 'SE-10'] }, [
    failure('IL-02', { property }),
    seen('TX-01', { property, ...story(90) }),
    judgement('SKIP', ['SE-10'], { reason: 'the target has no clock' }),
    judgement('INCONCLUSIVE', ['SE-11'], { reason: 'too few' }),
  ])

  it('ends with what limits it, and then with what to fix first and why', () => {
    const text = writeText(report)
    const places = [
      /FAIL TX-01 it broke/,
      /FAIL IL-02 it broke/,
      /Tested 3 of 4 requirements/,
      /Not judged: 1 requirement /,
      /Before you trust a PASS/,
      /SE-11 is INCONCLUSIVE \(too few\)/,
      /Fix first/,
      /1\. .*takeover: it broke/,
      /RFC 9700 §/,
      /2\. .*leak: it broke/,
      /\(IL-02, required by/,
    ].map((part) => text.search(part))
    expect(places).not.toContain(-1)
    expect(text.slice(places[6])).toMatch(
      /1\. .*takeover(?:.|\n)*RFC 9700 §(?:.|\n)*2\. .*leak(?:.|\n)*\(IL-02, required by/,
    )
    expect(places.slice(0, 7)).toEqual(places.slice(0, 7).toSorted((a, b) => a - b))
  })

  it('keeps the status of a response whose request is long', () => {
    const long = `ada returns from alpha: GET /callback?${'x'.repeat(400)} → 302, to https://app.example/${'y'.repeat(400)}, clears a`
    const { finding } = failure('TX-01')
    const text = writeText(
      makeReport(about, [failure('TX-01', { ...(finding && { finding: { ...finding, trace: [long] } }) })]),
    )
    expect(text).toMatch(
      /1\. ada returns from alpha: GET \/callback\?x+ … x+ → 302, to https:\/\/app\.example\/y+ … y+, clears a\n/,
    )
    const [line = ''] = /^ +1\. .*$/m.exec(text) ?? []
    expect(line.length).toBeLessThan(260)
  })

  it('says which failures may have one defect, and who the users in the steps are', async () => {
    const kin = makeReport(about, [
      seen('TX-05', story(2), 'a session'),
      seen('TX-07', {}, 'a secret'),
      seen('TX-11', {}, 'a text'),
      seen('IL-02', {}, 'a secret'),
    ])
    const [[html], [markdown]] = await Promise.all([
      writeReports('html', [kin]),
      writeReports('markdown', [kin]),
    ])
    for (const each of [writeText(kin), html?.content, markdown?.content]) {
      expect(each?.split('Perhaps the same defect as 1: try again after that fix.')).toHaveLength(2)
      expect(each).toContain('honest users, each with a browser')
    }
    expect(writeText(kin)).toMatch(/TX-07.*\n.*Perhaps the same defect/)
  })

  it('leaves out the middle of a long story', () => {
    const text = writeText(report)
    expect(text).toContain('ada takes step 3\n')
    expect(text).toContain('… 75 steps')
    expect(text).not.toContain('ada takes step 55\n')
    expect(text).toContain('90. ada takes step 90\n')
  })

  it('begins the page with what limits it, and stays under 320 kB with forty failures', async () => {
    const ids = new Set(properties.map(({ proves: [id] }) => id))
    const some = [...ids]
      .slice(0, 40)
      .flatMap((id) => properties.find(({ proves }) => proves[0] === id) ?? [])
    const forty = makeReport(
      about,
      some.flatMap(({ name, proves: [id] }) =>
        ['database', 'jwt'].map((setup) => failure(id, { property: name, setup, ...story(30, []) })),
      ),
    )
    const [file] = await writeReports('html', [forty])
    const html = file?.content ?? ''
    expect(html.match(/class="finding"/g)).toHaveLength(40)
    expect(html.match(/Play this failure on the diagram/g)).toHaveLength(40)
    expect(Buffer.byteLength(html)).toBeLessThan(320_000)
    const places = ['Not judged: ', 'Fix first in a', 'class="finding"', 'id="matrix"'].map((part) =>
      html.indexOf(part),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('shows tested requirements first, and groups the others by the reason why they were not tested', async () => {
    const reason = 'the target has no clock'
    const made = makeReport({ ...about, only: ['SE-10', 'SE-04', 'SE-05', 'TX-01'] }, [
      judgement('SKIP', ['SE-10'], { reason }),
      judgement('SKIP', ['SE-05'], { reason }),
      judgement('SKIP', ['SE-04'], { reason: 'the target has no store' }),
      judgement('PASS', ['TX-01']),
    ])
    const [file] = await writeReports('html', [made])
    const page = file?.content ?? ''
    const shown = page.slice(page.indexOf('id="matrix"'))
    expect(shown).toContain('<summary>2 not tested: the target has no clock</summary>')
    expect(shown).toContain('<summary>1 not tested: the target has no store</summary>')
    const places = [
      'id="TX-01"',
      '2 not tested',
      'id="SE-05"',
      'id="SE-10"',
      '1 not tested',
      'id="SE-04"',
    ].map((part) => shown.indexOf(part))
    expect(places).not.toContain(-1)
    const [tested = 0, ...groups] = places
    expect(Math.min(...groups)).toBeGreaterThan(tested)
    expect(groups).toEqual(groups.toSorted((a, b) => a - b))
    expect(page.match(/the target has no clock/g)).toHaveLength(1)
  })

  it('explains a requirement once on the page, with the steps of its first failure only', async () => {
    const two = properties.slice(0, 2).map(({ name }) => failure('TX-01', { property: name, ...story(5) }))
    const [file] = await writeReports('html', [makeReport(about, two)])
    const html = file?.content ?? ''
    expect(html.match(/class="finding"/g)).toHaveLength(1)
    expect(html.match(/<dt>Also<\/dt>/g)).toHaveLength(1)
    expect(html.match(/<dt>Required<\/dt>/g)).toHaveLength(1)
    expect(html.match(/ada takes step 5/g)).toHaveLength(1)
    expect(html.match(/--replay/g)).toHaveLength(2)
  })
})

describe('what can make a PASS meaningless', () => {
  it('is each verdict that proves nothing, with its most frequent reason', () => {
    const { cautions } = makeReport({ ...about, only: ['TX-01', 'TX-02', 'TX-03', 'SE-10'] }, [
      judgement('INCONCLUSIVE', ['TX-01'], { reason: 'nobody can sign in' }),
      judgement('INCONCLUSIVE', ['TX-02'], { reason: 'nobody can sign in' }),
      judgement('INCONCLUSIVE', ['TX-03'], { reason: 'too late' }),
      judgement('ERROR', ['SE-10'], { reason: 'TypeError: x\n  at y' }),
    ])
    expect(cautions).toEqual([
      'SE-10 is ERROR (TypeError: x).',
      'TX-01, TX-02 and TX-03 are INCONCLUSIVE (2 of them: nobody can sign in).',
    ])
  })

  it('is a run of a part of the campaign, or of few cases', () => {
    const judged = [failure('TX-01'), judgement('PASS', ['TX-02'], { property: 'of TX-01' })]
    const smoke = { ...about, profile: 'smoke', applications: 9 } as const
    const isShort = expect.stringContaining('Run --profile ci, or --seeds 3') as string
    expect(makeReport(smoke, judged).cautions).toEqual([
      expect.stringContaining('it ran 1 of 9 tests. A test is one property on one application'),
      isShort,
    ])
    expect(makeReport({ ...smoke, only: ['TX-01', 'TX-02'] }, judged).cautions).toEqual([isShort])
  })

  it('is not mentioned when everything was judged', () => {
    expect(makeReport({ ...about, only: ['TX-01'] }, [judgement('PASS', ['TX-01'])]).cautions).toEqual([])
  })
})

it('a report says how to judge the requirements for which there was no time', () => {
  const { cautions } = makeReport({ ...about, only: ['TX-01'] }, [
    judgement('INCONCLUSIVE', ['TX-01'], { reason: outOfTime }),
  ])
  expect(cautions).toEqual([
    expect.stringContaining('TX-01 is INCONCLUSIVE'),
    expect.stringContaining('run it with --time 30m'),
  ])
})

describe('several seeds', () => {
  const report = makeReport({ ...about, seeds: [1, 1001], only: ['TX-01', 'TX-02'] }, [
    failure('TX-01', { seed: 1 }),
    judgement('PASS', ['TX-01'], { seed: 1001 }),
    judgement('PASS', ['TX-02'], { seed: 1 }),
    judgement('PASS', ['TX-02'], { seed: 1001 }),
  ])

  it('give the worse verdict, and the number of seeds for each where they disagree', () => {
    expect(report.invariants).toMatchObject([
      { id: 'TX-01', verdict: 'FAIL', seeds: { FAIL: 1, PASS: 1 } },
      { id: 'TX-02' },
    ])
    expect(report.invariants[1]?.seeds).toBeUndefined()
  })

  it('are shown in the text and on the page', async () => {
    const text = writeText(report)
    expect(text).toContain('The 2 seeds agree about 1 of 2 requirements\n  TX-01: FAIL with 1, PASS with 1\n')
    expect(text).toContain('seeds 1, 1001')
    const [file] = await writeReports('html', [report])
    expect(file?.content).toContain('FAIL with 1, PASS with 1')
  })
})
