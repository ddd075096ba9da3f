import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports a module of the user by path. */
export function importModule(path: string): Promise<object> {
  return import(pathToFileURL(resolve(path)).href)
}
