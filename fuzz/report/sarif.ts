import { createHash } from 'node:crypto'
import { version } from 'authmachine/instrumented'
import { requirement, type Requirement, type RequirementId } from 'authmachine/spec'
import { causeOf, severities, type Severity } from '../causes.ts'
import { severityOfFailure, verdictOf } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import { triage } from '../run/triage.ts'
import type { Finding, Judgement } from '../run/verdict.ts'
import type { DescribedPlace } from '../targets/described/find-places.ts'
import { locate } from './locate.ts'
import {
  clip,
  commandOfCase,
  sourceOf,
  expectationOf,
  labelOfStatement,
  meaningOf,
  shorten,
  showSetups,
  statementOf,
} from './parts.ts'

/** A failure, of which several seeds may have found several cases. */
interface Result {
  readonly judgement: Judgement
  readonly broken: RequirementId
  readonly finding: Finding
}

/** The scores of severities: 9.0 is critical, 7.0 high, 4.0 medium, and less is low (`security-severity` of GitHub). */
const scores: Readonly<Record<Severity, string>> = {
  takeover: '9.3',
  session: '8.1',
  leak: '6.5',
  'denial of service': '5.3',
  hardening: '3.1',
}

/** The highest score of advice, because GitHub can block a merge by a high one. */
const maxAdvice = '3.9'

/** Characters of a title above which it is only the first clause of the statement. */
const maxTitle = 120

/** Maximum characters of a description (GitHub, SARIF support for code scanning). */
const maxDescription = 1024

/**
 * Renders a report as SARIF 2.1.0: broken requirements are rules, failures are results. It contains what GitHub requires
 * of an upload: a file for each result, relative to the repository, and fingerprints and a category that stay the same.
 */
export function writeSarif(report: ConformanceReport): string {
  const results = collectResults(report.judgements)
  const rules = [...new Set(results.map(({ broken }) => broken))]
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'authmachine-conformance',
            version,
            rules: rules.map((id) =>
              writeRule(
                id,
                results.filter(({ broken }) => broken === id),
              ),
            ),
          },
        },
        // GitHub keeps the alerts of each category, which is the text before the last slash.
        automationDetails: { id: `authmachine-conformance/${report.target.replaceAll(/[^\w.-]+/g, '-')}/` },
        columnKind: 'utf16CodeUnits',
        results: results.map((result) => writeResult(report, result, rules.indexOf(result.broken))),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function collectResults(judgements: readonly Judgement[]): Result[] {
  const results = new Map<string, Result>()
  for (const judgement of judgements) {
    const { verdict, broken, finding } = judgement
    if ((verdict !== 'FAIL' && verdict !== 'XFAIL') || !broken || !finding) continue
    const { id } = requirement(broken)
    const key = identify(id, judgement)
    if (!results.has(key)) results.set(key, { judgement, broken: id, finding })
  }
  const order = triage(judgements).map(({ verdict, id }) => `${verdict} ${id}`)
  const place = ({ judgement, broken }: Result) => order.indexOf(`${verdictOf(judgement)} ${broken}`)
  return [...results.values()].toSorted((a, b) => place(a) - place(b) || rankOf(a) - rankOf(b))
}

function rankOf({ judgement }: Result): number {
  return severities.indexOf(severityOfFailure(judgement) ?? 'hardening')
}

function scoreOf(severity: Severity, level: Requirement['level']): string {
  const score = scores[severity]
  return level === 'must' || Number(score) <= Number(maxAdvice) ? score : maxAdvice
}

/**
 * Writes a rule. Its text is about the requirement and not about a run, so that the title of an alert stays the same.
 *
 * @param results the results of the rule, the worst first
 */
