import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { requirement, type RequirementId } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Broken, Failure } from '../run/triage.ts'
import type { Finding, Judgement } from '../run/verdict.ts'
import { diagramsFile } from './diagrams.ts'
import { badge, entry, prose } from './elements.ts'
import {
  clip,
  commandOfCase,
  demandOf,
  doubtOf,
  expectationOf,
  labelOfStatement,
  meaningOf,
  rankOf,
  resultOf,
  shorten,
  showSetups,
} from './parts.ts'
import { nameStories, placeFailures, type PlacedRow } from './place-failures.ts'

type Detail = 'steps' | 'explained' | 'brief' | 'listed'

/**
 * The number of requirements, the worst of the page, with at least this detail: the steps of their failure, an
 * explanation, or how to repeat it. With more, the page would be too large to load and to read.
 */
const shownStories = { steps: 20, explained: 40, brief: 90 }

/** The number of other failures that are listed for a requirement. */
const shownOthers: Readonly<Record<Detail, number>> = { steps: 2, explained: 1, brief: 0, listed: 0 }

/** Characters of a result, a statement, or an input. */
const shownText = { result: 300, statement: 160, input: 200, other: 160, listed: 64 }

/**
 * Renders the failures of a report, each requirement once, in the order in which to fix them.
 *
 * @param share the share of the details that this report may have
 */
export function findings(report: ConformanceReport, share: number): ComponentChild[] {
  const { target } = report
  const rows = placeFailures(report)
  if (rows.length === 0) return []
  const detailOf = (rank: number): Detail => {
    const details = ['steps', 'explained', 'brief'] as const
    return details.find((each) => rank < shownStories[each] * share) ?? 'listed'
  }
  return [
    h('h2', null, `Failures of ${target}`),
    ...rows.flatMap((row, rank) => {
      const before = rows[rank - 1]
      const isSame = before !== undefined && rankOf(before.broken) === rankOf(row.broken)
      return [
        ...(isSame ? [] : [h('h3', { class: 'severity' }, rankOf(row.broken))]),
        story(report, row, detailOf(rank), rank === 0),
      ]
    }),
  ]
}

/** Renders a broken requirement by its worst failure. */
function story(report: ConformanceReport, row: PlacedRow, detail: Detail, isOpen: boolean): ComponentChild {
  const { target } = report
  const { place, broken } = row
  const { id, verdict, severity, shown } = broken
  const { finding } = shown
  const doubt = finding && doubtOf(finding)
  const isExplained = detail === 'steps' || detail === 'explained'
  const data = { 'data-severity': severity, 'data-verdict': verdict }
  return h('details', { id: place, class: 'finding', open: isOpen, ...data }, [
    h('summary', null, [
      badge(verdict),
      ` ${id}: ${clip(resultOf(broken), detail === 'listed' ? shownText.listed : shownText.result)}`,
      doubt !== undefined && h('span', { class: 'doubt' }, doubt.split(':')[0]),
    ]),
    h('dl', null, [
      ...(isExplained ? describe(target, broken) : []),
      ...entry(labelOfStatement(requirement(id)), [
        ...statement(id, detail),
        isExplained && ` (${demandOf(broken)})`,
      ]),
      ...(doubt === undefined ? [] : entry('Doubt', doubt)),
      ...(isExplained ? explain(broken) : []),
      ...(finding?.frames ? entry('Diagram', playLink(place, 'Play this failure on the diagram')) : []),
      ...(finding && detail !== 'steps' ? entry('Steps', whereabouts(report, finding, detail)) : []),
    ]),
    finding && detail === 'steps' && reproduction(report, shown, finding),
    ...listOthers(report, row, shownOthers[detail]),
  ])
}

/** Says where to find the steps of a failure. */
function whereabouts(report: ConformanceReport, finding: Finding, detail: Detail): ComponentChildren {
  if (detail === 'listed') return 'in the JSON report (--report json)'
  return ['in the JSON report, and with ', repeat(report, finding)]
}

function describe(target: string, { property, shown, setups }: Broken): ComponentChild[] {
  const { reason } = shown
  const isNamed = showSetups(target, setups) !== ''
  return [
    ...entry('Expected', expectationOf({ property })),
    ...(reason ? entry('Reason', reason) : []),
    ...(isNamed ? entry('Applications', clip(setups.join('; '), shownText.other)) : []),
  ]
}

/** Renders other failures of the same requirement: some, and how many more there are. */
function listOthers(report: ConformanceReport, row: PlacedRow, shown: number): ComponentChild[] {
  const [, ...others] = nameStories(row)
  if (others.length === 0) return []
  const more = others.length - shown
  return [
    h('dl', null, [
      ...others.slice(0, shown).flatMap(([name, other]) => listOther(report, name, other)),
      ...(more > 0
        ? entry('Also', `${more} more ${more === 1 ? 'failure' : 'failures'}, in the JSON report`)
        : []),
    ]),
  ]
}

function listOther(report: ConformanceReport, name: string, other: Failure): ComponentChild[] {
  const { finding } = other.shown
  const setups = clip(showSetups(report.target, other.setups), shownText.other)
  return entry('Also', [
    `${clip(resultOf(other), shownText.other)} (${other.severity}; expected: ${expectationOf(other)})${setups} `,
    finding && repeat(report, finding),
    finding?.frames && [' ', playLink(name, 'Play it on the diagram')],
  ])
}

/** Renders the link to a story on the page with the diagrams. */
function playLink(name: string, text: string): ComponentChild {
  return h('a', { href: `${diagramsFile}#play/${encodeURIComponent(name)}` }, text)
}

/** Renders a statement, or its beginning. The list at the end of the page has all of it. */
function statement(id: RequirementId, detail: Detail): ComponentChild[] {
  const { says } = requirement(id)
  if (detail === 'steps') return prose(says)
  const shown = clip(says, detail === 'listed' ? shownText.listed : shownText.statement)
  return [...prose(shown), ...(shown === says ? [] : [' ', h('a', { href: `#${id}` }, `Read all of ${id}`)])]
}

function explain({ id, shown }: Failure): ComponentChild[] {
  const meaning = meaningOf(shown)
  const [similar] = resembling(id)
  return [
    ...(meaning?.story ? entry('Could lead to', meaning.story) : []),
    ...(meaning?.advice ? entry('Fix', prose(meaning.advice)) : []),
    ...(similar ? entry('Similar advisory', `${similar.ids[0]} (${similar.project}): ${similar.cause}`) : []),
  ]
}

function reproduction(report: ConformanceReport, shown: Judgement, finding: Finding): ComponentChildren {
  const { input, commands } = finding
  return [
    h(
      'div',
      { class: 'trace' },
      shorten(shown).map(({ step, line }) =>
        h('div', step === '' ? { class: 'note' } : null, `${step}${line}`),
      ),
    ),
    h('dl', null, [
      // A property without input has one case.
      ...(input === 'undefined'
        ? []
        : entry('Smallest input', h('code', null, clip(input, shownText.input)))),
      ...entry('Replay', repeat(report, finding)),
    ]),
    commands.length > 0 &&
      h('details', null, [
        h('summary', null, 'Script to paste into a shell'),
        h('pre', null, commands.join('\n')),
      ]),
  ]
}

function repeat(report: ConformanceReport, finding: Finding): ComponentChildren {
  const { again } = finding
  return [
    h('code', null, commandOfCase(report, finding)),
    again && `, which failed in ${again.failures} of ${again.tries} repetitions`,
  ]
}
