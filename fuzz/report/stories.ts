import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { requirement, type RequirementId } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import type { ConformanceReport } from '../run/report.ts'
import type { Failure } from '../run/triage.ts'
import type { Finding } from '../run/verdict.ts'
import { diagramsFile } from './diagrams.ts'
import { anchor, badge, entry, prose } from './elements.ts'
import { meaningOf, resultOf, riskOf, shorten, showSetups, sourceOf } from './parts.ts'
import { nameStories, placeFailures, type PlacedRow } from './place-failures.ts'

/** So many requirements have a story with its steps. More would make the page too large to load and to read. */
const shownStories = 40

/** Renders the failures of a report by their causes, and each requirement once. */
export function findings(report: ConformanceReport): ComponentChild[] {
  const { target } = report
  const problems = placeFailures(report)
  if (problems.length === 0) return []
  const ids = new Set<string>()
  const render = (row: PlacedRow) => story(target, row, ids.add(row.broken.id).size <= shownStories)
  return [
    h('h2', null, `Failures of ${target}`),
    ...problems.map(({ problem, rows }) =>
      h('section', { class: 'cause' }, [
        h('h3', { id: anchor(target, problem.cause.id) }, [
          h('span', { class: 'severity' }, problem.broken[0].severity),
          ` ${problem.cause.title}`,
        ]),
        riskOf(problem) !== '' && h('p', { class: 'none' }, riskOf(problem)),
        ...rows.map(render),
      ]),
    ),
  ]
}

/** Renders a broken requirement by its worst failure. */
function story(target: string, row: PlacedRow, inFull: boolean): ComponentChild {
  const { place, broken } = row
  const { id, verdict, severity, property, shown, setups } = broken
  const [, ...others] = nameStories(row)
  const { finding, reason } = shown
  const isNamed = showSetups(target, setups) !== ''
  return h('details', { id: place, class: 'finding', 'data-severity': severity, 'data-verdict': verdict }, [
    h('summary', null, [badge(verdict), ` ${id}: ${resultOf(broken)}`]),
    h('dl', null, [
      ...entry('Expected', property),
      ...entry('Severity', severity),
      ...(inFull ? entry('Requirement', statement(id)) : []),
      ...(reason ? entry('Reason', reason) : []),
      ...(isNamed ? entry('Applications', setups.join('; ')) : []),
      ...explain(broken),
      ...(finding?.frames ? entry('Diagram', playLink(place, 'Play this failure on the diagram')) : []),
      ...(finding && !inFull ? entry('Replay', repeat(finding)) : []),
    ]),
    finding && inFull && reproduction(finding),
    others.length > 0 &&
      h(
        'dl',
        null,
        others.flatMap(([name, other]) => listOther(target, name, other)),
      ),
  ])
}

/** Renders another failure of the same requirement. */
function listOther(target: string, name: string, other: Failure): ComponentChild[] {
  const { finding } = other.shown
  return entry('Also', [
    `${resultOf(other)} (${other.severity}; expected: ${other.property})${showSetups(target, other.setups)} `,
    finding && repeat(finding),
    finding?.frames && [' ', playLink(name, 'Play it on the diagram')],
  ])
}

/** Renders the link to a story on the page with the diagrams. */
function playLink(name: string, text: string): ComponentChild {
  return h('a', { href: `${diagramsFile}#play/${encodeURIComponent(name)}` }, text)
}

function statement(id: RequirementId): ComponentChild[] {
  return [...prose(requirement(id).says), ` (${sourceOf(id)})`]
}

function explain({ id, shown }: Failure): ComponentChild[] {
  const meaning = meaningOf(shown)
  return [
    ...(meaning?.story ? entry('Impact', meaning.story) : []),
    ...(meaning?.advice ? entry('Fix', prose(meaning.advice)) : []),
    ...resembling(id)
      .slice(0, 3)
      .flatMap(({ project, ids, cause }) => entry('Similar advisory', `${ids[0]} (${project}): ${cause}`)),
  ]
}

function reproduction(finding: Finding): ComponentChildren {
  const { input, trace, commands } = finding
  return [
    h(
      'div',
      { class: 'trace' },
      shorten(trace).map(({ step, line }) => h('div', null, `${step}${line}`)),
    ),
    h('dl', null, [
      // A property without input has one case.
      ...(input === 'undefined' ? [] : entry('Smallest input', h('code', null, input))),
      ...entry('Replay', repeat(finding)),
    ]),
    commands.length > 0 &&
      h('details', null, [h('summary', null, 'Requests'), h('pre', null, commands.join('\n'))]),
  ]
}

function repeat({ replay, again: runs }: Finding): ComponentChildren {
  return [
    h('code', null, `--replay ${replay}`),
    runs && `, which failed again in ${runs.failures} of ${runs.tries} runs`,
  ]
}
