import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirements } from 'authmachine/spec'
import { resembling } from '../museum.ts'
import { findProperty } from '../properties/index.ts'
import { verdictOf, type Assessment } from '../run/assess.ts'
import type { Share } from '../run/coverage.ts'
import { countVerdicts, type ConformanceReport } from '../run/report.ts'
import { verdicts, type Judgement, type Verdict } from '../run/verdict.ts'
import { rowOf } from '../run/why-not.ts'
import { style } from './style.ts'

const meanings: Readonly<Record<Verdict, string>> = {
  PASS: 'held in every case',
  WARN: 'does not hold, and should; or must, by a capability that the target does not declare',
  FAIL: 'does not hold, and must',
  SKIP: 'not judged: the target lacks what it is about',
  XFAIL: 'does not hold, as the baseline expects',
  XPASS: 'holds, though the baseline expects it not to',
  INCONCLUSIVE: 'too few cases came to what it is about',
  ERROR: 'the oracle itself failed',
}

/** The reports of one or several targets as one page: a matrix, and below it each finding at length. */
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
    h('summary', null, 'What the verdicts mean'),
    h(
      'dl',
      null,
      verdicts.flatMap((verdict) => [h('dt', null, badge(verdict)), h('dd', null, meanings[verdict])]),
    ),
  ])
}

/** Rows by the specification's order, so that the same row is at the same place in every report. */
function matrix(reports: readonly ConformanceReport[]): ComponentChild {
  const judged = reports.map(({ invariants }) => new Map(invariants.map((each) => [each.id, each])))
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
            return h('td', { 'data-target': name }, cell(target.get(id), name))
          }),
        ]),
      ),
    ),
  ])
}

function cell(assessment: Assessment | undefined, target: string): ComponentChildren {
  if (!assessment) return h('span', { class: 'none' }, 'not asked')
  const { verdict, reason, id } = assessment
  if (verdict === 'FAIL' || verdict === 'XFAIL')
    return h('a', { href: `#${anchor(target, id)}` }, badge(verdict))
  // Why something was not judged is the same in many rows, and told to whoever asks.
  if (verdict === 'SKIP' || verdict === 'PASS') return h('span', { title: reason }, badge(verdict))
  return [badge(verdict), reason !== undefined && h('small', null, reason)]
}

/** A statement, whose words in backticks are code. */
function prose(text: string): ComponentChild[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? h('code', null, part) : part))
}

function anchor(target: string, id: string): string {
  return `${target.replaceAll(/[^\w.-]/g, '-')}-${id}`
}

function findings({ target, judgements }: ConformanceReport): ComponentChild[] {
  const told = judgements.filter(({ finding }) => finding)
  if (told.length === 0) return []
  const seen = new Map<string, number>()
  return [
    h('h2', null, `What ${target} did`),
    ...told.map((judgement) => {
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
  const { story, advice } = findProperty(property)
  const { says, source } = rowOf(id)
  return h('article', { id: place }, [
    h('h3', null, [badge(verdictOf(judgement)), ` ${id}: ${property}`]),
    h('dl', null, [
      ...entry('The rule', [...prose(says), ` (${source})`]),
      ...entry('What came', finding.says),
      ...entry('Application', setup),
      ...entry('What somebody could do', story),
      ...entry('Smallest case', h('code', null, finding.input)),
      ...entry('What to do', prose(advice)),
      ...resembling(id)
        .slice(0, 3)
        .flatMap(({ project, ids, cause }) => entry('Resembles', `${ids[0]} (${project}): ${cause}`)),
      ...entry('Again by', [
        h('code', null, `--replay ${finding.replay}`),
        finding.again && `, which came again in ${finding.again.came} of ${finding.again.tries} tries`,
      ]),
    ]),
    h(
      'ol',
      { class: 'trace' },
      finding.trace.map((line) => h('li', null, line)),
    ),
    h('details', null, [h('summary', null, 'As requests'), h('pre', null, finding.commands.join('\n'))]),
  ])
}

function entry(term: string, text: ComponentChildren): ComponentChild[] {
  return [h('dt', null, term), h('dd', null, text)]
}

/** How much of the target's own machines, calls and errors the cases came by, and what they never did. */
function exercised({ target, coverage, gaps }: ConformanceReport): ComponentChild[] {
  if (!coverage) return []
  return [
    h('h2', null, `What of ${target} was exercised`),
    ...gaps.map((gap) => h('p', null, [badge('FAIL'), ` too little of ${gap}`])),
    ...Object.entries(coverage).map(([name, { reached, total, never }]: [string, Share]) =>
      h('details', null, [
        h('summary', null, `${name}: ${reached} of ${total}`),
        never.length > 0 && h('p', null, 'Never exercised:'),
        h(
          'ul',
          { class: 'trace' },
          never.map((each) => h('li', null, each)),
        ),
      ]),
    ),
  ]
}
