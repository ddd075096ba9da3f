import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports a module of the user by path. */
export function importModule(path: string): Promise<object> {
  return import(pathToFileURL(resolve(path)).href)
}

/** Imports a package of the user's project, which need not be a dependency of this one. */
export async function importPackage(name: string): Promise<object> {
  const path = createRequire(resolve('package.json')).resolve(name)
  const exported = (await import(pathToFileURL(path).href)) as { readonly default?: object }
  // Node finds only some named exports of a CommonJS module.
  return { ...exported.default, ...exported }
}
