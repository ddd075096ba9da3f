import * as errors from 'authmachine/errors'
import { flows, readHop } from 'authmachine/instrumented'
import { placesOf } from '../charts/chart-walk.ts'
import { routedFlows } from '../charts/routed.ts'
import { createStore } from '../world/store.ts'
import type { Judgement } from './verdict.ts'

/** How much of something the cases came by, and what they never did. */
export interface Share {
  readonly reached: number
  readonly total: number
  readonly never: readonly string[]
}

/** What a campaign exercised of a target that tells its hops. */
export interface Coverage {
  readonly states: Share
  /** What each step can report, in each state that runs it. */
  readonly transitions: Share
  /** Calls to the outside at which something can go wrong. */
  readonly faultPoints: Share
  /** Errors by type, told to users or to the developer. */
  readonly errors: Share
}

/** The smallest share of each that a whole campaign of profile `ci` has to reach. */
export const floors: Readonly<Record<keyof Coverage, number>> = {
  states: 0.95,
  transitions: 0.85,
  faultPoints: 0.9,
  errors: 0.6,
}

/** Adds up what was exercised; undefined when the target tells nothing of itself. */
export function measureCoverage(judgements: readonly Judgement[]): Coverage | undefined {
  const hops = namesIn(judgements.map(({ hops = {} }) => hops))
  if (hops.size === 0) return undefined
  return {
    states: share(allStates(), new Set([...hops].flatMap(statesOf))),
    transitions: share(allTransitions(), new Set([...hops].map((hop) => hop.replace(/ [^ ]+$/, '')))),
    faultPoints: share(allFaultPoints(), namesIn(judgements.map(({ points = {} }) => points))),
    errors: share(Object.keys(errors), namesIn(judgements.map((judgement) => judgement.errors ?? {}))),
  }
}

/** What fell below its floor, in words. */
export function findGaps(coverage: Coverage): string[] {
  return Object.entries(floors).flatMap(([name, floor]) => {
    const { reached, total } = coverage[name as keyof Coverage]
    if (reached >= total * floor) return []
    return [`${name}: ${reached} of ${total} were reached, and ${Math.ceil(total * floor)} have to be`]
  })
}

function share(all: readonly string[], reached: ReadonlySet<string>): Share {
  const never = all.filter((name) => !reached.has(name))
  return { reached: all.length - never.length, total: all.length, never }
}

function namesIn(counts: readonly Readonly<Record<string, number>>[]): ReadonlySet<string> {
  return new Set(counts.flatMap((each) => Object.keys(each)))
}

/** Working and final states; those that nest others are passed with them. */
function allStates(): string[] {
  return routedFlows(flows).flatMap(({ chart }) =>
    [...placesOf(chart).values()].flatMap(({ name, state }) =>
      'states' in state ? [] : [`${chart.id}: ${name}`],
    ),
  )
}

function allTransitions(): string[] {
  return routedFlows(flows).flatMap((flow) =>
    [...placesOf(flow.chart).values()].flatMap(({ name, state }) =>
      'invoke' in state
        ? Object.keys(flow.steps[state.invoke.src]?.says ?? {}).map(
            (event) => `${flow.id}: ${name} -(${event})->`,
          )
        : [],
    ),
  )
}

/** The state that a hop leaves, and the one that it leads to. */
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
