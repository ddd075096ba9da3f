import { h, type ComponentChild, type ComponentChildren } from 'preact'
import { requirement, type RequirementId } from 'authmachine/spec'
import { resembling } from '../advisories.ts'
import { causeOf } from '../causes.ts'
import type { ConformanceReport } from '../run/report.ts'
import { triage, type Failure } from '../run/triage.ts'
import type { Finding } from '../run/verdict.ts'
import { anchor, badge, entry, prose } from './elements.ts'
import { meaningOf, shorten } from './parts.ts'

/** So many requirements have a story with its steps. More would make the page too large to load and to read. */
const shownStories = 40

/** Renders the failures of a report by their causes. */
export function findings({ target, judgements }: ConformanceReport): ComponentChild[] {
  const seen = new Map<string, number>()
  const render = (failure: Failure) => {
    const nth = (seen.get(failure.id) ?? 0) + 1
    seen.set(failure.id, nth)
    const place = anchor(target, failure.id) + (nth > 1 ? `-${nth}` : '')
    return story(place, failure, nth === 1, nth === 1 && seen.size <= shownStories)
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
        ...failures.map(render),
      ]),
    ),
  ]
}

/** Renders a failure. Only the first failure of a requirement explains it. */
function story(place: string, failure: Failure, explained: boolean, inFull: boolean): ComponentChild {
  const { id, verdict, property, shown, setups } = failure
  const { finding, reason } = shown
  const { severity } = causeOf(id)
  return h('details', { id: place, class: 'finding', 'data-severity': severity, 'data-verdict': verdict }, [
    h('summary', null, [badge(verdict), ` ${id}: ${property}`]),
    h('dl', null, [
      ...(inFull ? entry('Requirement', statement(id)) : []),
      ...(finding ? entry('Result', finding.says) : []),
      ...(reason ? entry('Reason', reason) : []),
      ...entry('Applications', setups.join('; ')),
      ...(explained ? explain(failure) : []),
      ...(finding && !inFull ? entry('Replay', repeat(finding)) : []),
    ]),
    finding && inFull && reproduction(finding),
  ])
}

function statement(id: RequirementId): ComponentChild[] {
  const { says, source } = requirement(id)
  return [...prose(says), ` (${source})`]
}

function explain({ id, shown }: Failure): ComponentChild[] {
  const meaning = meaningOf(shown)
  return [
    ...(meaning ? entry('Impact', meaning.story) : []),
    ...(meaning ? entry('Fix', prose(meaning.advice)) : []),
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
    h('dl', null, [...entry('Smallest input', h('code', null, input)), ...entry('Replay', repeat(finding))]),
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
