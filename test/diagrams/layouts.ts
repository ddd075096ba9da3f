import { graphOf } from '../../machines/graph.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import { layOut, type Layout } from '../../src/tools/diagrams/lay-out.ts'

/** The layouts of all flows, computed one after another, because each computation uses the whole processor. */
export async function layOutAll(): Promise<readonly Layout[]> {
  const engine = await loadEngine()
  const layouts: Layout[] = []
  for (const chart of drawable.values()) layouts.push(await layOut(graphOf(chart), engine))
  return layouts
}
