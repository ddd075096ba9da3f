import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { member } from '../../world/reply.ts'
import type { Description } from './description.ts'
import { readDescription } from './read-description.ts'

/** What a file says about a running application. */
export interface LoadedDescription {
  /** @default the routes are those of Auth.js */
  readonly description?: Description
  /** The log of an application with the routes of Auth.js. */
  readonly log?: string
}

/**
 * Loads a description: a JSON file, or a module whose default export is the description.
 *
 * @throws {Error} if it does not exist or is invalid
 */
export async function loadDescription(file: string): Promise<LoadedDescription> {
  try {
    const loaded = await load(resolve(file))
    const description = readDescription(loaded)
    const log = member(loaded, 'log')
    const place = typeof log === 'string' ? { log: resolve(dirname(file), log) } : {}
    return description ? { description: { ...description, ...place } } : place
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

async function load(file: string): Promise<unknown> {
  if (extname(file) === '.json') return JSON.parse(await readFile(file, 'utf8'))
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href)
  return loaded.default
}
