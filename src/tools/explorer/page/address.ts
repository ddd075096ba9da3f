import type { Recording } from '../data.ts'
import { type Explorer, isFailure, showFlow, showFrame, showPlace, type State } from './state.ts'

/** Writes what is shown into the address, so that it can be shared and the back button works. */
export function writeAddress({ state: { flow, selected, recording } }: Explorer): void {
  const isListed = recording !== undefined && recording.id !== 'path'
  const parts = isListed ? ['play', recording.id] : [flow, ...(selected === undefined ? [] : [selected])]
  const hash = `#${parts.map(encodeURIComponent).join('/')}`
  if (hash === location.hash) return
  if (location.hash === '') history.replaceState(undefined, '', hash)
  else history.pushState(undefined, '', hash)
}

/** Returns the change that shows what the address names, if it names something. */
export function readAddress(explorer: Explorer): Partial<State> | undefined {
  const [first = '', second] = location.hash.slice(1).split('/').map(decode)
  if (first === 'play') {
    const recording = explorer.recordings.find(({ id }) => id === second)
    return recording && showFrame(explorer, recording, firstShown(recording))
  }
  const graph = explorer.setup.graphs.find(({ id }) => id === first)
  if (!graph) return undefined
  const node = graph.nodes.find(({ id }) => id === second)
  return node
    ? showPlace(explorer, graph.id, node.id)
    : { ...showFlow(explorer, graph.id), tab: explorer.state.tab === 'play' ? 'details' : explorer.state.tab }
}

/** Returns the frame to open a recording with: that of a failure shows at once where it should have stopped. */
function firstShown({ frames }: Recording): number {
  return isFailure(frames.at(-1)) ? frames.length - 1 : 0
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
