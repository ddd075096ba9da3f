import * as errors from 'authmachine/errors'
import { flows, readHop } from 'authmachine/instrumented'
import { requirement } from 'authmachine/spec'
import { placesOf } from '../charts/chart-walk.ts'
import { flowsWithRoutes } from '../charts/flows-with-routes.ts'
import { createStore } from '../world/store.ts'
import type { Judgement } from './verdict.ts'

/** The share of items that the cases covered, and the uncovered items. */
export interface Share {
  readonly reached: number
  readonly total: number
  readonly never: readonly string[]
}

/** The coverage of a target that reports its transitions. */
export interface Coverage {
  readonly states: Share
  /** The events that each step can report, in each state that runs it. */
  readonly transitions: Share
  /** External calls that can fail. */
  readonly faultPoints: Share
  /** Error types that were shown or logged. */
  readonly errors: Share
}

/** The minimum coverage of a whole campaign with profile `ci`. */
export const floors: Readonly<Record<keyof Coverage, number>> = {
  states: 0.95,
  transitions: 0.85,
  faultPoints: 0.9,
  errors: 0.6,
}

/** Adds up the coverage. Returns undefined if the target reports none. */
export function measureCoverage(judgements: readonly Judgement[]): Coverage | undefined {
  const hops = namesIn(judgements.map(({ hops = {} }) => hops))
  if (hops.size === 0) return undefined
  return {
    ...measureCharts(hops),
    faultPoints: share(allFaultPoints(), namesIn(judgements.map(({ points = {} }) => points))),
    errors: share(Object.keys(errors), namesIn(judgements.map((judgement) => judgement.errors ?? {}))),
  }
}

/** Returns the states and transitions of the charts that these hops reach. */
export function measureCharts(hops: ReadonlySet<string>): Pick<Coverage, 'states' | 'transitions'> {
  return {
    states: share(allStates(), new Set([...hops].flatMap(statesOf))),
    transitions: share(allTransitions(), new Set([...hops].map((hop) => hop.replace(/ [^ ]+$/, '')))),
  }
}

/** Describes coverage below the minimum. */
export function findGaps(coverage: Coverage): string[] {
  return Object.entries(floors).flatMap(([name, floor]) => {
    const { reached, total } = coverage[name as keyof Coverage]
    if (reached >= total * floor) return []
    return [`${name}: ${reached} of ${total} were reached, at least ${Math.ceil(total * floor)} are required`]
  })
}

/** Describes requirements that a property lists, and that no case checked on any application. */
export function findUnchecked(judgements: readonly Judgement[]): string[] {
  const names = new Set(judgements.map(({ property }) => property))
  return [...names].flatMap((name) => {
    const mine = judgements.filter(({ property }) => property === name)
    if (mine.some(({ verdict }) => verdict !== 'PASS')) return []
    const checked = namesIn(mine.flatMap(({ checks = {}, unclaimed = {} }) => [checks, unclaimed]))
    const rows = new Set(mine.flatMap(({ proves }) => proves.map((id) => requirement(id).id)))
    return [...rows]
      .filter((id) => !checked.has(id))
      .map((id) => `no case of "${name}" checked ${id}, which it lists`)
  })
}

function share(all: readonly string[], reached: ReadonlySet<string>): Share {
  const never = all.filter((name) => !reached.has(name))
  return { reached: all.length - never.length, total: all.length, never }
}

function namesIn(counts: readonly object[]): ReadonlySet<string> {
  return new Set(counts.flatMap((each) => Object.keys(each)))
}

/** Working and final states; compound states are covered with their children. */
function allStates(): string[] {
  return flowsWithRoutes(flows).flatMap(({ chart }) =>
    [...placesOf(chart).values()].flatMap(({ name, state }) =>
      'states' in state ? [] : [`${chart.id}: ${name}`],
    ),
  )
}

function allTransitions(): string[] {
  return flowsWithRoutes(flows).flatMap((flow) =>
    [...placesOf(flow.chart).values()].flatMap(({ name, state }) =>
      'invoke' in state
        ? Object.keys(flow.steps[state.invoke.src]?.says ?? {}).map(
            (event) => `${flow.id}: ${name} -(${event})->`,
          )
        : [],
    ),
  )
}

/** The source and target state of a transition. */
function statesOf(hop: string): string[] {
  const { flow, state, next } = readHop(hop) ?? {}
  return [`${flow}: ${state}`, `${flow}: ${next}`]
}

function allFaultPoints(): string[] {
  const under = (plane: string, names: readonly string[]) => names.map((name) => `${plane}.${name}`)
  return [
    ...under('store', Object.keys(createStore().operations)),
    ...under('callback', ['signIn', 'redirect', 'jwt', 'session']),
    ...under('event', ['signIn', 'signOut', 'createUser', 'updateUser', 'linkAccount', 'session']),
    'network.fetch',
    'mail.send',
  ]
}
