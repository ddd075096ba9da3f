import { type Explorer, openRecording, showFlow, showPlace, type State } from './state.ts'

/** Writes the current view into the address, so that it can be shared and the back button works. */
export function writeAddress({ state: { flow, selected, recording } }: Explorer): void {
  const isListed = recording !== undefined && recording.id !== 'path'
  const parts = isListed ? ['play', recording.id] : [flow, ...(selected === undefined ? [] : [selected])]
  const hash = `#${parts.map(encodeURIComponent).join('/')}`
  if (hash === location.hash) return
  if (location.hash === '') history.replaceState(undefined, '', hash)
  else history.pushState(undefined, '', hash)
}

/** Returns the change that shows the view in the address, if there is one. */
export function readAddress(explorer: Explorer): Partial<State> | undefined {
  const [first = '', second] = location.hash.slice(1).split('/').map(decode)
  if (first === 'play') {
    const recording = explorer.recordings.find(({ id }) => id === second)
    return recording && openRecording(explorer, recording)
  }
  const graph = explorer.setup.graphs.find(({ id }) => id === first)
  if (!graph) return undefined
  const node = graph.nodes.find(({ id }) => id === second)
  return node
    ? showPlace(explorer, graph.id, node.id)
    : { ...showFlow(explorer, graph.id), tab: explorer.state.tab === 'play' ? 'details' : explorer.state.tab }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
