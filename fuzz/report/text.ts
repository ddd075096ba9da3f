import { styleText } from 'node:util'
import { escapeControls, escapeLines } from 'authmachine/instrumented'
import { requirement } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import { severityOfFailure, verdictOf } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import { triage, type Broken } from '../run/triage.ts'
import type { Judgement, Verdict } from '../run/verdict.ts'
import {
  commandOfCase,
  commandOfRun,
  demandOf,
  describeFound,
  describeJudged,
  describeKinship,
  expectationOf,
  describeSeeds,
  doubtOf,
  explainNames,
  explainSeverities,
  labelOfStatement,
  meaningOf,
  orderOfFixes,
  rankOf,
  resultOf,
  shorten,
  shownFixes,
  showSetups,
  statementOf,
  titleOf,
} from './parts.ts'
import { describeUnjudged } from './unjudged.ts'

type Style = Parameters<typeof styleText>[0]

const styles: Readonly<Record<Verdict, Style>> = {
  PASS: 'green',
  WARN: 'yellow',
  FAIL: 'red',
  SKIP: 'gray',
  UNTESTED: 'gray',
  XFAIL: 'yellow',
  XPASS: 'red',
  INCONCLUSIVE: 'magenta',
  ERROR: 'red',
}

/**
 * Renders a report for a terminal: the failures, then the first fixes. The summary is at the end, where
 * a terminal stops: what was judged and found, what could not be judged, and what to fix first.
 */
export function writeText(made: ConformanceReport): string {
  const report = escapeAll(made)
  const problems = triage(report.judgements)
  const odd = report.judgements.filter(({ verdict }) => verdict === 'XPASS' || verdict === 'ERROR')
  return [
    ...(problems.length > 0 ? ['What was judged, and what to fix first, is at the end.\n'] : []),
    ...problems.map((row) => `${describeBroken(row, report)}\n`),
    ...odd.map(
      (judgement) => `${explainEscaped(judgement, showSetups(report.target, [judgement.setup]), report)}\n`,
    ),
    ...listQuiet(report, problems),
    ...Object.entries(report.coverage ?? {}).map(
      ([name, { reached, total }]) => `${name}: ${reached} of ${total} covered`,
    ),
    ...report.gaps.map((gap) => `${paint('FAIL')} coverage too low: ${gap}`),
    ...listDisagreements(report),
    styleText('bold', `\n# ${report.target}`),
    `${describeJudged(report)}.`,
    ...describeFound(report),
    ...listUnjudged(report),
    ...listCautions(report),
    ...listFixes(problems),
    `Run it again: ${commandOfRun(report)}`,
    '',
  ].join('\n')
}

/** Explains the worst failure of a requirement, and lists the others. */
function describeBroken({ shown, setups, others }: Broken, report: ConformanceReport): string {
  const { target } = report
  const also = others.map(
    (other) =>
      `  Also          ${other.severity}: ${resultOf(other)}${showSetups(target, other.setups)}\n                expected: ${expectationOf(other)}${other.shown.finding ? `; ${commandOfCase(report, other.shown.finding)}` : ''}`,
  )
  const hasScript = (shown.finding?.commands.length ?? 0) > 0
  return [
    explainEscaped(shown, showSetups(target, setups), report),
    ...(hasScript
      ? ['                The replay prints a script of curl commands, which the HTML report contains, too.']
      : []),
    ...also,
  ].join('\n')
}

/** Lists requirements whose verdict needs attention and that no failure explains. */
function listQuiet({ invariants }: ConformanceReport, rows: readonly Broken[]): string[] {
  const explained = new Set<string>(rows.map(({ id }) => id))
  return invariants
    .filter(({ verdict, id }) => (verdict === 'WARN' || verdict === 'INCONCLUSIVE') && !explained.has(id))
    .map(({ id, verdict, reason = '' }) => `${paint(verdict)} ${id}  ${escapeControls(reason)}`)
}

/** Says in one line what could not be judged. */
function listUnjudged(report: ConformanceReport): string[] {
  const says = describeUnjudged(report)
  return says === undefined ? [] : [`Not judged: ${says}. --report html lists them.`]
}

function listDisagreements({ invariants, seeds = [] }: ConformanceReport): string[] {
  if (seeds.length === 0) return []
  const unstable = invariants.filter((row) => row.seeds)
  return [
    `\nThe ${seeds.length} seeds agree about ${invariants.length - unstable.length} of ${invariants.length} requirements`,
    ...unstable.map(({ id, seeds: counts = {} }) => `  ${id}: ${describeSeeds(counts)}`),
  ]
}

function listCautions({ cautions }: ConformanceReport): string[] {
  if (cautions.length === 0) return []
  return [styleText('bold', '\nBefore you trust a PASS'), ...cautions.map((each) => `  - ${each}`)]
}

