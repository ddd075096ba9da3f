import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { severities } from '../causes.ts'
import type { Share } from '../run/coverage.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { verdicts } from '../run/verdict.ts'
import { badge } from './elements.ts'
import { filterScript } from './filter-script.ts'
import { fixes } from './fixes.ts'
import { guide } from './guide.ts'
import { matrix } from './matrix.ts'
import { clip, commandOfRun, describeFound, nameSeeds } from './parts.ts'
import { findings } from './stories.ts'
import { style } from './style.ts'
import { unconfirmedFailures } from './unconfirmed.ts'
import { describeUnjudged, isJudged, wholeRows } from './unjudged.ts'

/** Characters of a caution, which may quote the target. */
const shownCaution = 600

/** Bytes of a page that loads and filters quickly. */
const limit = 320_000

/**
 * Renders the reports of one or several targets as one page: the limits of the result, the first fixes, each failure,
 * and all requirements. If the page would be too large, fewer failures have steps and an explanation.
 */
export function writeHtml(reports: readonly ConformanceReport[]): string {
  let page = ''
  for (const share of [1, 0.5, 0.25, 0]) {
    page = writePage(reports, share / reports.length)
    if (Buffer.byteLength(page) < limit) return page
  }
  return page
}

function writePage(reports: readonly ConformanceReport[], share: number): string {
  const page = h('html', { lang: 'en' }, [
    h('head', null, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('title', null, `Conformance of ${list(reports.map(({ target }) => target))}`),
      h('style', { dangerouslySetInnerHTML: { __html: style } }),
    ]),
    h('body', null, [
      h('header', null, [h('h1', null, 'Conformance'), ...reports.map(summarize), guide()]),
      h('main', null, [
        ...reports.flatMap(fixes),
        filters(),
        ...reports.flatMap((report) => [...findings(report, share), ...unconfirmedFailures(report)]),
        h('h2', { id: 'matrix' }, 'Requirements'),
        ...matrix(reports),
        ...reports.flatMap(exercised),
      ]),
      h('script', { dangerouslySetInnerHTML: { __html: filterScript } }),
    ]),
  ])
  return `<!doctype html>${renderToString(page)}\n`
}

function list(words: readonly string[]): string {
  return words.join(' and ')
}

function summarize(report: ConformanceReport): ComponentChild {
  return h('section', { class: 'summary' }, [
    h('p', null, introduce(report, countVerdicts(report))),
    h('p', { class: 'none' }, [
      report.date !== undefined && `${report.date.slice(0, 16).replace('T', ' ')} UTC: `,
      h('code', null, commandOfRun(report)),
    ]),
    ...describeFound(report).map((says) => h('p', null, says)),
    unjudgedLine(report),
    report.cautions.length > 0 &&
      h('div', { class: 'cautions' }, [
        h('strong', null, 'Before you trust a PASS'),
        h(
          'ul',
          null,
          report.cautions.map((each) => h('li', null, clip(each, shownCaution))),
        ),
      ]),
  ])
}

/** Says in one line what could not be judged. The list of requirements has the details. */
function unjudgedLine(report: ConformanceReport): ComponentChild {
  const says = describeUnjudged(report)
  return (
    says !== undefined &&
    h('p', { class: 'none' }, [`Not judged: ${says}. `, h('a', { href: '#matrix' }, 'List them')])
  )
}

function introduce(report: ConformanceReport, counts: ReturnType<typeof countVerdicts>): ComponentChildren {
  const rows = wholeRows(report)
  return [
    'Target ',
    h('strong', null, report.target),
    ` at profile ${report.profile}, ${nameSeeds(report)}, in ${Math.round(report.took / 1000)} s: tested ${rows.filter(({ verdict }) => isJudged(verdict)).length} of ${rows.length} requirements: `,
    ...verdicts.flatMap((verdict) =>
      counts[verdict] && isJudged(verdict) ? [badge(verdict, `${counts[verdict]} `), ' '] : [],
    ),
  ]
}

/** Renders the fields that filter the page. Its script shows them; without it they would do nothing. */
function filters(): ComponentChild {
  return h('form', { id: 'filters', role: 'search', hidden: true }, [
    h('label', null, ['Search ', h('input', { type: 'search', name: 'text' })]),
    h('label', null, ['Severity ', choice('severity', severities)]),
    h('label', null, ['Verdict ', choice('verdict', verdicts)]),
    h('output', null, ''),
  ])
}

function choice(name: string, values: readonly string[]): ComponentChild {
  const options = values.map((value) => h('option', { value }, value))
  return h('select', { name }, [h('option', { value: '' }, 'all'), ...options])
}

/** Renders the transitions, calls and errors of the target that the cases covered, and those that they missed. */
function exercised({ target, coverage, gaps }: ConformanceReport): ComponentChild[] {
  if (!coverage) return []
  return [
    h('h2', null, `Coverage of ${target}`),
    ...gaps.map((gap) => h('p', null, [badge('FAIL'), ` coverage too low: ${gap}`])),
    ...Object.entries(coverage).map(([name, { reached, total, never }]: [string, Share]) =>
      h('details', null, [
        h('summary', null, `${name}: ${reached} of ${total}`),
        never.length > 0 && h('p', null, 'Not covered:'),
        h(
          'ul',
          { class: 'trace' },
          never.map((each) => h('li', null, each)),
        ),
      ]),
    ),
  ]
}
