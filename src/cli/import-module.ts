import { createRequire, register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports a module of the user by path. */
export function importModule(path: string): Promise<object> {
  if (/\.[cm]?ts$/.test(path) && !('typescript' in process.features && process.features.typescript))
    compileTypeScript()
  return import(pathToFileURL(resolve(path)).href)
}

/** Runs in a thread of Node, hence as text. It compiles TypeScript to ES modules, without checking types. */
const hooks = `
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
const compilerOptions = { module: 'esnext', target: 'es2022', verbatimModuleSyntax: true }
let compiler
export const initialize = (url) => void (compiler = import(url))
export async function load(url, context, next) {
  if (!/^file:.*\\.[cm]?ts$/.test(url)) return next(url, context)
  const path = fileURLToPath(url)
  const typescript = (await compiler).default
  const { outputText } = typescript.transpileModule(await readFile(path, 'utf8'), { fileName: path, compilerOptions })
  return { format: 'module', source: outputText, shortCircuit: true }
}`

/** Lets Node before version 22.18 import TypeScript, if the user's project contains a compiler. */
function compileTypeScript(): void {
  try {
    const compiler = createRequire(resolve('package.json')).resolve('typescript')
    register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: pathToFileURL(compiler).href })
  } catch {
    // Node reports ERR_UNKNOWN_FILE_EXTENSION, and the command explains it.
  }
}

/** Imports a package of the user's project, which need not be a dependency of this one. */
export async function importPackage(name: string): Promise<object> {
  const path = createRequire(resolve('package.json')).resolve(name)
  const exported = (await import(pathToFileURL(path).href)) as { readonly default?: object }
  // Node finds only some named exports of a CommonJS module.
  return { ...exported.default, ...exported }
}
