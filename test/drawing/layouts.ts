import { graphOf } from '../../machines/graph.ts'
import { drawable } from '../../src/cli/flows.ts'
import { loadEngine } from '../../src/cli/load-engine.ts'
import { layOut, type Layout } from '../../src/drawing/lay-out.ts'

/** The drawings of all flows, one after another, since each takes the whole processor. */
export async function layOutAll(): Promise<readonly Layout[]> {
  const engine = await loadEngine()
  const layouts: Layout[] = []
  for (const chart of drawable.values()) layouts.push(await layOut(graphOf(chart), engine))
  return layouts
}
