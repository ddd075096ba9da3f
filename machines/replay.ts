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
import { charts } from './by-id.ts'

/** The data needed to replay a run: a run of devtools, or its JSON. */
export interface ReplayableRun {
  /** Name of the chart, such as `callback`. */
  readonly flow: string
  /** The events that its steps reported, in order. A run that continues a held sign-in begins in the state of the first. */
  readonly hops: readonly { readonly event: string; readonly state?: string }[]
}

/**
 * Returns a recorded run as an XState actor, for inspectors. Once started, it goes through the states of the run with
 * the recorded events. It runs no steps and has no side effects.
 *
 * @param options of `createActor`; `inspect` attaches an inspector
 * @returns an actor that is not started yet
 * @throws RangeError if the flow does not exist, or does not handle an event, because the run is of another version
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
  const [begin = ''] = hops[0]?.state?.split('.') ?? []
  const machine = toMachine(begin in chart.states ? { ...chart, initial: begin } : chart).provide({
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