/** Lists the failures in the order in which to fix them. The first ones say where to start. */
function listFixes(rows: readonly Broken[]): string[] {
  const open = rows.filter(({ verdict }) => verdict !== 'XFAIL')
  if (open.length === 0) return ['']
  const rest = open.slice(shownFixes)
  return [
    styleText('bold', '\nFix first'),
    orderOfFixes,
    ...open.slice(0, shownFixes).flatMap((row, at) => describeFix(row, at, open)),
    ...(rest.length > 0
      ? [styleText('bold', 'Then'), ...rest.map((row, at) => `${nameFix(row, at + shownFixes)} (${row.id})`)]
      : []),
    '',
    'Severities, by what happened',
    ...explainSeverities(open).map((line) => `  ${line}`),
    '',
    'Names in the steps',
    ...explainNames(open).map((line) => `  ${line}`),
    '',
  ]
}

function describeFix(row: Broken, at: number, open: readonly Broken[]): string[] {
  const meaning = meaningOf(row.shown)
  const kinship = describeKinship(row, open.slice(0, at))
  return [
    nameFix(row, at),
    entry(labelOfStatement(requirement(row.id)), statementOf(row)),
    ...(meaning?.advice ? [entry('Fix', meaning.advice)] : []),
    ...(kinship === undefined ? [] : [entry('', kinship)]),
  ]
}

function entry(label: string, text: string): string {
  return `     ${label.padEnd(11)} ${text}`
}

function nameFix(row: Broken, at: number): string {
  return `${String(at + 1).padStart(3)}. ${paint(row.verdict)} ${rankOf(row)}: ${titleOf(row)}`
}

/**
 * Explains a judgement: its impact, the steps that lead to it, the fix, and its script.
 *
 * @param command the command that names the target
 */
export function explain(judgement: Judgement, target: string, command?: string): string {
  const escaped = escapeAll(judgement)
  const named = escapeAll({ target, ...(command !== undefined && { command }) })
  const { commands = [] } = escaped.finding ?? {}
  return [
    explainEscaped(escaped, showSetups(target, [judgement.setup]), named),
    ...(commands.length > 0
      ? ['  Script        paste it into a shell', ...commands.map((line) => `    ${line}`)]
      : []),
  ].join('\n')
}

function explainEscaped(
  judgement: Judgement,
  place: string,
  report: Pick<ConformanceReport, 'target' | 'command'>,
): string {
  const { broken, proves, property, finding, reason } = judgement
  const verdict = verdictOf(judgement)
  const id = broken ?? proves[0]
  const meaning = meaningOf(judgement)
  const severity = severityOfFailure(judgement)
  const advisories = id ? resembling(id).slice(0, 3) : []
  const row = id && requirement(id)
  const lines = [
    `${paint(verdict)} ${styleText('bold', id ?? '')} ${finding?.says ?? property}${place}`,
    severity && `  Severity      ${severity}`,
    row &&
      `  ${labelOfStatement(row).padEnd(13)} ${row.says} (${demandOf({ id: row.id, shown: judgement })})`,
    finding && `  Expected      ${expectationOf(judgement)}`,
    reason && `  Reason        ${reason.replaceAll('\n', '\n                ')}`,
    finding && meaning?.story && `  Could lead to ${meaning.story}`,
    finding && finding.input !== 'undefined' && `  Input         ${finding.input}`,
    ...shorten(judgement).map(({ step, line }) => `    ${step.padStart(2)}${line}`),
    ...advisories.map(({ project, ids, cause }) => `  Similar to    ${ids[0]} (${project}): ${cause}`),
    finding && meaning?.advice && `  Fix           ${meaning.advice}`,
    finding && `  Replay        ${commandOfCase(report, finding)}`,
    finding?.again &&
      `                which failed in ${finding.again.failures} of ${finding.again.tries} repetitions`,
    finding && doubtOf(finding) && `  Doubt         ${doubtOf(finding)}`,
  ]
  return lines.filter(Boolean).join('\n')
}

/**
 * Escapes control characters, because much of the text comes from the target. Only a reason keeps its line breaks,
 * because it may be a stack trace. They are indented or escaped when it is shown.
 */
function escapeAll<T>(value: T, name = ''): T {
  if (typeof value === 'string') return (name === 'reason' ? escapeLines(value) : escapeControls(value)) as T
  if (Array.isArray(value)) return value.map((each: unknown) => escapeAll(each)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [escapeControls(key), escapeAll<unknown>(each, key)]),
  ) as T
}

function paint(verdict: Verdict): string {
  return styleText(styles[verdict], verdict)
}
