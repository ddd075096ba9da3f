import { styleText } from 'node:util'
import { escapeControls, escapeLines } from 'authmachine/instrumented'
import { requirement } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import { properties } from '../properties/index.ts'
import { verdictOf } from '../run/assess.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { verdicts, type Judgement, type Verdict } from '../run/verdict.ts'

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

/** Renders a report for a terminal: failures in detail, and the counts. */
export function writeText(made: ConformanceReport): string {
  const report = escapeAll(made)
  const loud = report.judgements.filter(
    ({ finding, verdict }) => finding !== undefined || verdict === 'XPASS' || verdict === 'ERROR',
  )
  const explained = new Set(loud.map(({ broken }) => broken))
  const quiet = report.invariants.filter(
    ({ verdict, id }) => (verdict === 'WARN' || verdict === 'INCONCLUSIVE') && !explained.has(id),
  )
  const counts = countVerdicts(report)
  return [
    ...loud.map((judgement) => `${explainEscaped(judgement)}\n`),
    ...quiet.map(({ id, verdict, reason = '' }) => `${paint(verdict)} ${id}  ${escapeControls(reason)}`),
    '',
    ...Object.entries(report.coverage ?? {}).map(
      ([name, { reached, total }]) => `${name}: ${reached} of ${total} covered`,
    ),
    ...report.gaps.map((gap) => `${paint('FAIL')} coverage too low: ${gap}`),
    ...listUnclaimed(report),
    `${report.target}, profile ${report.profile}, seed ${report.seed}: ${report.invariants.length} requirements in ${Math.round(report.took / 1000)} s`,
    verdicts
      .flatMap((verdict) => (counts[verdict] ? [`${paint(verdict)} ${counts[verdict]}`] : []))
      .join('  '),
    '',
  ].join('\n')
}

/** Lists the capabilities that the target does not declare, with the requirements that were not judged for it. */
function listUnclaimed({ judgements }: ConformanceReport): string[] {
  const rows = new Map<string, Set<string>>()
  for (const { unclaimed = {} } of judgements)
    for (const [id, capability] of Object.entries(unclaimed))
      rows.set(capability, (rows.get(capability) ?? new Set()).add(id))
  if (rows.size === 0) return []
  const lines = [...rows]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([capability, ids]) => `  ${capability}: ${[...ids].join(', ')}`)
  return ['Capabilities that the target does not declare, and the requirements that need them:', ...lines]
}

/** Explains a judgement: its impact, the steps that lead to it, and the fix. */
export function explain(judgement: Judgement): string {
  return explainEscaped(escapeAll(judgement))
}

function explainEscaped(judgement: Judgement): string {
  const { broken, proves, property, setup, finding, reason } = judgement
  const verdict = verdictOf(judgement)
  const id = broken ?? proves[0]
  const meaning = finding?.meaning ?? properties.find(({ name }) => name === property)
  const advisories = id ? resembling(id).slice(0, 3) : []
  const row = id && requirement(id)
  const lines = [
    `${paint(verdict)} ${styleText('bold', id ?? '')} ${property} [${setup}]`,
    row && `  Requirement   ${row.says} (${row.source})`,
    finding && `  Result        ${finding.says}`,
    reason && `  Reason        ${reason.replaceAll('\n', '\n                ')}`,
    finding && meaning && `  Impact        ${meaning.story}`,
    finding && `  Input         ${finding.input}`,
    ...(finding?.trace ?? []).map((line, at) => `    ${String(at + 1).padStart(2)}. ${line}`),
    finding && finding.commands.length > 0 && '  Requests',
    ...(finding?.commands ?? []).map((line) => `    ${line}`),
    ...advisories.map(({ project, ids, cause }) => `  Similar to    ${ids[0]} (${project}): ${cause}`),
    finding && meaning && `  Fix           ${meaning.advice}`,
    finding && `  Replay        --replay ${finding.replay}`,
    finding?.again &&
      `                which failed again in ${finding.again.failures} of ${finding.again.tries} runs`,
  ]
  return lines.filter(Boolean).join('\n')
}

/**
 * Escapes control characters, because much of the text comes from the target. Only a reason keeps its line breaks, for
 * stack traces, and where it is shown they are indented or escaped.
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
