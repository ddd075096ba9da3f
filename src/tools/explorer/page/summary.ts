import type { BrokenRule, Recording } from '../data.ts'
import { html, type Content } from './dom.ts'
import { listPlaces } from './places.ts'
import type { Explorer } from './state.ts'

/** Tells which rules a recording breaks, and why that matters. */
export function explainRules(explorer: Explorer, rules: readonly BrokenRule[]): Content {
  return [
    html('h3', {}, rules.length > 1 ? 'The rules that broke' : 'The rule that broke'),
    rules.length > 1 &&
      html('p', { class: 'hint' }, 'They broke in the same step, so they probably have one cause.'),
    rules.map((rule) => explainRule(explorer, rule)),
  ]
}

function explainRule({ data }: Explorer, { id, says, why }: BrokenRule): Content {
  const [attack] = data.attacks[id ?? ''] ?? []
  return [
    html('p', {}, id !== undefined && [html('strong', {}, id), ' '], says),
    why !== undefined && html('p', {}, html('strong', {}, 'Why it matters: '), why),
    attack &&
      html(
        'p',
        { class: 'hint' },
        `A similar bug was published as ${attack.id} (${attack.project}): ${attack.cause}.`,
      ),
  ]
}

/** Lists the states in which the fault can be. */
export function showPlaces(explorer: Explorer, recording: Recording): Content {
  if (!recording.breaks) return undefined
  const { last, before } = listPlaces(explorer, recording)
  if (last.length === 0) return undefined
  return [
    html('h3', {}, 'Where to look'),
    html(
      'p',
      {},
      'The last request passed these states. Each implements a rule that broke, or reads or writes stored data.',
    ),
    html('ul', { class: 'places' }, last),
    before.length > 0 && [
      html('p', {}, 'Earlier, these states stored what it used.'),
      html('ul', { class: 'places' }, before),
    ],
  ]
}
