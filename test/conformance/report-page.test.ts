import { describe, expect, it } from 'vitest'
import { causes } from '../../fuzz/causes.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { writeReports } from '../../fuzz/report/formats.ts'
import { topics } from '../../fuzz/report/guide.ts'
import { sourceOf } from '../../fuzz/report/parts.ts'
import { explain, writeText } from '../../fuzz/report/text.ts'
import { makeReport, type ConformanceReport } from '../../fuzz/run/report.ts'
import { unconfirmed, type Finding, type Judgement } from '../../fuzz/run/verdict.ts'
import { requirements } from '../../spec/index.ts'
import { failure, judgement, seen } from './support.ts'

const about = { target: 'a', profile: 'ci', seed: 7, took: 1 } as const
const page = async (report: ConformanceReport) => (await writeReports('html', [report]))[0]?.content ?? ''
const change = (judged: Judgement, more: Partial<Finding>): Judgement => ({
  ...judged,
  ...(judged.finding && { finding: { ...judged.finding, ...more } }),
})
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

/** Failures of that many requirements, with long stories, and three properties each. */
function breakRows(count: number): Judgement[] {
  const rows = [...new Set(properties.flatMap(({ proves: [id] }) => id))].slice(0, count)
  const trace = Array.from(
    { length: 30 },
    (_, n) => `ada takes step ${n + 1}, ${'with a long line, '.repeat(20)}`,
  )
  return rows.flatMap((id) =>
    Array.from({ length: 4 }, (_, n) =>
      change(
        failure(id, { property: properties.find(({ proves }) => proves[0] === id)?.name + ' '.repeat(n) }),
        {
          says: `failure ${n} of ${id}: ${'a long result '.repeat(30)}`,
          input: JSON.stringify('x'.repeat(5000)),
          replay: 'W'.repeat(180),
          trace,
        },
      ),
    ),
  )
}

describe('a page with many failures', () => {
  it('stays under 320 kB, and says where the rest is', async () => {
    const html = await page(makeReport(about, breakRows(130)))
    expect(html.match(/class="finding"/g)).toHaveLength(130)
    expect(html.match(/<dt>(?:Required|Recommended)<\/dt>/g)).toHaveLength(130)
    expect(html).toMatch(/→ observed: .*; expected: the target /)
    expect(html).toContain('more failures, in the JSON report')
    expect(html).toContain('in the JSON report (--report json)')
    expect(Buffer.byteLength(html)).toBeLessThan(320_000)
  })

  it('stays under 300 kB even if every requirement is broken', async () => {
    const html = await page(makeReport(about, breakRows(Infinity)))
    expect(html.match(/class="finding"/g)?.length).toBeGreaterThan(250)
    expect(Buffer.byteLength(html)).toBeLessThan(300_000)
  })

  it('shows the steps of the worst failures, whatever their cause', async () => {
    const hardening = causes.flatMap(({ severity, rows }) => (severity === 'hardening' ? rows : []))
    const story = { trace: ['a step of a takeover'] }
    const html = await page(
      makeReport(about, [
        ...hardening.map((id) => failure(id)),
        failure('OI-14'),
        change(failure('JW-05'), story),
      ]),
    )
    expect(html.includes('1. a step of a takeover')).toBe(true)
    const story14 = /<details id="a-OI-14"(.*?)<\/details>/s.exec(html)?.[1]
    expect(story14).toContain('--replay token')
  })

  it('shows five failures in full, and links to the others', async () => {
    const worst = causes.slice(0, 8).flatMap(({ rows: [id] }) => failure(id))
    const html = await page(makeReport(about, worst))
    const [, full = ''] = /<ol class="fixes">(.*?)<\/ol>/s.exec(html) ?? []
    expect(full.match(/<li/g)).toHaveLength(5)
    expect(full.match(/<p>(?:Required|Recommended): /g)).toHaveLength(5)
    const [, then = ''] = /<ol class="then" start="6">(.*?)<\/ol>/s.exec(html) ?? []
    expect(then.match(/<li/g)).toHaveLength(3)
    expect(then).not.toMatch(/Required|Recommended/)
    const text = writeText(makeReport(about, worst))
    expect(text.slice(text.indexOf('Fix first')).match(/^ {5}(?:Required|Recommended) /gm)).toHaveLength(5)
    expect(text).toMatch(/Then\S*\n {2}6\. .*\(\S+-\w+\)\n/)
  })
})

