import { createHash } from 'node:crypto'
import { version } from 'authmachine/instrumented'
import { requirement, type RequirementId } from 'authmachine/spec'
import { causeOf, type Severity } from '../causes.ts'
import { severityOfFailure } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Finding, Judgement } from '../run/verdict.ts'
import { clip, commandOfCase, gains, meaningOf, shorten, showSetups, sourceOf } from './parts.ts'

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
                results.find(({ broken }) => broken === id),
              ),
            ),
          },
        },
        // GitHub keeps the alerts of each category, which is the text before the last slash.
        automationDetails: { id: `authmachine-conformance/${report.target.replaceAll(/[^\w.-]+/g, '-')}/` },
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
  return [...results.values()].toSorted((a, b) => scoreOf(b) - scoreOf(a))
}

function scoreOf({ judgement }: Result): number {
  return Number(scores[severityOfFailure(judgement) ?? 'hardening'])
}

/** @param first the worst result of the rule */
function writeRule(id: RequirementId, first: Result | undefined) {
  const { says, level } = requirement(id)
  const severity = (first && severityOfFailure(first.judgement)) ?? 'hardening'
  const meaning = first && meaningOf(first.judgement)
  const cause = causeOf(id)
  // A cause can be worse than what the cases saw. Then only the behaviour is known that they missed.
  const title =
    cause.severity === severity ? cause.title : `A correct target ${first?.judgement.property ?? says}`
  const help = [
    `Requirement ${id}: ${says}`,
    `Source: ${sourceOf(id)}`,
    ...(meaning?.story ? [`Risk: ${meaning.story}`] : []),
    ...(meaning?.advice ? [`Fix: ${meaning.advice}`] : []),
  ]
  return {
    id,
    shortDescription: { text: escape(clip(title, maxDescription - 1)) },
    fullDescription: { text: escape(clip(says, maxDescription - 1)) },
    help: {
      text: escape(help.join('\n')),
      markdown: help.map((line) => line.replace(/^[^:]+:/, '**$&**')).join('\n\n'),
    },
    properties: {
      tags: ['security', severity, cause.id],
      precision: 'very-high',
      'security-severity': scores[severity],
    },
    defaultConfiguration: { level: levelOf(level) },
  }
}

function writeResult(report: ConformanceReport, { judgement, broken, finding }: Result, ruleIndex: number) {
  const { target, source = 'package.json' } = report
  return {
    ruleId: broken,
    ruleIndex,
    level: levelOf(requirement(broken).level),
    message: { text: escape(describeResult(report, judgement, finding)) },
    locations: [
      {
        // No request shows which line is wrong.
        physicalLocation: { artifactLocation: { uri: encodeURI(source) }, region: { startLine: 1 } },
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

/** The first sentence says what happened, because lists of alerts show only that. */
function describeResult(report: ConformanceReport, judgement: Judgement, finding: Finding): string {
  const { target } = report
  const advice = meaningOf(judgement)?.advice
  const severity = severityOfFailure(judgement) ?? 'hardening'
  const says = /[.?!…]$/.test(finding.says) ? finding.says : `${finding.says}.`
  return [
    `${says} Severity: ${severity} (an attacker can ${gains[severity]}).`,
    [
      `Target: ${target}${showSetups(target, [judgement.setup])}`,
      `Expected: ${judgement.property}`,
      ...(advice === undefined ? [] : [`Fix: ${advice}`]),
    ].join('\n'),
    shorten(finding.trace)
      .map(({ step, line }) => `${step}${line}`)
      .join('\n'),
    `Replay: ${commandOfCase(report, finding)}`,
  ].join('\n\n')
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

/** Keeps text of the target from becoming links (SARIF 2.1.0 §3.11.6) or placeholders (§3.11.5). */
function escape(text: string): string {
  return text.replaceAll(/[\\[\]]/g, String.raw`\$&`).replaceAll(/[{}]/g, '$&$&')
}
