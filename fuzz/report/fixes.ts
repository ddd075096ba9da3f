import { h, type ComponentChild } from 'preact'
import { requirement } from 'authmachine/spec'
import type { ConformanceReport } from '../run/report.ts'
import { badge, prose } from './elements.ts'
import type { Broken } from '../run/triage.ts'
import {
  describeKinship,
  labelOfStatement,
  meaningOf,
  orderOfFixes,
  rankOf,
  shownFixes,
  statementOf,
  titleOf,
} from './parts.ts'
import { placeFailures, type PlacedRow } from './place-failures.ts'

/** The number of failures that are named below the first fixes. */
const shownNext = 20

/** Renders the failures in the order in which to fix them. */
export function fixes(report: ConformanceReport): ComponentChild[] {
  const open = placeFailures(report).filter(({ broken }) => broken.verdict !== 'XFAIL')
  if (open.length === 0) return []
  const broken = open.map((row) => row.broken)
  const rest = open.slice(shownFixes)
  return [
    h('h2', null, `Fix first in ${report.target}`),
    h('p', { class: 'none' }, orderOfFixes),
    h(
      'ol',
      { class: 'fixes' },
      open
        .slice(0, shownFixes)
        .map((row, at) => h('li', { 'data-severity': row.broken.severity }, fix(row, broken.slice(0, at)))),
    ),
    ...(rest.length > 0
      ? [
          h('h3', null, 'Then'),
          h(
            'ol',
            { class: 'then', start: shownFixes + 1 },
            rest.slice(0, shownNext).map((row) => h('li', null, [...title(row), ` (${row.broken.id})`])),
          ),
          rest.length > shownNext &&
            h('p', { class: 'none' }, `${rest.length - shownNext} more follow below, in the same order.`),
        ]
      : []),
  ]
}

function title({ place, broken }: PlacedRow): ComponentChild[] {
  return [
    badge(broken.verdict),
    ' ',
    h('span', { class: 'severity' }, rankOf(broken)),
    ' ',
    h('a', { href: `#${place}` }, titleOf(broken)),
  ]
}

function fix(row: PlacedRow, before: readonly Broken[]): ComponentChild[] {
  const { broken } = row
  const meaning = meaningOf(broken.shown)
  const kinship = describeKinship(broken, before)
  return [
    h('p', null, title(row)),
    h('p', null, [`${labelOfStatement(requirement(broken.id))}: `, ...prose(statementOf(broken))]),
    meaning?.advice !== undefined && h('p', null, ['Fix: ', ...prose(meaning.advice)]),
    kinship !== undefined && h('p', null, kinship),
  ]
}
