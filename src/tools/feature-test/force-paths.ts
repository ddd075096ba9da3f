import type { Flow } from '../../flows/engine/flow.ts'
import { run } from '../../flows/engine/run.ts'
import type { World } from '../../flows/engine/world.ts'
import { walkFlow, type Walk } from './check-flow.ts'

type Path = Walk['transitions']

/**
 * Runs the engine along a path through each transition of a flow, with steps that report the events of the path.
 *
 * @returns the number of paths, and what is wrong
 */
export function forcePaths(
  flow: Flow,
  world: World,
  at?: string,
): { readonly paths: number; readonly faults: string[] } {
  const walk = walkFlow(flow, at)
  const paths = walk.transitions.flatMap((transition) => {
    const before = findPath(walk, walk.start.id, (id) => id === transition.from.id)
    const after = findPath(walk, transition.to.id, (id) => isFinal(walk, id))
    return before && after ? [[...before, transition, ...after]] : []
  })
  const faults = paths.flatMap((path) => {
    const expected = path.at(-1)?.to.id
    const ended = force(flow, path, world, at)
    const told = path.map(({ from, event }) => `${from.id} -(${event})->`).join(' ')
    return ended === expected
      ? []
      : [`${flow.id}: ${told} should end in "${expected}", and ends in "${ended}"`]
  })
  return { paths: paths.length, faults }
}

function isFinal({ graph }: Walk, id: string): boolean {
  return graph.nodes.some((node) => node.id === id && node.kind === 'final')
}

/** Returns a shortest path without faults. */
function findPath({ transitions }: Walk, from: string, isGoal: (id: string) => boolean): Path | undefined {
  const seen = new Set([from])
  let paths: readonly (readonly [string, Path])[] = [[from, []]]
  while (paths.length > 0) {
    const found = paths.find(([id]) => isGoal(id))
    if (found) return found[1]
    paths = paths.flatMap(([id, path]) =>
      transitions
        .filter((each) => each.from.id === id && each.event !== 'fault' && !seen.has(each.to.id))
        .map((each) => {
          seen.add(each.to.id)
          return [each.to.id, [...path, each]] as const
        }),
    )
  }
  return undefined
}

/** Returns the final state. */
function force(flow: Flow, path: Path, world: World, at: string | undefined): string {
  let index = 0
  const speak = () => {
    const event = path[index++]?.event ?? 'the path has ended'
    if (event === 'fault') throw new Error('forced')
    return { type: event }
  }
  const steps = Object.fromEntries(
    Object.entries(flow.steps).map(([name, step]) => [name, { ...step, run: speak }]),
  )
  const ended = run({ ...flow, steps }, {}, world, ({ state }) => state, undefined, at)
  if (ended instanceof Promise) throw new Error('A forced path does not wait')
  return ended
}
