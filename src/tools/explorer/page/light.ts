import { findEdge } from '../../../../machines/graph.ts'
import type { PackedBox, Stop } from '../data.ts'
import { visiblePlace } from '../fold.ts'
import type { Hop } from '../walk.ts'
import type { Diagram } from './diagram.ts'
import { isCalm, svg } from './dom.ts'

/** The highlighted parts of a diagram. */
export interface Lit {
  /** The hops that happened or could happen. The rest of the diagram fades. */
  readonly hops: readonly Hop[]
  /** Where a failing story should have stopped. */
  readonly stops?: readonly Stop[] | undefined
  /** The state in which a run is. */
  readonly current?: string | undefined
  /** The state that the panel explains. */
  readonly selected?: string | undefined
  /** Whether the last hop has just happened. */
  readonly isMoving?: boolean
}

/** Shows a trace and the selection. */
export function light(diagram: Diagram, { hops, stops = [], current, selected, isMoving }: Lit): void {
  const { graph, key, states, arrows, overlay, root } = diagram
  const shown = (place: string) => visiblePlace(key, place)
  const isTraced = hops.length > 0 || current !== undefined
  root.ownerSVGElement?.classList.toggle('traced', isTraced)
  const visited = new Set(hops.flatMap(({ state, next }) => [state, next]).concat(current ?? []))
  const taken = new Set<string>()
  const exits = new Map<string, string>()
  for (const { state, event } of hops) {
    const edge = findEdge(graph, state, event)
    if (!edge) continue
    taken.add(`${edge.source ?? ''} ${event}`)
    if (
      graph.nodes.some(({ id, ending }) => id === edge.target && ending !== undefined && ending !== 'success')
    )
      exits.set(edge.source ?? state, edge.target)
  }
  for (const [id, { element, node }] of states) {
    const isLit = [...visited].some((place) => place === id || place.startsWith(`${id}.`))
    element.classList.toggle('lit', isLit)
    element.classList.toggle('current', current !== undefined && shown(current) === id)
    element.classList.toggle('selected', selected !== undefined && shown(selected) === id)
    element.setAttribute('tabindex', '-1')
    for (const exit of element.querySelectorAll('[data-exit]'))
      exit.classList.toggle('lit', exits.get(node.id) === exit.getAttribute('data-exit'))
  }
  for (const { arrow, parts } of arrows) {
    const isTaken = arrow.events.some((event) => taken.has(`${arrow.source ?? ''} ${event}`))
    for (const part of parts) {
      part.classList.toggle('lit', isTaken)
      for (const text of part.querySelectorAll('[data-event]')) {
        const event = text.getAttribute('data-event') ?? ''
        const isLeftOut = isTaken && !arrow.events.includes(event)
        text.classList.toggle('lit', isLeftOut || taken.has(`${arrow.source ?? ''} ${event}`))
      }
      const isNear = selected !== undefined && [arrow.source, arrow.target].includes(selected)
      part.classList.toggle('near', isNear)
    }
  }
  const focusable = states.get(shown(selected ?? current ?? graph.initial ?? '')) ?? [...states.values()][0]
  focusable?.element.setAttribute('tabindex', '0')
  overlay.replaceChildren(
    ...[...exits].flatMap(([from, to]) => {
      const [start, end] = [states.get(shown(from)), states.get(to)]
      return start && end ? [drawExit(start.box, end.box, `lit ${end.node.ending ?? ''}`)] : []
    }),
  )
  markStops(diagram, stops)
  if (isMoving) move(diagram, hops.at(-1))
}

/** Marks the states at which a failing story should have stopped, and the edges that it should have taken. */
function markStops({ graph, key, states, overlay }: Diagram, stops: readonly Stop[]): void {
  const missed = stops.flatMap(({ state, edges }) =>
    edges.flatMap(({ event }) => findEdge(graph, state, event) ?? []),
  )
  const placeOf = (place: string) => states.get(visiblePlace(key, place))
  const marked = new Set(stops.map(({ state }) => placeOf(state)))
  for (const state of states.values()) {
    state.element.classList.toggle('stop', marked.has(state))
    for (const exit of state.element.querySelectorAll('[data-exit]')) {
      const target = exit.getAttribute('data-exit')
      const isHere = missed.some((edge) => edge.source === state.node.id && edge.target === target)
      exit.classList.toggle('missed', isHere)
    }
  }
  const exits = new Map(missed.map(({ source = '', target }) => [`${source} ${target}`, { source, target }]))
  for (const { source, target } of exits.values()) {
    const [start, end] = [placeOf(source), states.get(target)]
    if (start && end) overlay.append(drawExit(start.box, end.box, 'missed'))
  }
  for (const state of marked) if (state) overlay.append(drawStop(state.box))
}

/** A mark at the top of a box, because not everybody can see the colour. */
function drawStop([x, y, width]: PackedBox) {
  const middle = x + width / 2
  return svg(
    'g',
    { class: 'stop-mark' },
    svg('rect', { x: middle - 62, y: y - 11, width: 124, height: 17, rx: 8.5 }),
    svg('text', { x: middle, y: y + 1.5, 'text-anchor': 'middle' }, 'should have stopped'),
  )
}

/** A line to a refusal or a fault. It is drawn only when the edge is taken. */
function drawExit([x, y, width, height]: PackedBox, [toX, toY, , toHeight]: PackedBox, tone: string) {
  const [startX, startY, endY] = [x + width, y + Math.min(height, 60) / 2, toY + toHeight / 2]
  const bend = Math.max(30, (toX - startX) / 2)
  return svg(
    'g',
    { class: `arrow exit ${tone}` },
    svg('path', {
      class: 'line',
      d: `M${startX} ${startY}C${startX + bend} ${startY} ${toX - bend} ${endY} ${toX - 6} ${endY}`,
    }),
    svg('path', { class: 'head', d: `M${toX} ${endY}l-9 -4.5v9Z` }),
  )
}

/** Moves a dot along the line of a hop. */
function move({ graph, arrows, overlay }: Diagram, hop: Hop | undefined): void {
  if (!hop || isCalm()) return
  const edge = findEdge(graph, hop.state, hop.event)
  const drawn = arrows.find(
    ({ arrow }) => edge && arrow.source === edge.source && arrow.target === edge.target,
  )
  const line = drawn?.line ?? overlay.querySelector<SVGPathElement>('.line:last-of-type')
  if (!line) return
  const dot = svg('circle', { class: 'token', r: 6 })
  overlay.append(dot)
  const length = line.getTotalLength()
  const begin = performance.now()
  const step = (now: number) => {
    const share = Math.min(1, (now - begin) / 420)
    const { x, y } = line.getPointAtLength(length * share)
    dot.setAttribute('transform', `translate(${x} ${y})`)
    if (share < 1 && dot.isConnected) requestAnimationFrame(step)
    else dot.remove()
  }
  requestAnimationFrame(step)
}
