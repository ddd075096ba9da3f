import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { requirements } from '../../spec/index.ts'
import { resembling } from '../museum.ts'
import { findProperty } from '../properties/index.ts'
import { verdictOf, type Assessment } from '../run/assess.ts'
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
  return h('p', { class: 'summary' }, [
    h('strong', null, report.target),
    ` at profile ${report.profile}, seed ${report.seed}, in ${Math.round(report.took / 1000)} s: `,
    ...verdicts.flatMap((verdict) => (counts[verdict] ? [badge(verdict, `${counts[verdict]} `), ' '] : [])),
  ])
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
          h('td', null, [says, level === 'must' ? '' : h('small', null, ` (${level})`)]),
          ...judged.map((target, at) => h('td', null, cell(target.get(id), reports[at]?.target ?? ''))),
        ]),
      ),
    ),
  ])
}

function cell(assessment: Assessment | undefined, target: string): ComponentChildren {
  if (!assessment) return h('span', { class: 'none' }, 'not asked')
  const { verdict, reason, id } = assessment
  const hasStory = verdict === 'FAIL' || verdict === 'XFAIL' || verdict === 'ERROR'
  if (hasStory) return h('a', { href: `#${anchor(target, id)}` }, badge(verdict))
  return h('span', { title: reason }, badge(verdict))
}

function anchor(target: string, id: string): string {
  return `${target.replaceAll(/[^\w.-]/g, '-')}-${id}`
}

function findings({ target, judgements }: ConformanceReport): ComponentChild[] {
  const told = judgements.filter(({ finding }) => finding)
  if (told.length === 0) return []
  return [h('h2', null, `What ${target} did`), ...told.map((judgement) => article(target, judgement))]
}

function article(target: string, judgement: Judgement): ComponentChild {
  const { broken, proves, property, setup, finding, reason } = judgement
  const id = broken ?? proves[0]
  if (!id || !finding) return h('p', null, reason)
  const { story, advice } = findProperty(property)
  const { says, source } = rowOf(id)
  return h('article', { id: anchor(target, id) }, [
    h('h3', null, [badge(verdictOf(judgement)), ` ${id}: ${property}`]),
    h('dl', null, [
      ...entry('The rule', `${says} (${source})`),
      ...entry('What came', finding.says),
      ...entry('Application', setup),
      ...entry('What somebody could do', story),
      ...entry('Smallest case', h('code', null, finding.input)),
      ...entry('What to do', advice),
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
