import { h, type ComponentChild } from 'preact'
import { requirement } from 'authmachine/spec'
import type { ConformanceReport } from '../run/report.ts'
import { triage, type Problem } from '../run/triage.ts'
import { anchor, badge, prose } from './elements.ts'
import {
  clip,
  gains,
  labelOfImpact,
  labelOfStatement,
  listReferences,
  meaningOf,
  orderOfFixes,
  rankOf,
  riskOf,
  shownCauses,
  statementOf,
  titleOf,
} from './parts.ts'
import { placeOf } from './place-failures.ts'

/** Characters of a title below the first fixes. */
const shownLater = 70

/** Renders the causes of the failures in the order in which to fix them. */
export function fixes({ target, judgements }: ConformanceReport): ComponentChild[] {
  const open = triage(judgements).filter(({ verdict }) => verdict !== 'XFAIL')
  if (open.length === 0) return []
  const rest = open.slice(shownCauses)
  return [
    h('h2', null, `Fix first in ${target}`),
    h('p', { class: 'none' }, orderOfFixes),
    h(
      'ol',
      { class: 'fixes' },
      open
        .slice(0, shownCauses)
        .map((problem) => h('li', { 'data-severity': problem.severity }, fix(target, problem))),
    ),
    ...(rest.length > 0
      ? [
          h('h3', null, 'Then'),
          h(
            'ol',
            { class: 'then', start: shownCauses + 1 },
            rest.map((problem) =>
              h('li', null, [...title(target, problem, shownLater), ': ', ...ids(target, problem)]),
            ),
          ),
        ]
      : []),
  ]
}

function title(target: string, problem: Problem, length = Infinity): ComponentChild[] {
  return [
    badge(problem.verdict),
    ' ',
    h('span', { class: 'severity' }, rankOf(problem)),
    ' ',
    h('a', { href: `#${placeOf(target, problem)}` }, clip(titleOf(problem), length)),
  ]
}

function ids(target: string, { broken }: Problem): ComponentChild[] {
  return broken.flatMap(({ id }) => [h('a', { href: `#${anchor(target, id)}` }, id), ' '])
}

function fix(target: string, problem: Problem): ComponentChild[] {
  const [worst] = problem.broken
  const references = listReferences(problem)
  const meaning = meaningOf(worst.shown)
  const risk = riskOf(problem)
  return [
    h('p', null, title(target, problem)),
    h('p', null, [`${labelOfStatement(requirement(worst.id))}: `, ...prose(statementOf(worst))]),
    h('p', null, `Severity: ${gains[worst.severity]}`),
    risk !== '' && h('p', null, `Kind of defect: ${risk}`),
    meaning?.story !== undefined && h('p', null, `${labelOfImpact(worst.shown)}: ${meaning.story}`),
    meaning?.advice !== undefined && h('p', null, ['Fix: ', ...prose(meaning.advice)]),
    problem.broken.length > 1 &&
      h('p', { class: 'none' }, [
        'All: ',
        ...ids(target, problem),
        references.length > 0 && `(${references.join(', ')})`,
      ]),
  ]
}
