import { beforeAll, describe, expect, it } from 'vitest'
import { property } from '../../fuzz/properties/property.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { formats, writeReports } from '../../fuzz/report/formats.ts'
import { explain, writeText } from '../../fuzz/report/text.ts'
import { measureCoverage } from '../../fuzz/run/coverage.ts'
import { fingerprint } from '../../fuzz/run/fingerprint.ts'
import { makeReport } from '../../fuzz/run/report.ts'
import { triage } from '../../fuzz/run/triage.ts'
import type { Judgement } from '../../fuzz/run/verdict.ts'
import { canaries, talkative } from './broken-targets.ts'
import { failure, judgeHere, judgement, seen } from './support.ts'

const about = { target: talkative.name, profile: 'ci', seed: 1, took: 1500 } as const
const [written] = properties
const name = written?.name ?? ''

/** One judgement of each kind, so that the counts of a report differ. */
const judged: readonly Judgement[] = [
  failure('TX-01', { property: name }),
  failure('TX-19', { property: name, setup: 'jwt' }),
  judgement('PASS', ['TX-02']),
  judgement('SKIP', ['SE-10'], { reason: 'the target does not support the feature <store>' }),
  judgement('INCONCLUSIVE', ['SE-11'], { reason: 'too few' }),
  judgement('ERROR', ['SE-12'], { reason: 'TypeError: x' }),
  judgement('XPASS', ['SE-13'], { reason: 'the baseline expects it to fail' }),
]
const only = judged.flatMap(({ proves }) => proves)
const report = makeReport({ ...about, only }, judged)
const write = async (format: (typeof formats)[number]) =>
  (await writeReports(format, [report]))[0]?.content ?? ''

describe('the HTML report', () => {
  it('shows the matrix, and each finding in full', async () => {
    const html = await write('html')
    for (const { id, verdict } of report.invariants.filter(({ part }) => part === undefined))
      expect(html).toMatch(new RegExp(`<tr id="${id}" .*?class="verdict ${verdict}"`))
    expect(html).toContain('it broke')
    expect(html).toContain('--replay token')
  })

  it('explains a finding of a monitor with the text of the monitor, not of the property', async () => {
    const meaning = { story: 'a session came back', advice: 'extend a session that still exists' }
    const { finding } = failure('TX-01')
    if (!finding) throw new Error('Expected a finding')
    const watched = failure('TX-01', { property: name, finding: { ...finding, meaning } })
    const [html] = await writeReports('html', [makeReport({ ...about, only: ['TX-01'] }, [watched])])
    for (const text of [html?.content ?? '', explain(watched, about.target)]) {
      expect(text).toContain(meaning.story)
      expect(text).toContain(meaning.advice)
      expect(text).not.toContain(written?.advice)
    }
  })

  it('shows any target name as text', async () => {
    const html = await write('html')
    expect(html).toContain('talkative &lt;script')
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toContain('<store')
  })
})

