import { h, type ComponentChild } from 'preact'
import type { ConformanceReport } from '../run/report.ts'
import { triage, type Problem } from '../run/triage.ts'
import { anchor, badge, prose } from './elements.ts'
import {
  clip,
  gains,
  describeStart,
  labelOfImpact,
  listReferences,
  meaningOf,
  orderOfFixes,
  riskOf,
  shownCauses,
  titleOf,
} from './parts.ts'

/** Renders the causes of the failures in the order in which to fix them. */
export function fixes({ target, judgements }: ConformanceReport): ComponentChild[] {
  const open = triage(judgements).filter(({ broken: [{ verdict }] }) => verdict !== 'XFAIL')
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
        .map((problem) => h('li', { 'data-severity': problem.broken[0].severity }, fix(target, problem))),
    ),
    ...(rest.length > 0
      ? [
          h('h3', null, 'Then'),
          h(
            'ol',
            { class: 'then', start: shownCauses + 1 },
            rest.map((problem) => h('li', null, [...title(target, problem), ': ', ...ids(target, problem)])),
          ),
        ]
      : []),
  ]
}

function title(target: string, problem: Problem): ComponentChild[] {
  const [worst] = problem.broken
  return [
    badge(worst.verdict),
    ' ',
    h('span', { class: 'severity' }, worst.severity),
    ' ',
    h('a', { href: `#${anchor(target, problem.cause.id)}` }, clip(titleOf(problem))),
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
    h('p', null, `Severity: an attacker can ${gains[worst.severity]}`),
    risk !== '' && h('p', null, `Why: ${risk}`),
    h('p', null, ['Start with ', ...prose(clip(describeStart(problem)))]),
    meaning?.story !== undefined && h('p', null, `${labelOfImpact(worst.shown)}: ${meaning.story}`),
    meaning?.advice !== undefined && h('p', null, ['Fix: ', ...prose(meaning.advice)]),
    h('p', { class: 'none' }, [
      'Broken: ',
      ...ids(target, problem),
      references.length > 0 && `(${references.join(', ')})`,
    ]),
  ]
}
