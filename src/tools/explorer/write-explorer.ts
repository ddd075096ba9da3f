import { explorerData, explorerScript } from '#explorer'
import { graphOf } from '../../../machines/graph.ts'
import { requirements } from '../../../spec/index.ts'
import { drawable } from '../diagrams/drawable.ts'
import type { ExplorerSetup } from './data.ts'
import { explorerStyle } from './style.ts'

/** Options of {@link writeExplorer}. */
export type ExplorerOptions = Omit<ExplorerSetup, 'graphs' | 'requirements'>

/** Returns the data of the page that is not part of the built package: the options, the charts and the requirements. */
export function createSetup(options: ExplorerOptions = {}): ExplorerSetup {
  return {
    ...options,
    graphs: [...drawable.values()].map(graphOf),
    requirements: Object.fromEntries(
      requirements.flatMap(({ id, says, source, aliases = [] }) =>
        [id, ...aliases].map((each) => [each, { says, source }]),
      ),
    ),
  }
}

/**
 * Returns the flow explorer as one self-contained HTML page, which you can also open as a file.
 *
 * @param options recordings and charts to show in addition to the library's own flows, and the view to open
 */
export function writeExplorer(options: ExplorerOptions = {}): string {
  return writeShell({
    style: `<style>${explorerStyle}</style>`,
    scripts: [
      `<script type="application/json" data-explorer-setup>${embed(JSON.stringify(createSetup(options)))}</script>`,
      `<script type="text/plain" data-explorer-data>${explorerData}</script>`,
      `<script>${explorerScript.replaceAll('</script', '<\\/script')}</script>`,
    ],
  })
}

/**
 * The files of an explorer that a server sends, by name. Its page works under a Content Security Policy without inline
 * scripts.
 */
export interface ExplorerFiles {
  readonly 'explorer.css': string
  readonly 'explorer.js': string
  readonly 'explorer.txt': string
}

export const explorerFiles: ExplorerFiles = {
  'explorer.css': explorerStyle,
  'explorer.js': explorerScript,
  'explorer.txt': explorerData,
}

/**
 * Returns the page of an explorer whose files a server sends.
 *
 * @param path the path of the files, and of `explorer.json`, which is the result of {@link createSetup}
 */
export function writeLinkedExplorer(path: string): string {
  const files = `${escapeAttribute(path)}/explorer`
  return writeShell({
    style: `<link rel="stylesheet" href="${files}.css">`,
    scripts: [
      `<script type="application/json" data-explorer-setup="${files}.json"></script>`,
      `<script type="text/plain" data-explorer-data="${files}.txt"></script>`,
      `<script src="${files}.js" defer></script>`,
    ],
  })
}

function writeShell({
  style,
  scripts,
}: {
  readonly style: string
  readonly scripts: readonly string[]
}): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Flow explorer · authmachine</title>
<link rel="icon" href="data:,">
${style}
</head>
<body>
<main>
<h1 class="quiet">Flow explorer</h1>
<div data-explorer><p class="loading">The explorer needs JavaScript.</p></div>
</main>
${scripts.join('\n')}
</body>
</html>
`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

/** Escapes JSON, so that it cannot close the script element that contains it. */
function embed(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
