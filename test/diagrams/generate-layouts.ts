import { graphOf } from '../../machines/graph.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import { viewKeys } from '../../src/tools/explorer/fold.ts'
import type { Generator } from '../support/generator.ts'
import { layOutView } from './lay-out-view.ts'

/** The coordinates of the explorer's diagrams, so that nobody needs a layout engine to see them. */
export const layouts: Generator = {
  name: 'layouts',
  async generate() {
    const engine = await loadEngine()
    const flows: string[] = []
    for (const chart of drawable.values()) {
      const graph = graphOf(chart)
      const views: string[] = []
      for (const key of viewKeys(graph))
        views.push(`    ${JSON.stringify(key)}: ${JSON.stringify(await layOutView(graph, key, engine))}`)
      flows.push(`  ${JSON.stringify(graph.id)}: {\n${views.join(',\n')}\n  }`)
    }
    return { 'src/tools/explorer/layouts.json': `{\n${flows.join(',\n')}\n}\n` }
  },
}
