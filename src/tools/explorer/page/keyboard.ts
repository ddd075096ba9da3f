import type { Diagram, DrawnState } from './diagram.ts'

interface Handlers {
  readonly select: (place: string) => void
  readonly fold: (place: string) => void
  readonly zoom: (factor: number) => void
  readonly fit: () => void
}

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** Arrow keys move between states, Enter selects, the space bar folds, and +, - and 0 zoom. */
export function moveBetweenStates(
  event: KeyboardEvent,
  { states }: Diagram,
  { select, fold, zoom, fit }: Handlers,
): void {
  const here = [...states.values()].find(({ element }) => element === document.activeElement)
  const direction = directions[event.key]
  if (direction && here) nearest(here, [...states.values()], direction)?.element.focus()
  else if (event.key === 'Enter' && here) select(here.node.id)
  else if (event.key === ' ' && here) (here.node.kind === 'compound' ? fold : select)(here.node.id)
  else if (event.key === '+' || event.key === '=') zoom(1.35)
  else if (event.key === '-') zoom(1 / 1.35)
  else if (event.key === '0') fit()
  else return
  event.preventDefault()
}

/** Returns the next state in a direction. A small detour costs less than a large one. */
function nearest(
  from: DrawnState,
  states: readonly DrawnState[],
  [x, y]: readonly [number, number],
): DrawnState | undefined {
  const middle = ({ box: [left, top, width], node }: DrawnState) => ({
    x: left + width / 2,
    // The heading of an open state is at its top.
    y: top + (node.kind === 'compound' ? 16 : 18),
  })
  const at = middle(from)
  const costs = states.flatMap((state) => {
    const to = middle(state)
    const along = (to.x - at.x) * x + (to.y - at.y) * y
    const across = Math.abs((to.x - at.x) * y) + Math.abs((to.y - at.y) * x)
    return state === from || along <= 1 ? [] : [{ state, cost: along + 2 * across }]
  })
  return costs.toSorted((a, b) => a.cost - b.cost)[0]?.state
}
