import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { requirements } from 'authmachine/spec'
import { severities, type Severity } from '../causes.ts'
import type { Assessment } from '../run/assess.ts'
import type { ConformanceReport } from '../run/report.ts'
import { needsWire } from '../run/why-not.ts'
import { anchor, badge, prose } from './elements.ts'
import { clip, describeSeeds } from './parts.ts'

type Row = (typeof requirements)[number]
type Judged = readonly ReadonlyMap<string, readonly Assessment[]>[]

/** Characters of a reason. */
const shownReason = 160

/**
 * Renders the tested requirements in the order of the specification, so that every report has the same order, and then
 * the others by the reason why they were not tested.
 */
export function matrix(reports: readonly ConformanceReport[]): ComponentChild[] {
  const judged = reports.map(({ invariants }) => groupById(invariants))
  const rows = requirements.filter(({ id }) => judged.some((target) => target.has(id)))
  const tested: Row[] = []
  const others = new Map<string, Row[]>()
  for (const row of rows) {
    const reason = whyUntested(judged.flatMap((target) => target.get(row.id) ?? []))
    if (reason === undefined) tested.push(row)
    else others.set(reason, [...(others.get(reason) ?? []), row])
  }
  return [
    table(reports, judged, tested, true),
    ...[...others]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([reason, mine]) =>
        h('details', { class: 'untested' }, [
          h('summary', null, `${mine.length} not tested: ${reason}`),
          // Their statements are about routes that the target does not have.
          reason === needsWire ? listIds(mine) : table(reports, judged, mine, false),
        ]),
      ),
  ]
}

function listIds(rows: readonly Row[]): ComponentChild {
  return h('p', { class: 'none' }, rows.map(({ id }) => id).join(', '))
}

/** Returns the reason why no target was tested; nothing if one was. */
function whyUntested(assessments: readonly Assessment[]): string | undefined {
  const isUntested = assessments.every(({ verdict }) => verdict === 'SKIP' || verdict === 'UNTESTED')
  return isUntested ? (assessments[0]?.reason ?? 'no property checks it') : undefined
}

/** @param explained whether to explain the cells that were not tested; a group explains all of its rows at once */
function table(
  reports: readonly ConformanceReport[],
  judged: Judged,
  rows: readonly Row[],
  explained: boolean,
): ComponentChild {
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
        h('tr', { id, 'data-severity': worstOf(judged.flatMap((target) => target.get(id) ?? [])) }, [
          h('th', { scope: 'row' }, id),
          h('td', null, [...prose(says), level !== 'must' && h('small', null, ` (${level})`)]),
          ...judged.map((target, at) => {
            const name = reports[at]?.target ?? ''
            return h(
              'td',
              reports.length > 1 ? { 'data-target': name } : null,
              cells(target.get(id), name, explained),
            )
          }),
        ]),
      ),
    ),
  ])
}

/** Returns the severity by which the page filters a requirement: that of its failures, or of those it could have. */
function worstOf(assessments: readonly Assessment[]): Severity | undefined {
  return severities.find((each) => assessments.some(({ severity }) => severity === each))
}

function groupById(assessments: readonly Assessment[]): ReadonlyMap<string, readonly Assessment[]> {
  const groups = new Map<string, Assessment[]>()
  for (const each of assessments) groups.set(each.id, [...(groups.get(each.id) ?? []), each])
  return groups
}

function cells(
  assessments: readonly Assessment[] | undefined,
  target: string,
  explained: boolean,
): ComponentChildren {
  if (!assessments) return h('span', { class: 'none' }, 'not tested')
  return assessments.map((assessment) => [
    cell(assessment, target, explained),
    assessment.part !== undefined && h('small', null, ` ${assessment.part}`),
  ])
}

function cell(assessment: Assessment, target: string, explained: boolean): ComponentChildren {
  const { verdict, reason, id, seeds } = assessment
  if (verdict === 'FAIL' || verdict === 'XFAIL')
    return [
      h('a', { href: `#${anchor(target, id)}` }, badge(verdict)),
      seeds && h('small', null, describeSeeds(seeds)),
    ]
  if (verdict === 'SKIP' || verdict === 'UNTESTED' || verdict === 'PASS')
    return h('span', explained ? { title: reason } : null, badge(verdict))
  return [badge(verdict), reason !== undefined && h('small', null, clip(reason, shownReason))]
}
