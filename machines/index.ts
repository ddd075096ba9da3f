import type { AnyStateMachine } from 'xstate'
import { charts } from './by-id.ts'
import { toMachine } from './chart.ts'
import { journeyChart } from './journey.ts'

export type {
  AnyChart,
  Chart,
  CompoundState,
  Edges,
  FinalState,
  ParallelChart,
  RestingState,
  WorkingState,
} from './chart.ts'
export { toMachine } from './chart.ts'
export { charts } from './by-id.ts'
export * from './charts.ts'
export type { Ending } from './endings.ts'
export type { FlowEdge, FlowGraph, FlowNode } from './graph.ts'
export { graphOf } from './graph.ts'
export { beginJourney, continueJourney, journeyEventsOf, type JourneyPlace } from './journey-run.ts'
export { replayRun, type ReplayableRun } from './replay.ts'
export { journeyChart }

/** The charts as XState machines. `provide({ actors })` replaces the placeholder steps. */
export const machines = Object.fromEntries(
  [...Object.values(charts), journeyChart].map((chart) => [chart.id, toMachine(chart)]),
) as Record<keyof typeof charts | 'journey', AnyStateMachine>
