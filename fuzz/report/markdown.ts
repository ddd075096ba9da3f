import { requirement } from 'authmachine/spec'
import type { ConformanceReport } from '../run/report.ts'
import { triage, type Broken, type Failure } from '../run/triage.ts'
import {
  clip,
  commandOfCase,
  commandOfRun,
  describeFound,
  describeJudged,
  describeKinship,
  expectationOf,
  explainNames,
  explainSeverities,
  labelOfStatement,
  meaningOf,
  rankOf,
  resultOf,
  shorten,
  statementOf,
  titleOf,
} from './parts.ts'
import { describeUnjudged } from './unjudged.ts'

/** Characters of a result in the table. */
const shownResult = 200

/** Renders a report as Markdown, for the summary of a GitHub job or a comment: what was judged, found and to fix. */
export function writeMarkdown(report: ConformanceReport): string {
  const problems = triage(report.judgements)
  const open = problems.filter(({ verdict }) => verdict !== 'XFAIL')
  const unjudged = describeUnjudged(report)
  return `${[
    `# Conformance of ${code(report.target)}`,
    [`${describeJudged(report)}.`, ...describeFound(report)].join(' '),
    ...report.cautions.map((caution) => `> ${escape(caution)}`),
    ...(open.length === 0
      ? []
      : [
          '## Fix first',
          ...open.map((row, at) => describeFix(row, at, open)),
          ['Severities, by what happened:', ...explainSeverities(open).map((line) => `- ${line}`)].join('\n'),
          ['Names in the steps:', ...explainNames(open).map((line) => `- ${line}`)].join('\n'),
        ]),
    ...(problems.length === 0 ? [] : ['## Failures', ...problems.map((row) => describeFailure(report, row))]),
    ...(unjudged === undefined ? [] : [`Not judged: ${unjudged}.`]),
    `Run it again: ${code(commandOfRun(report))}`,
  ].join('\n\n')}\n`
}

function describeFix(row: Broken, at: number, open: readonly Broken[]): string {
  const kinship = describeKinship(row, open.slice(0, at))
  const meaning = meaningOf(row.shown)
  return [
    `${at + 1}. **${rankOf(row)}: ${escape(titleOf(row))}** (${row.id})`,
    describeStatement(row),
    ...(meaning?.advice === undefined ? [] : [`Fix: ${meaning.advice}`]),
    ...(kinship === undefined ? [] : [kinship]),
  ].join('\\\n   ')
}

/** Renders a failure, with its steps folded. */
function describeFailure(report: ConformanceReport, failure: Broken): string {
  const { id, verdict, shown } = failure
  const { finding } = shown
  const meaning = meaningOf(shown)
  const steps = shorten(shown).map(({ step, line }) => `${step}${line}`)
  return [
    `### ${verdict} ${id}, ${rankOf(failure)}: ${escape(clip(resultOf(failure), shownResult))}`,
    describeStatement(failure),
    `Expected: ${escape(expectationOf(shown))}.`,
    ...(meaning?.story ? [`Could lead to: ${meaning.story}`] : []),
    ...(finding ? [`<details><summary>Steps</summary>\n\n${fence(steps.join('\n'))}\n\n</details>`] : []),
    ...(finding ? [`Replay: ${code(commandOfCase(report, finding))}`] : []),
  ].join('\n\n')
}

function describeStatement(failure: Failure): string {
  return `${labelOfStatement(requirement(failure.id))}: ${prose(statementOf(failure))}`
}

/** Renders a statement, with words in backticks as code. */
function prose(text: string): string {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? code(part) : escape(part)))
    .join('')
}

/** Renders text that may contain backticks as code. */
function code(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1)
  return `${marks}${text.startsWith('`') ? ' ' : ''}${text.replaceAll('\n', ' ')}${text.endsWith('`') ? ' ' : ''}${marks}`
}

function fence(text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${marks}text\n${text}\n${marks}`
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}

/** Keeps text of the target from being markup. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~@]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')
}
