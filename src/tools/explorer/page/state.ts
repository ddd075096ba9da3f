import type { FlowGraph } from '../../../../machines/graph.ts'
import type { ExplorerData, ExplorerSetup, Frame, Recording, Stop } from '../data.ts'
import { viewKeys, viewOf } from '../fold.ts'
import { findPaths, type Hop, type Paths, type Says } from '../walk.ts'

/** The tabs of the panel. */
export type Tab = 'details' | 'step' | 'paths' | 'play'

/** What the page shows. */
export interface State {
  readonly flow: string
  /** The key of the diagram. */
  readonly key: string
  readonly tab: Tab
  readonly selected?: string | undefined
  /** The hops that the reader chose. */
  readonly walk: readonly Hop[]
  /** The outcome to which all paths are shown. */
  readonly goal?: string | undefined
  /** The index of the path to show alone. */
  readonly path?: number | undefined
  readonly recording?: Recording | undefined
  /** The index of the current frame of the recording. */
  readonly at: number
  readonly isPlaying: boolean
  /** Whether the diagram is shown as text. */
  readonly isText: boolean
}

/** The page: what it knows, what it shows, and how that changes. */
export interface Explorer {
  readonly data: ExplorerData
  readonly setup: ExplorerSetup
  readonly recordings: readonly Recording[]
  state: State
  go(change: Partial<State>): void
}

/** Returns a flow by name. */
export function graphOf({ setup }: Explorer, name: string): FlowGraph {
  const graph = setup.graphs.find(({ id }) => id === name) ?? setup.graphs[0]
  if (!graph) throw new Error('There is no flow to show')
  return graph
}

/** Returns the events of a flow's states. */
export function saysOf({ data }: Explorer, flow: string): Says {
  return data.says[flow] ?? {}
}

/** Returns the change that shows a flow, with everything folded. */
export function showFlow(explorer: Explorer, flow: string): Partial<State> {
  const graph = graphOf(explorer, flow)
  const { state } = explorer
  return {
    flow,
    key: viewKeys(graph)[0] ?? '',
    selected: undefined,
    walk: [],
    goal: undefined,
    path: undefined,
    recording: undefined,
    isPlaying: false,
    tab: state.tab === 'play' ? 'details' : state.tab,
  }
}

/** Returns the change that shows a state, in a diagram in which it is visible. */
export function showPlace(explorer: Explorer, flow: string, place: string): Partial<State> {
  const { state } = explorer
  const isHere = state.flow === flow
  return {
    ...(isHere ? {} : showFlow(explorer, flow)),
    key: keyFor(explorer, flow, place),
    selected: place,
    ...(state.tab === 'details' ? {} : { tab: 'details' }),
  }
}

/** Returns the key of a diagram that shows a state: the current one, if it does. */
export function keyFor({ state, ...rest }: Explorer, flow: string, place: string): string {
  const graph = graphOf({ state, ...rest }, flow)
  const needed = viewOf(graph, place)
  const isShown = state.flow === flow && (state.key === '*' || needed === '' || state.key === needed)
  const isAround = state.flow === flow && state.key.startsWith(`${needed}.`)
  return isShown || isAround ? state.key : needed
}

/** Returns the paths to the chosen outcome. */
export function pathsOf(explorer: Explorer): Paths {
  const { flow, goal } = explorer.state
  if (goal === undefined) return { paths: [], isCut: false }
  return findPaths(graphOf(explorer, flow), saysOf(explorer, flow), goal)
}

/** The request that a recording has reached. */
export interface ReachedRun {
  readonly flow?: string
  readonly hops: readonly Hop[]
  /** The states that it has left, or avoided, although they should have stopped it. */
  readonly stops: readonly Stop[]
}

/** Returns the hops of the request that a recording has reached. A failed check shows the request that should have been stopped. */
export function runAt({ frames, stops = [] }: Recording, at: number): ReachedRun {
  const [stop] = stops
  const end = stop && isFailure(frames[at]) ? endOfRun(frames, stop) : at
  let flow: string | undefined
  let hops: Hop[] = []
  let begin = 0
  for (const [index, frame] of frames.slice(0, end + 1).entries()) {
    if (frame.kind === 'request' || (frame.kind === 'hop' && frame.flow !== flow)) {
      hops = []
      begin = index
    }
    if (frame.kind !== 'hop') continue
    flow = frame.flow
    hops.push(frame)
  }
  const next = frames.find((frame) => frame.kind === 'hop')
  const shown = flow ?? (next?.kind === 'hop' ? next.flow : undefined)
  const reached = stops.filter((each) => each.at >= begin && each.at <= end)
  return { ...(shown !== undefined && { flow: shown }), hops, stops: reached }
}

/** Tells whether a frame is a check that failed. */
export function isFailure(frame: Frame | undefined): boolean {
  return frame?.kind === 'check' && !frame.holds
}

/** Returns the index of the last frame before the next request, or the next flow. */
function endOfRun(frames: readonly Frame[], { at, flow }: Stop): number {
  const next = frames.findIndex(
    (frame, index) =>
      index > at && (frame.kind === 'request' || (frame.kind === 'hop' && frame.flow !== flow)),
  )
  return (next < 0 ? frames.length : next) - 1
}

/** Returns the change that shows a frame of a recording. */
export function showFrame(explorer: Explorer, recording: Recording, at: number): Partial<State> {
  const { flow = explorer.state.flow, hops, stops } = runAt(recording, at)
  const isHere = explorer.state.flow === flow
  const place = stops[0]?.state ?? hops.at(-1)?.next
  const key = isHere ? explorer.state.key : (viewKeys(graphOf(explorer, flow))[0] ?? '')
  const isKnown = graphOf(explorer, flow).nodes.some(({ id }) => id === place)
  return {
    recording,
    at,
    tab: 'play',
    flow,
    selected: undefined,
    key: place === undefined || !isKnown ? key : keyFor(explorer, flow, place),
  }
}
