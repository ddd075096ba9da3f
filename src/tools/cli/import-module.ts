import { createRequire, register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { once } from '../../async/once.ts'
import { moduleHooks } from './module-hooks.ts'

/** Imports a module of the user by path. */
export function importModule(path: string): Promise<object> {
  findLikeBundlers()
  return import(pathToFileURL(resolve(path)).href)
}

/**
 * Lets Node find the modules of a project that a bundler builds. Node before 22.18 imports TypeScript only if the
 * project has a compiler. Without one, Node reports ERR_UNKNOWN_FILE_EXTENSION, and the command explains it.
 */
const findLikeBundlers = once(() => {
  const compiler = findCompiler()
  const compiles =
    compiler !== undefined && !('typescript' in process.features && process.features.typescript)
  register(`data:text/javascript,${encodeURIComponent(moduleHooks)}`, { data: { compiler, compiles } })
})

/** Returns the URL of the TypeScript compiler of the user's project. */
function findCompiler(): string | undefined {
  try {
    return pathToFileURL(createRequire(resolve('package.json')).resolve('typescript')).href
  } catch {
    return undefined
  }
}

/** Imports a package of the user's project, which need not be a dependency of this one. */
export async function importPackage(name: string): Promise<object> {
  const path = createRequire(resolve('package.json')).resolve(name)
  const exported = (await import(pathToFileURL(path).href)) as { readonly default?: object }
  // Node finds only some named exports of a CommonJS module.
  return { ...exported.default, ...exported }
}
