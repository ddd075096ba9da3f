import type { FlowGraph } from '../../../../machines/graph.ts'
import { runAt } from '../run-at.ts'
import { type Content, html } from './dom.ts'
import type { Explorer } from './state.ts'

/** Names the diagram, and the request that a recording has reached. */
export function writeTitle({ state }: Explorer, { id, description }: FlowGraph): Content {
  const { recording, at, tab } = state
  const name = [html('strong', {}, id), ` ${description}`]
  const run = recording && tab === 'play' ? runAt(recording, at) : undefined
  if (!run?.request) return name
  const { by, text } = run.request
  const asked = html('span', { class: 'asked' }, by === undefined ? text : `${by}: ${text}`)
  return run.isHandled ? [asked, name] : [asked, 'No chart handles this request. Next: ', name]
}
