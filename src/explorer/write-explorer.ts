import { explorerData, explorerScript } from '#explorer'
import { charts } from '../../machines/charts.ts'
import { graphOf } from '../../machines/graph.ts'
import { journeyChart } from '../../machines/journey.ts'
import { requirements } from '../../spec/index.ts'
import type { ExplorerSetup } from './data.ts'
import { explorerStyle } from './style.ts'

/** Options of {@link writeExplorer}. */
export type ExplorerOptions = Omit<ExplorerSetup, 'graphs' | 'requirements'>

/** Returns what the page shows besides the data that is known when the package is built. */
export function createSetup(options: ExplorerOptions = {}): ExplorerSetup {
  return {
    ...options,
    graphs: [...Object.values(charts), journeyChart].map(graphOf),
    requirements: Object.fromEntries(
      requirements.flatMap(({ id, says, source, aliases = [] }) =>
        [id, ...aliases].map((each) => [each, { says, source }]),
      ),
    ),
  }
}

/**
 * Writes the flow explorer as one page, which loads nothing and works from a file.
 *
 * @param options what to list and to open besides the library's own flows
 */
export function writeExplorer(options: ExplorerOptions = {}): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Flow explorer · authmachine</title>
<link rel="icon" href="data:,">
<style>${explorerStyle}</style>
</head>
<body>
<main>
<h1 class="quiet">Flow explorer</h1>
<div data-explorer><p class="loading">The explorer needs JavaScript.</p></div>
</main>
<script type="application/json" data-explorer-setup>${embed(JSON.stringify(createSetup(options)))}</script>
<script type="text/plain" data-explorer-data>${explorerData}</script>
<script>${explorerScript.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`
}

/** Text in a script element must not end it. */
function embed(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
