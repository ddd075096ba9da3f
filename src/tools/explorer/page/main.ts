import type { ExplorerData, ExplorerSetup } from '../data.ts'
import { viewKeys } from '../fold.ts'
import { createExplorer } from './explorer.ts'

/** Starts the explorer in its element, with the data that the page contains or names. */
async function start(): Promise<void> {
  const place = document.querySelector<HTMLElement>('[data-explorer]')
  if (!place) return
  const setup = JSON.parse(await readSource('setup')) as ExplorerSetup
  const data = JSON.parse(await inflate(await readSource('data'))) as ExplorerData
  const first = setup.graphs[0]
  if (!first) return
  createExplorer(place, data, setup, { flow: first.id, key: viewKeys(first)[0] ?? '' })
}

/** Returns the text of a script element, or of the file that it names. */
async function readSource(name: string): Promise<string> {
  const element = document.querySelector<HTMLScriptElement>(`[data-explorer-${name}]`)
  const url = element?.getAttribute(`data-explorer-${name}`) ?? ''
  return url === '' ? (element?.textContent ?? '') : (await fetch(url)).text()
}

async function inflate(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).text()
}

void start()