describe('reports for build servers', () => {
  it('do not count a broken SHOULD as a failure in JUnit', async () => {
    const xml = await write('junit')
    const count = (attribute: string) => Number(new RegExp(` ${attribute}="(\\d+)"`).exec(xml)?.[1])
    // The skipped requirement is not a test case: nothing was judged.
    expect(['tests', 'failures', 'errors', 'skipped'].map(count)).toEqual([6, 2, 1, 2])
    const tags = (tag: string) => xml.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0
    expect(['testcase', 'failure', 'error', 'skipped'].map(tags)).toEqual([6, 2, 1, 2])
    expect(xml).toContain('1 about features that only a library has')
    expect(xml).not.toMatch(/<script|<store/)
  })

  it('escape text from the target: JUnit stays valid XML, and SARIF contains no links from it', async () => {
    const { finding } = failure('TX-01')
    const trace = ['says ]]> \0', 'says [How to fix](https://evil.example/) {0} \\']
    const made = makeReport(about, [failure('TX-01', { ...(finding && { finding: { ...finding, trace } }) })])
    const [[xml], [sarif]] = await Promise.all([writeReports('junit', [made]), writeReports('sarif', [made])])
    expect(xml?.content).toContain('says ]]&gt; \uFFFD')
    expect(xml?.content).not.toMatch(/\]\]>|\0/)
    const { runs } = JSON.parse(sarif?.content ?? '') as Sarif
    expect(runs[0]?.results[0]?.message.text).toContain(
      'says \\[How to fix\\](https://evil.example/) {{0}} \\\\',
    )
  })

  it('contain what GitHub requires of SARIF, and only the broken requirements', async () => {
    const { version, runs } = JSON.parse(await write('sarif')) as Sarif
    expect(version).toBe('2.1.0')
    expect(runs).toHaveLength(1)
    const [{ tool, results, automationDetails }] = runs
    expect(tool.driver.name).toMatch(/\S/)
    expect(automationDetails.id).toMatch(/^authmachine-conformance\/[\w.-]+\/$/)
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['TX-01', 'TX-19'])
    for (const { shortDescription, fullDescription, help, properties } of tool.driver.rules) {
      for (const { text } of [shortDescription, fullDescription]) {
        expect(text).toMatch(/\S/)
        expect(text.length).toBeLessThanOrEqual(1024)
      }
      expect(help.text).toMatch(/^(?:Required|Recommended): .*\([^()]*\)/)
      expect(help.markdown).toMatch(/^\*\*(?:Required|Recommended):\*\* /)
      expect(properties.tags).toContain('security')
      expect(properties.tags.length).toBeLessThanOrEqual(10)
      expect(Number(properties['security-severity'])).toBeGreaterThan(0)
    }
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['TX-01', 'error'],
      ['TX-19', 'warning'],
    ])
    for (const { ruleId, ruleIndex, message, locations, partialFingerprints } of results) {
      expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
      expect(message.text).toMatch(/^It broke\. Severity: /)
      expect(locations).toHaveLength(1)
      const { artifactLocation, region } = locations[0].physicalLocation
      expect(artifactLocation.uri).toBe('package.json')
      expect(region.startLine).toBe(1)
      expect(locations[0].logicalLocations[0]?.name).toBe(talkative.name)
      expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{16}:1$/)
    }
  })

  it('place a failure in the file of the target, relative to the repository', async () => {
    const made = { ...report, source: 'tests/my target.json' }
    const [file] = await writeReports('sarif', [made])
    const { runs } = JSON.parse(file?.content ?? '') as Sarif
    const [result] = runs[0].results
    expect(result?.locations[0].physicalLocation.artifactLocation.uri).toBe('tests/my%20target.json')
  })

  it('list requirements before recommendations, whatever their severity', async () => {
    const made = makeReport(about, [seen('TX-19'), failure('HH-03'), seen('TX-01')])
    const [file] = await writeReports('sarif', [made])
    const { runs } = JSON.parse(file?.content ?? '') as Sarif
    expect(runs[0].results.map(({ ruleId }) => ruleId)).toEqual(['TX-01', 'HH-03', 'TX-19'])
  })

  it('place a failure at the line of the description that it concerns', async () => {
    const { finding } = failure('TX-01')
    const leaks = failure('IL-02', {
      property: name,
      ...(finding && { finding: { ...finding, says: 'the log contains a token' } }),
    })
    const places = [{ member: 'log', value: 'app.log', line: 12, column: 10, end: 19 }]
    const made = { ...makeReport(about, [failure('TX-01'), leaks]), source: 'target.json', places }
    const [file] = await writeReports('sarif', [made])
    const { runs } = JSON.parse(file?.content ?? '') as Sarif
    expect(
      runs[0].results.map(({ ruleId, locations: [{ physicalLocation }] }) => [
        ruleId,
        physicalLocation.region,
      ]),
    ).toEqual([
      ['TX-01', { startLine: 1 }],
      ['IL-02', { startLine: 12, startColumn: 10, endLine: 12, endColumn: 19 }],
    ])
  })

  it('identify a failure across seeds, and list it once', async () => {
    const { finding } = failure('TX-01')
    const seeds = [1, 2].map((seed) =>
      failure('TX-01', { seed, ...(finding && { finding: { ...finding, fingerprint: `of ${seed}` } }) }),
    )
    const read = async (all: readonly Judgement[]) => {
      const [file] = await writeReports('sarif', [makeReport({ ...about, seeds: [1, 2] }, all)])
      const [run] = (JSON.parse(file?.content ?? '') as Sarif).runs
      return run.results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)
    }
    const [first] = await read(seeds)
    expect(await read(seeds)).toEqual([first])
    expect(await read(seeds.slice(1))).toEqual([first])
    expect(await read([failure('TX-01', { setup: 'jwt' })])).not.toEqual([first])
  })

  it('are in the order of the other formats', async () => {
    const made = makeReport(about, [
      failure('HH-03'),
      seen('TX-19'),
      failure('RD-04'),
      failure('OI-14'),
      seen('TX-01'),
      failure('RD-04', { property: 'another' }),
    ])
    const [file] = await writeReports('sarif', [made])
    const { runs } = JSON.parse(file?.content ?? '') as Sarif
    const ids = [...new Set(runs[0].results.map(({ ruleId }) => ruleId))]
    expect(ids).toEqual(triage(made.judgements).map(({ id }) => id))
    expect(runs[0].tool.driver.rules.map(({ id }) => id)).toEqual(ids)
  })

  it('give recommendations no high score, whatever their severity', async () => {
    const [file] = await writeReports('sarif', [makeReport(about, [seen('TX-19'), seen('TX-01')])])
    const { runs } = JSON.parse(file?.content ?? '') as Sarif
    const scores = runs[0].tool.driver.rules.map(({ properties }) => properties['security-severity'])
    expect(scores).toEqual(['9.3', '3.9'])
  })

  it('have rules whose text is the same for each run, without escapes', async () => {
    const { finding } = failure('RO-05')
    const rulesOf = async (says: string) => {
      const made = makeReport(about, [
        failure('RO-05', { ...(finding && { finding: { ...finding, says } }) }),
      ])
      const [file] = await writeReports('sarif', [made])
      return (JSON.parse(file?.content ?? '') as Sarif).runs[0].tool.driver.rules
    }
    const rules = await rulesOf('the secret [""] is accepted')
    expect(rules).toEqual(await rulesOf('the secret {} is accepted'))
    expect(rules[0]?.shortDescription.text).toBe(
      'Requirement broken: An empty, blank or undefined secret, or [""], is refused at start-up',
    )
  })

  it('tag a rule with its severity and cause', async () => {
    const { runs } = JSON.parse(await write('sarif')) as Sarif
    const rule = runs[0].tool.driver.rules.find(({ id }) => id === 'TX-01')
    expect(rule?.properties.tags).toEqual(['security', 'session', 'transactions'])
    expect(rule?.properties['security-severity']).toBe('8.1')
  })
})

