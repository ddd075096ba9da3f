import {
  createActor,
  fromCallback,
  initialTransition,
  transition,
  type Actor,
  type ActorOptions,
  type AnyStateMachine,
} from 'xstate'
import { stepNames, toMachine } from './chart.ts'
import { charts } from './charts.ts'

/** What is needed of a run to go through it again: a run of devtools, or its JSON, has it. */
export interface ReplayableRun {
  /** Name of its chart: `callback`. */
  readonly flow: string
  /** What its steps reported, one after the other. */
  readonly hops: readonly { readonly event: string }[]
}

/**
 * A recorded run as an actor of XState, for inspectors: started, it goes through the states of the run, each step
 * reporting what it reported then. Nothing else happens: no step is run, and nothing is asked of anybody.
 *
 * @param options of `createActor`; `inspect` attaches an inspector
 * @returns an actor that is not started yet
 * @throws {RangeError} when there is no such flow, or when it hears no such event there: the run is of another version
 * @example
 * replayRun(run, { inspect: createBrowserInspector().inspect }).start()
 */
export function replayRun(
  { flow, hops }: ReplayableRun,
  options: Pick<ActorOptions<AnyStateMachine>, 'inspect' | 'logger'> = {},
): Actor<AnyStateMachine> {
  const chart = Object.values(charts).find(({ id }) => id === flow)
  if (!chart) throw new RangeError(`There is no flow ${flow}`)
  let at = 0
  const step = fromCallback(({ sendBack }) => {
    const event = hops[at++]?.event
    if (event !== undefined) sendBack({ type: event })
  })
  const machine = toMachine(chart).provide({
    actors: Object.fromEntries(stepNames(chart.states).map((name) => [name, step])),
  })
  refuseStrange(machine, { flow, hops })
  return createActor(machine, options)
}

function refuseStrange(machine: AnyStateMachine, { flow, hops }: ReplayableRun): void {
  let [snapshot] = initialTransition(machine)
  for (const { event } of hops) {
    if (!snapshot.can({ type: event }))
      throw new RangeError(`The flow ${flow} hears no ${event} there: the run is of another version`)
    ;[snapshot] = transition(machine, snapshot, { type: event })
  }
}
