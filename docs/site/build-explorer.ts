import { mkdir, writeFile } from 'node:fs/promises'
import type { ExplorerOptions } from '../../src/tools/explorer/write-explorer.ts'
import { writeExplorer } from '../../src/tools/explorer/write-explorer.ts'

/**
 * Writes the flow explorer into a folder of the site, as `index.html`. It loads nothing, so it also works in a frame.
 * `#callback` in its address opens a flow, `#callback/exchangingCode` a state, and `#play/TX-02` a story.
 */
export async function buildExplorer(folder: URL, options?: ExplorerOptions): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('index.html', folder), writeExplorer(options))
}
