import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirement, requirements } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import { causeOf, severities } from '../causes.ts'
import type { Assessment } from '../run/assess.ts'
import type { Share } from '../run/coverage.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { triage, type Failure, type Problem } from '../run/triage.ts'
import { verdicts, type Finding, type Verdict } from '../run/verdict.ts'
import { filterScript } from './filter-script.ts'
import { adviceFor, describeSeeds, listReferences, listRows, meaningOf, nameSeeds, shorten } from './parts.ts'
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
        matrix(reports),
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

function badge(verdict: Verdict, before = ''): ComponentChild {
  return h('span', { class: `verdict ${verdict}` }, `${before}${verdict}`)
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
        h('tr', { id, 'data-severity': causeOf(id).severity }, [
          h('th', { scope: 'row' }, id),
          h('td', { class: 'says' }, [...prose(says), level !== 'must' && h('small', null, ` (${level})`)]),
          ...judged.map((target, at) => {
            const name = reports[at]?.target ?? ''
            return h('td', reports.length > 1 ? { 'data-target': name } : null, cells(target.get(id), name))
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
  const { verdict, reason, id, seeds } = assessment
  if (verdict === 'FAIL' || verdict === 'XFAIL')
    return [
      h('a', { href: `#${anchor(target, id)}` }, badge(verdict)),
      seeds && h('small', null, describeSeeds(seeds)),
    ]
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

/** Renders the causes of the failures in the order in which to fix them. */
function fixes({ target, judgements }: ConformanceReport): ComponentChild[] {
  const open = triage(judgements).filter(({ verdict }) => verdict !== 'XFAIL')
  if (open.length === 0) return []
  return [
    h('h2', null, `Fix first in ${target}`),
    h(
      'p',
      { class: 'none' },
      'The causes of the failures, the most urgent first: broken requirements before recommendations, and each by what an attacker gains.',
    ),
    h(
      'ol',
      { class: 'fixes' },
      open.map((problem) => h('li', { 'data-severity': problem.cause.severity }, fix(target, problem))),
    ),
  ]
}

function fix(target: string, problem: Problem): ComponentChild[] {
  const { cause, verdict, failures } = problem
  const references = listReferences(problem)
  return [
    h('p', null, [
      badge(verdict),
      ' ',
      h('span', { class: 'severity' }, cause.severity),
      ' ',
      h('a', { href: `#${anchor(target, cause.id)}` }, cause.title),
    ]),
    h('p', null, `At worst: ${cause.risk}`),
    h('p', { class: 'none' }, [
      'Broken: ',
      ...listRows(problem).flatMap((id) => [h('a', { href: `#${anchor(target, id)}` }, id), ' ']),
      references.length > 0 && `(${references.join(', ')})`,
    ]),
    h('p', null, [`Start with ${failures[0]?.id}: `, ...prose(adviceFor(failures[0]?.shown))]),
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

function findings({ target, judgements }: ConformanceReport): ComponentChild[] {
  const seen = new Map<string, number>()
  const nameOf = (id: string) => {
    const nth = (seen.get(id) ?? 0) + 1
    seen.set(id, nth)
    return anchor(target, id) + (nth > 1 ? `-${nth}` : '')
  }
  const problems = triage(judgements)
  if (problems.length === 0) return []
  return [
    h('h2', null, `Failures of ${target}`),
    ...problems.map(({ cause, failures }) =>
      h('section', { class: 'cause' }, [
        h('h3', { id: anchor(target, cause.id) }, [
          h('span', { class: 'severity' }, cause.severity),
          ` ${cause.title}`,
        ]),
        ...failures.map((failure) => story(nameOf(failure.id), failure)),
      ]),
    ),
  ]
}

function story(place: string, { id, verdict, property, shown, setups }: Failure): ComponentChild {
  const { finding, reason } = shown
  const meaning = meaningOf(shown)
  const { says, source } = requirement(id)
  const { severity } = causeOf(id)
  return h('details', { id: place, class: 'finding', 'data-severity': severity, 'data-verdict': verdict }, [
    h('summary', null, [badge(verdict), ` ${id}: ${property}`]),
    h('dl', null, [
      ...entry('Requirement', [...prose(says), ` (${source})`]),
      ...(finding ? entry('Result', finding.says) : []),
      ...(reason ? entry('Reason', reason) : []),
      ...entry('Applications', setups.join('; ')),
      ...(meaning ? entry('Impact', meaning.story) : []),
      ...(meaning ? entry('Fix', prose(meaning.advice)) : []),
      ...resembling(id)
        .slice(0, 3)
        .flatMap(({ project, ids, cause }) => entry('Similar advisory', `${ids[0]} (${project}): ${cause}`)),
    ]),
    finding && reproduction(finding),
  ])
}

function reproduction({ input, trace, commands, replay, again }: Finding): ComponentChildren {
  return [
    h(
      'div',
      { class: 'trace' },
      shorten(trace).map(({ step, line }) => h('div', null, `${step}${line}`)),
    ),
    h('dl', null, [
      ...entry('Smallest input', h('code', null, input)),
      ...entry('Replay', [
        h('code', null, `--replay ${replay}`),
        again && `, which failed again in ${again.failures} of ${again.tries} runs`,
      ]),
    ]),
    commands.length > 0 &&
      h('details', null, [h('summary', null, 'Requests'), h('pre', null, commands.join('\n'))]),
  ]
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
