import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { requirements } from 'authmachine/spec'
import { severityOf } from '../severities.ts'
import type { Assessment } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import { anchor, badge, prose } from './elements.ts'
import { describeSeeds } from './parts.ts'

/** Renders rows in the order of the specification, so that every report has the same order. */
export function matrix(reports: readonly ConformanceReport[]): ComponentChild {
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
        h('tr', { id, 'data-severity': severityOf(id) }, [
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
