import { h, type ComponentChild } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirement } from 'authmachine/spec'
import { severityOfFailure, verdictOf } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Finding, Judgement } from '../run/verdict.ts'
import { commandOfCase, labelOfStatement, meaningOf, statementOf } from './parts.ts'
import { describeUnjudged, isJudged } from './unjudged.ts'

/** Characters that XML 1.0 does not allow, but that a target may send. */
const unwritable = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** Renders a report as JUnit XML: one test case for each judgement: a property, tested with a setup of the target. */
export function writeJunit(report: ConformanceReport): string {
  const { target, took } = report
  const judgements = report.judgements.filter((judgement) => isJudged(verdictOf(judgement)))
  const count = (...wanted: readonly Judgement['verdict'][]) =>
    judgements.filter((judgement) => wanted.includes(verdictOf(judgement))).length
  const suite = h(
    'testsuite',
    {
      name: `conformance of ${target}`,
      tests: judgements.length,
      failures: count('FAIL', 'XPASS'),
      errors: count('ERROR'),
      skipped: count('WARN', 'XFAIL', 'INCONCLUSIVE'),
      time: took / 1000,
    },
    [
      h('properties', null, [
        h('property', { name: 'not judged', value: describeUnjudged(report) ?? 'nothing' }),
      ]),
      ...judgements.map((judgement) => writeCase(report, judgement)),
    ],
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${escape(renderToString(suite))}\n`
}

/** Makes rendered HTML valid XML: replaces control characters (XML 1.0 2.2) and escapes `]]>` (XML 1.0 2.4). */
function escape(markup: string): string {
  return markup.replaceAll(unwritable, '\uFFFD').replaceAll(']]>', ']]&gt;')
}

function writeCase(report: ConformanceReport, judgement: Judgement): ComponentChild {
  const { proves, property, setup, took, finding, reason } = judgement
  const verdict = verdictOf(judgement)
  const name = `${proves.join(' ')} ${property} [${setup}]`
  return h('testcase', { classname: report.target, name, time: took / 1000 }, outcome())

  function outcome(): ComponentChild {
    const message = finding?.says ?? reason ?? verdict
    if (verdict === 'PASS') return null
    if (verdict === 'FAIL' || verdict === 'XPASS')
      return h(
        'failure',
        { message, type: severityOfFailure(judgement) ?? verdict },
        finding && describeFinding(report, judgement, finding),
      )
    if (verdict === 'ERROR') return h('error', { message }, reason)
    return h('skipped', { message: `${verdict}: ${message}` })
  }
}

/** Says what a failure broke, its steps, how to fix it, and how to repeat it. */
function describeFinding(report: ConformanceReport, judgement: Judgement, finding: Finding): string {
  const advice = meaningOf(judgement)?.advice
  const { broken } = judgement
  return [
    ...(broken === undefined
      ? []
      : [
          `${labelOfStatement(requirement(broken))}: ${statementOf({ id: requirement(broken).id, shown: judgement })}`,
        ]),
    ...finding.trace.map((line, at) => `${at + 1}. ${line}`),
    ...(advice === undefined ? [] : [`Fix: ${advice}`]),
    `Replay: ${commandOfCase(report, finding)}`,
  ].join('\n')
}
