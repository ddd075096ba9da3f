import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Description } from './description.ts'
import { readDescription } from './read-description.ts'

/**
 * Loads a description: a JSON file, or a module whose default export is the description.
 *
 * @returns nothing for the preset `authjs`
 * @throws {Error} if it does not exist or is invalid
 */
export async function loadDescription(file: string): Promise<Description | undefined> {
  try {
    const description = readDescription(await load(resolve(file)))
    if (description?.log === undefined) return description
    return { ...description, log: resolve(dirname(file), description.log) }
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

async function load(file: string): Promise<unknown> {
  if (extname(file) === '.json') return JSON.parse(await readFile(file, 'utf8'))
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href)
  return loaded.default
}
