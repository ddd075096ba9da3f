import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a module of the user's exports, of which nobody knows the name but who typed it. */
export function importModule(path: string): Promise<object> {
  return import(pathToFileURL(resolve(path)).href)
}