describe('a failure on the page', () => {
  it('is repeated by a whole command, as in the text', async () => {
    const made = makeReport({ ...about, target: './my target.ts' }, [failure('OI-07')])
    const command = `npx authmachine-conformance './my target.ts' --replay token`
    expect(textOf(await page(made)).replaceAll('&#39;', "'")).toContain(command)
    expect(writeText(made)).toContain(command)
    expect(explain(failure('OI-07'), './my target.ts')).toContain(command)
    const url = makeReport({ ...about, command: 'npx authmachine-conformance http://a --port 5010' }, [
      failure('OI-07'),
    ])
    expect(await page(url)).toContain('http://a --port 5010 --replay token')
  })

  it('has a mark where the check failed', async () => {
    const made = makeReport(about, [change(failure('OI-07'), { trace: ['one', 'two'] })])
    expect(textOf(await page(made))).toContain('1. one 2. two → observed: it broke; expected: the target ')
    expect(writeText(made)).toMatch(/2\. two\n.*→ observed: it broke; expected: the target /)
  })

  it('keeps the response of a long step, and what is unusual in the URL of a redirect', () => {
    const usual =
      'response_type=code&client_id=client-at-alpha&redirect_uri=http%3A%2F%2Flocalhost%3A4802%2Fauth%2Fcallback%2Falpha&code_challenge=‹secret 3›&code_challenge_method=S256&scope=openid+profile'
    const start = `ada starts a sign-in: POST /auth/signin/alpha → 302, to http://127.0.0.1:6420/authorize?${usual}&prompt=odd, sets check`
    const read = `eve reads the session: GET /?${'user=ada%40alpha.example&'.repeat(20)} → 200, ada`
    const text = writeText(makeReport(about, [change(failure('OI-07'), { trace: [start, read] })]))
    expect(text).toContain(
      '1. ada starts a sign-in: POST /auth/signin/alpha → 302, to http://127.0.0.1:6420/authorize?prompt=odd, sets check',
    )
    expect(text).toMatch(/2\. eve reads the session: .{60,} … .* → 200, ada\n/)
  })

  it('has a title that ends after a word, with long names shortened', () => {
    const says = `the address a@${'m'.repeat(64)}.example, which ${'is not one '.repeat(20)}`
    const text = writeText(makeReport(about, [change(failure('OI-07'), { says })]))
    expect(text).toMatch(/ 1\. .*the address a@m{22}…m+\.example, which .* (?:is|not|one) …\n/)
  })

  it('says if it did not occur each time', async () => {
    const again = (failures: number) => change(failure('OI-07'), { again: { failures, tries: 10 } })
    const says = 'Occurs only in 3 of 10 repetitions: '
    const made = makeReport(about, [again(3)])
    expect(await page(made)).toContain(`<dt>Doubt</dt><dd>${says}`)
    expect(writeText(made)).toContain(says)
    expect(await page(makeReport(about, [again(10)]))).not.toContain('<dt>Doubt</dt>')
  })

  it('is listed apart if it did not occur again on its own, and is in the cautions', async () => {
    const reason = `${unconfirmed}: one link opened two sessions`
    const made = makeReport({ ...about, only: ['SU-01'] }, [judgement('INCONCLUSIVE', ['SU-01'], { reason })])
    expect(textOf(await page(made))).toContain('INCONCLUSIVE SU-01: one link opened two sessions (expected: ')
    expect(made.cautions).toContainEqual(
      expect.stringMatching(/^SU-01 failed after other tests, but not on their own\. .*--only/),
    )
  })
})

it('a source names a provider of the catalogue as such', async () => {
  expect(sourceOf('OI-06')).toMatch(/; Wire 16, provider line$/)
})

describe('the top of the page', () => {
  it('has the date, and the command that runs the campaign again', async () => {
    const made = makeReport({ ...about, date: '2030-01-02T03:04:05.006Z', only: ['OI', 'TX'] }, [])
    const command = 'npx authmachine-conformance a --profile ci --seed 7 --only OI,TX'
    expect(textOf(await page(made))).toContain(`2030-01-02 03:04 UTC: ${command}`)
    expect(writeText(made)).toContain(`Run it again: ${command}`)
  })

  it('counts requirements as the list does, without those that are skipped in part', async () => {
    const reason = 'the target does not declare the capability store'
    const { id } = requirements.find(({ within }) => within !== undefined) ?? {}
    if (id === undefined) throw new Error('Expected a requirement with a part')
    const made = makeReport({ ...about, only: [id, 'SE-10', 'TX-02'] }, [
      judgement('PASS', [id], { unclaimed: { [id]: 'store' } }),
      judgement('SKIP', ['SE-12'], { reason }),
      judgement('SKIP', ['TX-02'], { reason }),
    ])
    const unjudged =
      'Not judged: 3 requirements (2 about features that the description does not declare, 1 have no test), and a part of 1 other.'
    expect(writeText(made)).toContain(`\n${unjudged} --report html lists them.\n`)
    expect(made.cautions).toEqual([])
    const text = textOf(await page(made))
    expect(text).toContain(unjudged)
    expect(text).toContain('tested 1 of 4 requirements: 1 PASS')
    expect(text).toContain(`2 not tested: ${reason}`)
  })

  it('says what to do if honest users are refused', () => {
    const reason =
      'the target refuses an honest sign-in at alpha too (no session), so other refusals prove nothing'
    const { cautions } = makeReport({ ...about, only: ['TX-01'] }, [
      judgement('INCONCLUSIVE', ['TX-01'], { reason }),
    ])
    expect(cautions).toContainEqual(expect.stringMatching(/^TX-01 could not be judged.*Sign in by hand/))
  })

  it('explains the users, the providers and the letters of all ids', async () => {
    const text = textOf(await page(makeReport(about, [])))
    for (const word of ['Property', 'Case', 'Capability', 'eve', 'plain', 'XPASS', 'JW session tokens (JWT)'])
      expect(text).toContain(word)
    const letters = new Set(
      [
        ...requirements.filter(({ mode }) => mode !== undefined).map(({ id }) => id),
        ...causes.flatMap(({ rows }) => rows),
      ].map((id) => id.replace(/-.*/, '')),
    )
    expect(Object.keys(topics).toSorted()).toEqual([...letters].toSorted())
  })
})

it('a requirement is filtered by the severity of what happened', async () => {
  const html = await page(makeReport({ ...about, only: ['TX-01'] }, [seen('TX-01', {}, 'a request')]))
  expect(html).toContain('<tr id="TX-01" data-severity="hardening"')
})