describe('the Markdown report', () => {
  it('says what was judged, what to fix first, and what was not judged', async () => {
    const markdown = await write('markdown')
    expect(markdown).toMatch(/^# Conformance of `talkative/)
    expect(markdown).toContain('Tested 6 of 7 requirements in 2 s (profile ci, seed 1): 1 pass, ')
    expect(markdown).toMatch(/## Fix first\n\n1\. \*\*session: it broke\*\* \(TX-01\)/)
    expect(markdown).toContain('### FAIL TX-01, session: it broke')
    expect(markdown).toContain('Not judged: 1 requirement (1 about features that only a library has).')
    expect(markdown).not.toMatch(/^#.*SE-10/m)
  })

  it('shows code in a statement as code', async () => {
    const [file] = await writeReports('markdown', [makeReport(about, [failure('OI-14')])])
    expect(file?.content).toContain('Required: HTTP 200 with `error`, without access\\_token, or')
  })

  it('shows text of the target as text', async () => {
    const { finding } = failure('TX-01')
    const evil = '</details><img src=x> [x](https://evil.example) @somebody'
    const more = { says: evil, trace: ['```', evil] }
    const made = makeReport(about, [
      failure('TX-01', { ...(finding && { finding: { ...finding, ...more } }) }),
    ])
    const [file] = await writeReports('markdown', [made])
    const [, fenced = ''] = /````text\n([^]*?)\n````/.exec(file?.content ?? '') ?? []
    expect(fenced).toContain(evil)
    const rest = file?.content.replace(fenced, '').replaceAll(/`[^`\n]*`/g, '') ?? ''
    expect(rest).not.toMatch(/(?<!\\)<img|(?<!\\)\[x|(?<!\\)@somebody/)
  })
})

describe('a fingerprint', () => {
  it('recognises the same fault when another seed finds it, and distinguishes it from others', () => {
    const of = (trace: readonly string[], setup = 'database') => fingerprint(name, setup, trace)
    const once = of(['ada waits 17 s', 'ada sends: GET /auth/callback/alpha?code=‹secret 2› → 302'])
    expect(once).toBe(of(['ada waits 901 s', 'ada sends: GET /auth/callback/alpha?code=‹secret 9› → 302']))
    expect(once).not.toBe(of(['ada waits 17 s']))
    expect(once).not.toBe(of(['ada waits 17 s', 'ada sends: GET /auth'], 'jwt'))
  })
})

describe('the files of a report', () => {
  it('are named after the target, and are never hidden', async () => {
    const nameOf = async (target: string) =>
      (await writeReports('json', [makeReport({ ...about, target }, judged)]))[0]?.name
    expect(await nameOf('./src/../mine.js')).toBe('src-..-mine.js.json')
    expect(await nameOf('http://localhost:3000/auth')).toBe('http-localhost-3000-auth.json')
  })
})

describe('the text report', () => {
  it('lists the failures and the counts', () => {
    const text = plain(writeText(report))
    for (const line of [
      /FAIL TX-01/,
      /WARN TX-19/,
      /INCONCLUSIVE SE-11 {2}too few/,
      /ERROR SE-12/,
      /XPASS SE-13/,
    ])
      expect(text).toMatch(line)
    expect(text).toContain(
      'Tested 6 of 7 requirements in 2 s (profile ci, seed 1): 1 pass, 1 fail, 1 warn, 1 pass unexpectedly, 1 undecided, 1 stopped by an error of the oracle.',
    )
  })

  it('CLI-010 neutralises control characters from the target', () => {
    const evil = '\u001b]52;c;ZXZpbA==\u0007\u009b31m\nPASS TX-01\u202e'
    const { finding } = failure('TX-01')
    const says = { says: evil, input: evil, trace: [evil], commands: [`curl ${evil}`], replay: evil }
    const made = [
      failure('TX-01', { ...(finding && { finding: { ...finding, ...says } }) }),
      failure('TX-01', { verdict: 'ERROR', reason: evil }),
      judgement('INCONCLUSIVE', ['SE-11'], { reason: evil }),
      judgement('WARN', ['SE-12'], { reason: evil }),
    ]
    const { invariants } = makeReport(about, made)
    const text = plain(writeText({ ...report, invariants, target: evil, judgements: made, gaps: [evil] }))
    const escaped = String.raw`\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m`
    expect(text.split(escaped).length).toBeGreaterThan(7)
    for (const each of [text, plain(explain(made[0] as Judgement, about.target))]) {
      expect(each).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
      expect(each).not.toMatch(/^PASS TX-01/m)
    }
  })

  it('says how often a failure of a running application recurred', () => {
    const { finding } = failure('TX-01')
    const flaky = failure('TX-01', {
      ...(finding && { finding: { ...finding, again: { failures: 7, tries: 10 } } }),
    })
    expect(plain(explain(flaky, about.target))).toContain('failed in 7 of 10 repetitions')
    expect(plain(explain(failure('TX-01'), about.target))).not.toContain('failed again')
  })
})

describe('the secrets of a run', () => {
  const leaking = property({
    proves: ['TX-01'],
    name,
    story: '',
    advice: '',
    runs: 1,
    run: async (world) => {
      const browser = world.browser('eve')
      await browser.send('/auth/callback/alpha')
      await browser.send('/auth/signin', { form: { token: canaries.token } })
      const { text } = await browser.send('/auth/session', {
        headers: { authorization: `Bearer ${canaries.token}` },
      })
      world.check('TX-01', false, `the body is ${text}, the cookie ${JSON.stringify(browser.cookies())}`)
    },
  })
  let judged: Judgement

  beforeAll(async () => {
    judged = await judgeHere(leaking, talkative)
  })

  it('do not appear in a report of any format', async () => {
    expect(judged.verdict).toBe('FAIL')
    expect(judged.finding?.says).toMatch(/^the body is .*‹secret \d+›.*the cookie .*‹secret \d+›/)
    expect(JSON.stringify(judged.finding)).toMatch(/‹secret \d+›/)
    const made = makeReport(about, [judged])
    const texts = [writeText(made), explain(judged, about.target)]
    for (const format of formats)
      texts.push(...(await writeReports(format, [made])).map((each) => each.content))
    expect(texts).toHaveLength(formats.length + 2)
    for (const text of texts)
      for (const secret of Object.values(canaries)) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(secret.slice(0, 18))
      }
  })
})

function plain(text: string): string {
  return text.replaceAll(new RegExp(`${String.fromCodePoint(27)}\\[\\d+m`, 'g'), '')
}

interface Text {
  readonly text: string
}

interface Sarif {
  readonly version: string
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: {
          readonly name: string
          readonly rules: readonly {
            readonly id: string
            readonly shortDescription: Text
            readonly fullDescription: Text
            readonly help: Text & { readonly markdown: string }
            readonly properties: { readonly tags: readonly string[]; readonly 'security-severity': string }
          }[]
        }
      }
      readonly automationDetails: { readonly id: string }
      readonly results: readonly {
        readonly ruleId: string
        readonly ruleIndex: number
        readonly level: string
        readonly message: Text
        readonly locations: readonly [
          {
            readonly physicalLocation: {
              readonly artifactLocation: { readonly uri: string }
              readonly region: { readonly startLine: number }
            }
            readonly logicalLocations: readonly { readonly name: string }[]
          },
        ]
        readonly partialFingerprints: { readonly primaryLocationLineHash: string }
      }[]
    },
  ]
}

describe('coverage', () => {
  it('requires no coverage of a flow that no route starts', () => {
    const hop = 'session: readingCookie -(cookie.absent)-> anonymous'
    const { states, transitions } =
      measureCoverage([judgement('PASS', ['TX-01'], { hops: { [hop]: 1 } })]) ?? {}
    const never = [...(states?.never ?? []), ...(transitions?.never ?? [])]
    expect(never.filter((name) => name.startsWith('refresh:'))).toEqual([])
    expect(never.some((name) => name.startsWith('callback:'))).toBe(true)
  })
})
