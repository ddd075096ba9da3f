import { styleText } from 'node:util'
import { escapeControls, escapeLines } from 'authmachine/instrumented'
import { resembling } from '../museum.ts'
import { properties } from '../properties/index.ts'
import { verdictOf } from '../run/assess.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { verdicts, type Judgement, type Verdict } from '../run/verdict.ts'
import { rowOf } from '../run/why-not.ts'

type Style = Parameters<typeof styleText>[0]

const styles: Readonly<Record<Verdict, Style>> = {
  PASS: 'green',
  WARN: 'yellow',
  FAIL: 'red',
  SKIP: 'gray',
  XFAIL: 'yellow',
  XPASS: 'red',
  INCONCLUSIVE: 'magenta',
  ERROR: 'red',
}

/** A report for a terminal: what is not well at length, and the counts. */
export function writeText(made: ConformanceReport): string {
  const report = escapeAll(made)
  const loud = report.judgements.filter(
    ({ finding, verdict }) => finding !== undefined || verdict === 'XPASS' || verdict === 'ERROR',
  )
  const told = new Set(loud.map(({ broken }) => broken))
  const quiet = report.invariants.filter(
    ({ verdict, id }) => (verdict === 'WARN' || verdict === 'INCONCLUSIVE') && !told.has(id),
  )
  const counts = countVerdicts(report)
  return [
    ...loud.map((judgement) => `${explainEscaped(judgement)}\n`),
    ...quiet.map(({ id, verdict, reason = '' }) => `${paint(verdict)} ${id}  ${reason}`),
    '',
    ...Object.entries(report.coverage ?? {}).map(
      ([name, { reached, total }]) => `${name}: ${reached} of ${total} exercised`,
    ),
    ...report.gaps.map((gap) => `${paint('FAIL')} too little of ${gap}`),
    `${report.target}, profile ${report.profile}, seed ${report.seed}: ${report.invariants.length} invariants in ${Math.round(report.took / 1000)} s`,
    verdicts
      .flatMap((verdict) => (counts[verdict] ? [`${paint(verdict)} ${counts[verdict]}`] : []))
      .join('  '),
    '',
  ].join('\n')
}

/** A judgement at length: what an attacker could do, how it came to that, and what to do about it. */
export function explain(judgement: Judgement): string {
  return explainEscaped(escapeAll(judgement))
}

function explainEscaped(judgement: Judgement): string {
  const { broken, proves, property, setup, finding, reason } = judgement
  const verdict = verdictOf(judgement)
  const id = broken ?? proves[0]
  const written = properties.find(({ name }) => name === property)
  const exhibits = id ? resembling(id).slice(0, 3) : []
  const row = id && rowOf(id)
  const lines = [
    `${paint(verdict)} ${styleText('bold', id ?? '')} ${property} [${setup}]`,
    row && `  The rule      ${row.says} (${row.source})`,
    finding && `  What came     ${finding.says}`,
    reason && `  Because       ${reason.replaceAll('\n', '\n                ')}`,
    finding && written && `  The story     ${written.story}`,
    finding && `  Smallest case ${finding.input}`,
    ...(finding?.trace ?? []).map((line, at) => `    ${String(at + 1).padStart(2)}. ${line}`),
    finding && finding.commands.length > 0 && '  As requests',
    ...(finding?.commands ?? []).map((line) => `    ${line}`),
    ...exhibits.map(({ project, ids, cause }) => `  Resembles     ${ids[0]} (${project}): ${cause}`),
    finding && written && `  What to do    ${written.advice}`,
    finding && `  Again by      --replay ${finding.replay}`,
    finding?.again &&
      `                which came again in ${finding.again.came} of ${finding.again.tries} tries`,
  ]
  return lines.filter(Boolean).join('\n')
}

/**
 * A copy whose texts a terminal shows and does not obey: much of them is what the target sent. Only a reason has lines,
 * those of a stack.
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
