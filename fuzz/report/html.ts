import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirement, requirements } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import { findProperty } from '../properties/index.ts'
import { verdictOf, type Assessment } from '../run/assess.ts'
import type { Share } from '../run/coverage.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { verdicts, type Judgement, type Verdict } from '../run/verdict.ts'
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

/** Renders the reports of one or several targets as one page: a matrix, then each finding in detail. */
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
        h('h2', { id: 'matrix' }, 'Invariants'),
        legend(),
        matrix(reports),
        ...reports.flatMap(findings),
        ...reports.flatMap(exercised),
      ]),
    ]),
  ])
  return `<!doctype html>${renderToString(page)}\n`
}

function list(words: readonly string[]): string {
  return words.join(' and ')
}

function summarize(report: ConformanceReport): ComponentChild {
  const counts = countVerdicts(report)
  const broken = report.invariants.filter(({ verdict }) => verdict === 'FAIL')
  const links = broken.map(({ id }) => h('a', { href: `#${anchor(report.target, id)}` }, id))
  return h('section', { class: 'summary' }, [
    h('p', null, introduce(report, counts)),
    links.length > 0 && h('p', { class: 'broken' }, ['Broken: ', ...links.flatMap((link) => [link, ' '])]),
  ])
}

function introduce(report: ConformanceReport, counts: ReturnType<typeof countVerdicts>): ComponentChildren {
  return [
    h('strong', null, report.target),
    ` at profile ${report.profile}, seed ${report.seed}, in ${Math.round(report.took / 1000)} s: `,
    ...verdicts.flatMap((verdict) => (counts[verdict] ? [badge(verdict, `${counts[verdict]} `), ' '] : [])),
  ]
}

function badge(verdict: Verdict, before = ''): ComponentChild {
  return h('span', { class: `verdict ${verdict}`, title: meanings[verdict] }, `${before}${verdict}`)
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

/** Renders rows in the order of the specification, so that every report has the same order. */
function matrix(reports: readonly ConformanceReport[]): ComponentChild {
  const judged = reports.map(({ invariants }) => groupById(invariants))
  const rows = requirements.filter(({ id }) => judged.some((target) => target.has(id)))
  return h('table', null, [
    h(
      'thead',
      null,
      h('tr', null, [
        h('th', { scope: 'col' }, 'Id'),
        h('th', { scope: 'col' }, 'Statement'),
        ...reports.map(({ target }) => h('th', { scope: 'col' }, target)),
      ]),
    ),
    h(
      'tbody',
      null,
      rows.map(({ id, says, level }) =>
        h('tr', { id }, [
          h('th', { scope: 'row' }, id),
          h('td', { class: 'says' }, [...prose(says), level !== 'must' && h('small', null, ` (${level})`)]),
          ...judged.map((target, at) => {
            const name = reports[at]?.target ?? ''
            return h('td', { 'data-target': name }, cells(target.get(id), name))
          }),
        ]),
      ),
    ),
  ])
}

function groupById(assessments: readonly Assessment[]): ReadonlyMap<string, readonly Assessment[]> {
  const groups = new Map<string, Assessment[]>()
  for (const each of assessments) groups.set(each.id, [...(groups.get(each.id) ?? []), each])
  return groups
}

function cells(assessments: readonly Assessment[] | undefined, target: string): ComponentChildren {
  if (!assessments) return h('span', { class: 'none' }, 'not tested')
  return assessments.map((assessment) => [
    cell(assessment, target),
    assessment.part !== undefined && h('small', null, ` ${assessment.part}`),
  ])
}

function cell(assessment: Assessment, target: string): ComponentChildren {
  const { verdict, reason, id } = assessment
  if (verdict === 'FAIL' || verdict === 'XFAIL')
    return h('a', { href: `#${anchor(target, id)}` }, badge(verdict))
  // The reason for a SKIP repeats in many rows, so it goes into a tooltip.
  if (verdict === 'SKIP' || verdict === 'UNTESTED' || verdict === 'PASS')
    return h('span', { title: reason }, badge(verdict))
  return [badge(verdict), reason !== undefined && h('small', null, reason)]
}

/** Renders a statement, with words in backticks as code. */
function prose(text: string): ComponentChild[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? h('code', null, part) : part))
}

function anchor(target: string, id: string): string {
  return `${target.replaceAll(/[^\w.-]/g, '-')}-${id}`
}

function findings({ target, judgements }: ConformanceReport): ComponentChild[] {
  const failed = judgements.filter(({ finding }) => finding)
  if (failed.length === 0) return []
  const seen = new Map<string, number>()
  return [
    h('h2', null, `Findings for ${target}`),
    ...failed.map((judgement) => {
      const id = judgement.broken ?? judgement.proves[0] ?? ''
      const nth = (seen.get(id) ?? 0) + 1
      seen.set(id, nth)
      return article(anchor(target, id) + (nth > 1 ? `-${nth}` : ''), judgement)
    }),
  ]
}

function article(place: string, judgement: Judgement): ComponentChild {
  const { broken, proves, property, setup, finding, reason } = judgement
  const id = broken ?? proves[0]
  if (!id || !finding) return h('p', null, reason)
  const { story, advice } = finding.meaning ?? findProperty(property)
  const { says, source } = requirement(id)
  return h('article', { id: place }, [
    h('h3', null, [badge(verdictOf(judgement)), ` ${id}: ${property}`]),
    h('dl', null, [
      ...entry('Requirement', [...prose(says), ` (${source})`]),
      ...entry('Result', finding.says),
      ...entry('Application', setup),
      ...entry('Impact', story),
      ...entry('Smallest input', h('code', null, finding.input)),
      ...entry('Fix', prose(advice)),
      ...resembling(id)
        .slice(0, 3)
        .flatMap(({ project, ids, cause }) => entry('Similar advisory', `${ids[0]} (${project}): ${cause}`)),
      ...entry('Replay', [
        h('code', null, `--replay ${finding.replay}`),
        finding.again && `, which failed again in ${finding.again.failures} of ${finding.again.tries} runs`,
      ]),
    ]),
    h(
      'ol',
      { class: 'trace' },
      finding.trace.map((line) => h('li', null, line)),
    ),
    h('details', null, [h('summary', null, 'Requests'), h('pre', null, finding.commands.join('\n'))]),
  ])
}

function entry(term: string, text: ComponentChildren): ComponentChild[] {
  return [h('dt', null, term), h('dd', null, text)]
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
