import { describe, expect, it } from 'vitest'
import { properties } from '../../fuzz/properties/index.ts'
import { isPortable } from '../../fuzz/properties/property.ts'
import { formats, writeReports } from '../../fuzz/report/formats.ts'
import { writeText } from '../../fuzz/report/text.ts'
import { makeReport } from '../../fuzz/run/report.ts'
import { needsWire } from '../../fuzz/run/why-not.ts'
import { requirement, type RequirementId } from '../../spec/index.ts'
import { failure, judgement, seen } from './support.ts'

interface SarifTitles {
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: {
          readonly rules: readonly {
            readonly id: RequirementId
            readonly shortDescription: { readonly text: string }
            readonly fullDescription: { readonly text: string }
          }[]
        }
      }
      readonly results: readonly { readonly message: { readonly text: string } }[]
    },
  ]
}

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
    expect(file?.content).toMatch(/<span class="severity">takeover<\/span> <a href="#a-OI-07">it broke<\/a>/)
    const text = writeText(report)
    expect(text).toMatch(/^FAIL OI-07 it broke \[database\]$/m)
    expect(text).toContain('1. FAIL takeover: it broke\n')
  })

  it('is titled by what happened in the files for other programs', async () => {
    const [[markdown], [junit], [sarif]] = await Promise.all([
      writeReports('markdown', [report]),
      writeReports('junit', [report]),
      writeReports('sarif', [report]),
    ])
    expect(markdown?.content).toContain('1. **takeover: it broke** (OI-07)')
    expect(markdown?.content).toContain('### FAIL OI-07, takeover: it broke\n')
    expect(junit?.content.match(/<failure message="it broke" /g)).toHaveLength(judgements.length)
    const { runs } = JSON.parse(sarif?.content ?? '') as SarifTitles
    const [{ tool, results }] = runs
    expect(tool.driver.rules).toHaveLength(judgements.length)
    for (const { id, shortDescription, fullDescription } of tool.driver.rules) {
      const says = requirement(id).says.slice(0, 30)
      expect(shortDescription.text.startsWith(`Requirement broken: ${says}`)).toBe(true)
      expect(fullDescription.text.startsWith(`Required: ${says}`)).toBe(true)
    }
    for (const { message } of results) expect(message.text).toMatch(/^It broke\. Severity: /)
  })

  it('quotes the rule and the clause below the title, and not in it', () => {
    const text = writeText(report)
    expect(text).toMatch(
      /^ {2}Required {6}A bad id_token signature .* \(required by a standard: OIDC Core §/m,
    )
    expect(text).toContain(`\n  Expected      the target ${property}\n`)
  })

  it('tells decisions of this project and the interface of Auth.js from standards', () => {
    const text = writeText(report)
    expect(text).toMatch(/\(required by the specification of authmachine, a decision: /)
    expect(text).toMatch(/\(required by the specification of authmachine, the interface of Auth\.js: /)
    // Each of the three has its source at the failure, and in the list of the first fixes.
    expect(text.match(/a decision: |the interface of Auth\.js/g)).toHaveLength(6)
  })

  it('has its fix at the top of the page, and says once what it could lead to', async () => {
    const [tested] = properties
    const [file] = await writeReports('html', [report])
    const [, top = ''] = /<ol class="fixes">([^]*?)<\/ol>/.exec(file?.content ?? '') ?? []
    expect(top).not.toContain('Could lead to')
    expect(file?.content.split(`<dt>Could lead to</dt><dd>${tested?.story}`)).toHaveLength(
      judgements.length + 1,
    )
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
    expect(text).toContain(
      '1 requirement broken (1 required by a standard) and 1 recommendation not followed.',
    )
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

describe('a report about an application with custom routes', () => {
  const portable = properties.filter(isPortable)
  const others = properties.filter((each) => !portable.includes(each))

  it('has no words of Auth.js, whatever fails', async () => {
    const made = makeReport({ ...about, target: 'http://localhost:4800' }, [
      ...portable.map(({ name, proves: [id] }) => failure(id, { property: name })),
      ...others.map(({ name, proves }) => judgement('SKIP', proves, { property: name, reason: needsWire })),
    ])
    const files = await Promise.all(
      formats.filter((format) => format !== 'json').map((format) => writeReports(format, [made])),
    )
    const texts = [writeText(made), ...files.flat().map(({ content }) => content)]
    expect(texts).toHaveLength(formats.length)
    for (const text of texts) {
      // An advisory names the project and the option that it was about.
      const own = text.replaceAll(/(?:GHSA|CVE)-[^<\n]*/g, '')
      const found = own.match(/(?:callbackUrl|[Aa]uth(?:js(?!\/)|\.js)|NextAuth|csrfToken|\bAUTH_).{0,40}/g)
      expect(found ?? []).toEqual([])
    }
  })
})
