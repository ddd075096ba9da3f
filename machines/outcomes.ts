import { charts } from './by-id.ts'
import type { Chart, CompoundState } from './chart.ts'

const all = Object.values<Chart>(charts)
const withoutBrowser: ReadonlySet<string> = new Set(
  all.filter(({ meta }) => meta.withoutBrowser).map(({ id }) => id),
)

/**
 * Returns the event of the journey for a final state of a flow, such as `callback.signed-in`. Returns none if no
 * browser runs the flow.
 */
export function outcomeOf(flow: string, state: string): string[] {
  if (withoutBrowser.has(flow)) return []
  return [`${flow}.${state.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`]
}

/** The outcomes of all flows that a browser runs. */
export const outcomes: readonly string[] = all.flatMap(({ id, states }) =>
  Object.entries(states).flatMap(([name, state]) => ('type' in state ? outcomeOf(id, name) : [])),
)

/** Returns the outcomes to which an event leads, in all flows that a browser runs. */
export function outcomesAfter(event: string): string[] {
  return all.flatMap(({ id, states }) => {
    const targets = Object.values(states).map((state) => ('on' in state ? state.on?.[event] : undefined))
    const final = [...new Set(targets)].filter((name = '') => 'type' in (states[name] ?? {}))
    return final.flatMap((name) => outcomeOf(id, name ?? ''))
  })
}

/** What a browser holds between requests because of single flows, as regions of the journey. */
export const held: Readonly<Record<string, CompoundState>> = Object.assign(
  {},
  ...all.map(({ meta }) => meta.holds),
)
