import { h, type ComponentChild } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { verdictOf } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Judgement } from '../run/verdict.ts'

/** Characters that XML 1.0 does not allow, but that a target may send. */
const unwritable = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/** Renders a report as JUnit XML: one test case for each judgement: a property, tested with a setup of the target. */
export function writeJunit({ target, judgements, took }: ConformanceReport): string {
  const count = (...wanted: readonly Judgement['verdict'][]) =>
    judgements.filter((judgement) => wanted.includes(verdictOf(judgement))).length
  const suite = h(
    'testsuite',
    {
      name: `conformance of ${target}`,
      tests: judgements.length,
      failures: count('FAIL', 'XPASS'),
      errors: count('ERROR'),
      skipped: count('SKIP', 'UNTESTED', 'WARN', 'XFAIL', 'INCONCLUSIVE'),
      time: took / 1000,
    },
    judgements.map((judgement) => writeCase(target, judgement)),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${escape(renderToString(suite))}\n`
}

/** Makes rendered HTML valid XML: replaces control characters (XML 1.0 2.2) and escapes `]]>` (XML 1.0 2.4). */
function escape(markup: string): string {
  return markup.replaceAll(unwritable, '\uFFFD').replaceAll(']]>', ']]&gt;')
}

function writeCase(target: string, judgement: Judgement): ComponentChild {
  const { proves, property, setup, took, finding, reason } = judgement
  const verdict = verdictOf(judgement)
  const name = `${proves.join(' ')} ${property} [${setup}]`
  return h('testcase', { classname: target, name, time: took / 1000 }, outcome())

  function outcome(): ComponentChild {
    const message = finding?.says ?? reason ?? verdict
    if (verdict === 'PASS') return null
    if (verdict === 'FAIL' || verdict === 'XPASS')
      return h('failure', { message, type: verdict }, finding?.trace.join('\n'))
    if (verdict === 'ERROR') return h('error', { message }, reason)
    return h('skipped', { message: `${verdict}: ${message}` })
  }
}
