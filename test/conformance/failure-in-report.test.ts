import { describe, expect, it } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { writeReports } from '../../fuzz/report/formats.ts'
import { writeText } from '../../fuzz/report/text.ts'
import { makeReport } from '../../fuzz/run/report.ts'
import { failure, seen } from './support.ts'

const about = { target: 'a', profile: 'ci', seed: 1, took: 1 } as const
const property = properties[0]?.name ?? ''

describe('a failure in a report', () => {
  const judgements = [
    failure('WIR-063', { property }),
    failure('DEC-10a', { property }),
    failure('EVT-009', { property }),
    seen('OI-07', { property }),
  ]
  const report = makeReport({ ...about, only: ['WIR-063', 'DEC-10a', 'EVT-009', 'OI-07'] }, judgements)

  it('is titled by what happened, and not by what should have', async () => {
    const [file] = await writeReports('html', [report])
    expect(file?.content).toContain(' OI-07: it broke</summary>')
    expect(file?.content).not.toContain(`${property}</summary>`)
    expect(writeText(report)).toContain('Start with OI-07: it broke')
  })

  it('says what an attacker gains at worst only if a failure is that severe', async () => {
    const text = writeText(report)
    expect(text).toContain('An attacker signs in as any user with an id_token')
    expect(text).not.toContain('A user receives the session of another user')
    const [file] = await writeReports('html', [report])
    expect(file?.content).toContain('An attacker signs in as any user with an id_token')
    expect(file?.content).not.toContain('A user receives the session of another user')
  })

  it('tells decisions of this project and the interface of Auth.js from standards', () => {
    const text = writeText(report)
    expect(text).toMatch(/\(a decision of this project: /)
    expect(text).toMatch(/\(the interface of Auth\.js: /)
    expect(text.match(/a decision of this project|the interface of Auth\.js/g)).toHaveLength(3)
  })

  it('has its impact and its fix at the top of the page', async () => {
    const [tested] = properties
    const [file] = await writeReports('html', [report])
    const [, top = ''] = /<ol class="fixes">([^]*?)<\/ol>/.exec(file?.content ?? '') ?? []
    expect(top).toContain(`<p>Impact: ${tested?.story}</p>`)
    expect(top).toContain('<p>Fix: ')
  })

  it('has its own place if its requirement also fails as the baseline expects', async () => {
    const both = [failure('OI-07', { property }), failure('OI-07', { property: 'other', verdict: 'XFAIL' })]
    const [file] = await writeReports('html', [makeReport({ ...about, only: ['OI-07'] }, both)])
    const places = [...(file?.content.matchAll(/<details id="([^"]+)" class="finding"/g) ?? [])].map(
      ([, id]) => id,
    )
    expect(places).toHaveLength(2)
    expect(new Set(places).size).toBe(2)
  })

  it('is counted as in the progress, and once for each property and requirement', () => {
    const text = writeText(
      makeReport(about, [
        failure('RO-05', { property: 'one', setup: 'database' }),
        failure('RO-05', { property: 'one', setup: 'jwt' }),
        failure('RO-05', { property: 'two' }),
        failure('TX-19', { property: 'two' }),
      ]),
    )
    expect(text).toContain('Found 2 broken requirements (')
  })

  it('names no application of a URL, which has only one', async () => {
    const url = { ...about, target: 'http://localhost:3000/auth' }
    const setup = 'the-only-one'
    const two = [failure('OI-07', { property, setup }), failure('OI-07', { property: 'another', setup })]
    const { length } = two
    for (const [made, times] of [
      [makeReport(url, two), 0],
      [makeReport(about, two), length],
    ] as const) {
      const [file] = await writeReports('html', [made])
      for (const shown of [writeText(made), file?.content ?? ''])
        expect(shown.match(/the-only-one/g) ?? []).toHaveLength(times)
    }
  })

  it('has no input if its property has none', async () => {
    const none = failure('OI-07', { property })
    const { finding } = none
    const made = makeReport({ ...about, only: ['OI-07'] }, [
      { ...none, ...(finding && { finding: { ...finding, input: 'undefined' } }) },
    ])
    const [file] = await writeReports('html', [made])
    expect(writeText(made)).not.toContain('undefined')
    expect(file?.content).not.toContain('undefined')
  })
})