function writeRule(id: RequirementId, [worst]: readonly Result[]) {
  const { says, level } = requirement(id)
  const severity = (worst && severityOfFailure(worst.judgement)) ?? 'hardening'
  const meaning = worst && meaningOf(worst.judgement)
  const statement = `${labelOfStatement({ level })}: ${says} (${sourceOf(id)})`
  const help = [
    statement,
    ...(meaning?.story ? [`Could lead to: ${meaning.story}`] : []),
    ...(meaning?.advice ? [`Fix: ${meaning.advice}`] : []),
  ]
  return {
    id,
    shortDescription: { text: nameRule(id) },
    fullDescription: { text: clip(statement, maxDescription - 1) },
    help: {
      text: help.join('\n'),
      markdown: help.map((line) => line.replace(/^[^:]+:/, '**$&**')).join('\n\n'),
    },
    properties: {
      tags: ['security', severity, causeOf(id).id],
      precision: 'very-high',
      'security-severity': scoreOf(severity, level),
    },
    defaultConfiguration: { level: levelOf(level) },
  }
}

/** Names a defect by the beginning of the statement that it breaks, up to a whole sentence or clause. */
function nameRule(id: RequirementId): string {
  const { says, level } = requirement(id)
  const [sentence = says] = says.split(/(?<=\w\w|[)`])\.(?:\s|$)/)
  const short = sentence.length > maxTitle ? sentence.replace(/(?<=^.{60,}?)[;:].*$/s, '') : sentence
  return `${level === 'must' ? 'Requirement broken' : 'Recommendation not followed'}: ${short}`
}

function writeResult(report: ConformanceReport, result: Result, ruleIndex: number) {
  const { judgement, broken, finding } = result
  const { target, source = 'package.json' } = report
  return {
    ruleId: broken,
    ruleIndex,
    level: levelOf(requirement(broken).level),
    message: { text: escape(describeResult(report, result)) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(source) },
          region: writeRegion(locate(report, finding)),
        },
        logicalLocations: [
          { name: target, kind: 'module', fullyQualifiedName: `${target} ${judgement.setup}` },
        ],
      },
    ],
    partialFingerprints: {
      // GitHub compares this one. The steps of a failure may differ with another seed, but not what it breaks.
      primaryLocationLineHash: `${hash(identify(broken, judgement))}:1`,
      'shrunkCommands/v1': finding.fingerprint,
    },
    ...(judgement.verdict === 'XFAIL' && {
      suppressions: [{ kind: 'external', justification: 'listed in the baseline' }],
    }),
  }
}

/** Writes the part of a file that a result is about. Without a description, no request shows which line is wrong. */
function writeRegion(place: DescribedPlace | undefined) {
  if (!place) return { startLine: 1 }
  const { line, column, end } = place
  return { startLine: line, startColumn: column, endLine: line, endColumn: end }
}

/** The first sentence says what happened, because lists of alerts show only that. */
function describeResult(report: ConformanceReport, { judgement, broken, finding }: Result): string {
  const { target } = report
  const advice = meaningOf(judgement)?.advice
  const severity = severityOfFailure(judgement) ?? 'hardening'
  const row = { id: broken, shown: judgement }
  return [
    `${endSentence(finding.says)} Severity: ${severity}${requirement(broken).level === 'must' ? '' : ', advice'}.`,
    [
      `${labelOfStatement(requirement(broken))}: ${statementOf(row)}`,
      `Target: ${target}${showSetups(target, [judgement.setup])}`,
      `Expected: ${expectationOf(judgement)}`,
      ...(advice === undefined ? [] : [`Fix: ${advice}`]),
    ].join('\n'),
    shorten(judgement)
      .map(({ step, line }) => `${step}${line}`)
      .join('\n'),
    `Replay: ${commandOfCase(report, finding)}`,
  ].join('\n\n')
}

/** Turns a result into a sentence. A name such as `signIn` at its beginning stays as it is. */
function endSentence(text: string): string {
  return /[.?!…]$/.test(text) ? beginSentence(text) : `${beginSentence(text)}.`
}

function beginSentence(text: string): string {
  return text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase())
}

function levelOf(level: 'must' | 'should' | 'may'): 'error' | 'warning' {
  return level === 'must' ? 'error' : 'warning'
}

/** Identifies a failure across runs. */
function identify(broken: RequirementId, { property, setup }: Judgement): string {
  return JSON.stringify([broken, property, setup])
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Keeps the text of a message, which quotes the target, from becoming links (SARIF 2.1.0 §3.11.6) or placeholders (§3.11.5). */
function escape(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`).replaceAll(/[{}]/g, '$&$&')
}
