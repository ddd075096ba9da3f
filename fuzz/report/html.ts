import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { severities } from '../causes.ts'
import type { Share } from '../run/coverage.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { triage, type Problem } from '../run/triage.ts'
import { verdicts, type Verdict } from '../run/verdict.ts'
import { anchor, badge, prose } from './elements.ts'
import { filterScript } from './filter-script.ts'
import { matrix } from './matrix.ts'
import { listReferences, meaningOf, nameSeeds, resultOf } from './parts.ts'
import { findings } from './stories.ts'
import { style } from './style.ts'

const meanings: Readonly<Record<Verdict, string>> = {
  PASS: 'passed in every case that checked it',
  WARN: 'breaks a recommendation',
  FAIL: 'breaks a requirement',
  SKIP: 'not tested: the target lacks the feature, or does not declare the capability',
  UNTESTED: 'no property or case checked it',
  XFAIL: 'fails, as the baseline expects',
  XPASS: 'passes, although the baseline expects a failure',
  INCONCLUSIVE: 'too few cases reached the situation',
  ERROR: 'the oracle itself failed',
}

/**
 * Renders the reports of one or several targets as one page: what limits the result, what to fix first, each failure in
 * full, and all requirements.
 */
export function writeHtml(reports: readonly ConformanceReport[]): string {
  const page = h('html', { lang: 'en' }, [
    h('head', null, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('title', null, `Conformance of ${list(reports.map(({ target }) => target))}`),
      h('style', { dangerouslySetInnerHTML: { __html: style } }),
    ]),
    h('body', null, [
      h('header', null, [h('h1', null, 'Conformance'), ...reports.map(summarize)]),
      h('main', null, [
        ...reports.flatMap(fixes),
        filters(),
        ...reports.flatMap(findings),
        h('h2', { id: 'matrix' }, 'Requirements'),
        legend(),
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
    report.cautions.length > 0 &&
      h('div', { class: 'cautions' }, [
        h('strong', null, 'Before you trust a PASS'),
        h(
          'ul',
          null,
          report.cautions.map((each) => h('li', null, each)),
        ),
      ]),
  ])
}

function introduce(report: ConformanceReport, counts: ReturnType<typeof countVerdicts>): ComponentChildren {
  return [
    h('strong', null, report.target),
    ` at profile ${report.profile}, ${nameSeeds(report)}, in ${Math.round(report.took / 1000)} s: `,
    ...verdicts.flatMap((verdict) => (counts[verdict] ? [badge(verdict, `${counts[verdict]} `), ' '] : [])),
  ]
}

function legend(): ComponentChild {
  return h('details', { class: 'legend' }, [
    h('summary', null, 'Verdicts'),
    h(
      'dl',
      null,
      verdicts.flatMap((verdict) => [h('dt', null, badge(verdict)), h('dd', null, meanings[verdict])]),
    ),
  ])
}

/** Renders the causes of the failures in the order in which to fix them. */
function fixes({ target, judgements }: ConformanceReport): ComponentChild[] {
  const open = triage(judgements).filter(({ broken: [{ verdict }] }) => verdict !== 'XFAIL')
  if (open.length === 0) return []
  return [
    h('h2', null, `Fix first in ${target}`),
    h(
      'p',
      { class: 'none' },
      'The causes of the failures, the most urgent first: broken requirements before recommendations, and each by the worst that an attacker gains by a failure that occurred.',
    ),
    h(
      'ol',
      { class: 'fixes' },
      open.map((problem) => h('li', { 'data-severity': problem.broken[0].severity }, fix(target, problem))),
    ),
  ]
}

function fix(target: string, problem: Problem): ComponentChild[] {
  const { cause, broken } = problem
  const [worst] = broken
  const references = listReferences(problem)
  const meaning = meaningOf(worst.shown)
  return [
    h('p', null, [
      badge(worst.verdict),
      ' ',
      h('span', { class: 'severity' }, worst.severity),
      ' ',
      h('a', { href: `#${anchor(target, cause.id)}` }, cause.title),
    ]),
    h('p', { class: 'none' }, [
      'Broken: ',
      ...broken.flatMap(({ id }) => [h('a', { href: `#${anchor(target, id)}` }, id), ' ']),
      references.length > 0 && `(${references.join(', ')})`,
    ]),
    h('p', null, [`Start with ${worst.id}: `, ...prose(resultOf(worst))]),
    meaning?.story !== undefined && h('p', null, `Impact: ${meaning.story}`),
    meaning?.advice !== undefined && h('p', null, ['Fix: ', ...prose(meaning.advice)]),
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

/** Renders which of the target's transitions, calls and errors the cases covered, and which they missed. */
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
