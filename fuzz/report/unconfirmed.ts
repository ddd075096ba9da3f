import { h, type ComponentChild } from 'preact'
import type { ConformanceReport } from '../run/report.ts'
import { unconfirmed, type Judgement } from '../run/verdict.ts'
import { badge } from './elements.ts'
import { clip, expectationOf, showSetups } from './parts.ts'

/** The number of failures that are listed. */
const shownUnconfirmed = 30
/** Characters of each. */
const shownLength = 300

/** Renders the failures that did not occur again in a library. No verdict counts them. */
export function unconfirmedFailures({ target, judgements }: ConformanceReport): ComponentChild[] {
  const groups = new Map<string, Judgement[]>()
  for (const each of judgements.filter(({ reason = '' }) => reason.startsWith(unconfirmed))) {
    const key = `${each.proves[0]}: ${each.reason?.slice(unconfirmed.length + 2)} (expected: ${expectationOf(each)})`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  if (groups.size === 0) return []
  const more = groups.size - shownUnconfirmed
  return [
    h('h2', null, `Not confirmed in ${target}`),
    h(
      'p',
      { class: 'none' },
      'These failed after other tests, and passed when they ran alone. The target keeps state from one test to the next, or the result depends on timing. Run them again with --only and the id: one that fails then is a bug.',
    ),
    h('ul', { class: 'then' }, [
      ...[...groups].slice(0, shownUnconfirmed).map(([says, all]) => {
        const setups = all.map(({ setup }) => setup)
        return h('li', null, [
          badge('INCONCLUSIVE'),
          ` ${clip(says, shownLength)}${clip(showSetups(target, setups))}`,
        ])
      }),
      more > 0 && h('li', null, `${more} more, in the JSON report`),
    ]),
  ]
}
