import type { FlowGraph } from '../../../../machines/graph.ts'
import type { ExplorerData, ExplorerSetup, Recording } from '../data.ts'
import { viewKeys, viewOf } from '../fold.ts'
import { isFailure, runAt } from '../run-at.ts'
import { findPaths, type Hop, type Paths, type Says } from '../walk.ts'

/** The tabs of the panel. */
export type Tab = 'details' | 'step' | 'paths' | 'play'

/** The view of the page. */
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
  /** The first frame of the chapter or request that the reader folded, although it contains the current frame. */
  readonly folded?: number | undefined
  /** Whether the diagram is shown as text. */
  readonly isText: boolean
}

/** The page: its data, its view, and the function that changes the view. */
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

/**
 * Returns the change that opens a recording. A failure immediately shows the forbidden result, and the place where the
 * story should have stopped.
 */
export function openRecording(explorer: Explorer, recording: Recording): Partial<State> {
  const last = recording.frames.length - 1
  return { ...showFrame(explorer, recording, isFailure(recording.frames[last]) ? last : 0), isPlaying: false }
}

/** Returns the change that shows a frame of a recording. */
export function showFrame(explorer: Explorer, recording: Recording, at: number): Partial<State> {
  const frame = recording.frames[at]
  const { flow = explorer.state.flow, hops, stops } = runAt(recording, at)
  const isHere = explorer.state.flow === flow
  const place = stops[0]?.state ?? hops.at(-1)?.next
  const key = isHere ? explorer.state.key : (viewKeys(graphOf(explorer, flow))[0] ?? '')
  const isKnown = graphOf(explorer, flow).nodes.some(({ id }) => id === place)
  return {
    recording,
    at,
    folded: undefined,
    tab: 'play',
    flow,
    // The panel shows the details of the current state.
    selected: frame?.kind === 'hop' ? frame.state : undefined,
    key: place === undefined || !isKnown ? key : keyFor(explorer, flow, place),
  }
}
