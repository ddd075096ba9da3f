/**
 * Node hooks for the user's modules, as text, because Node runs them in a thread. They find the same modules as
 * bundlers: files without an extension, `.ts` for `.js`, and the `paths` of a tsconfig.json. `compiles` is for a Node
 * without TypeScript. The hooks then compile TypeScript to ES modules, without checking types. TypeScript 7 has no
 * interface for this, so Node reports that it cannot load the file, unless another hook such as tsx can.
 */
export const moduleHooks = `
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
const endings = ['.ts', '.tsx', '.mts', '.js', '.mjs', '/index.ts', '/index.js']
const missing = ['ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT', 'ERR_INVALID_MODULE_SPECIFIER']
const compilerOptions = { module: 'esnext', target: 'es2022', verbatimModuleSyntax: true }
let loadCompiler
let compiles
let paths
export function initialize(data) {
  let compiler
  loadCompiler = async () => {
    if (!data.compiler) return undefined
    compiler ??= (await import(data.compiler)).default
    return compiler?.transpileModule ? compiler : undefined
  }
  compiles = data.compiles
}
export async function resolve(name, context, next) {
  try {
    return await next(name, context)
  } catch (error) {
    if (!missing.includes(error.code) || context.parentURL?.includes('/node_modules/')) throw error
    for (const spelling of await listSpellings(name))
      try {
        return await next(spelling, context)
      } catch {}
    throw error
  }
}
async function listSpellings(name) {
  const isFile = /^\\.{0,2}\\/|^file:/.test(name)
  const places = isFile ? [name] : [name, ...findAliases(name, (paths ??= await readPaths()))]
  return places.flatMap((place) => [
    place,
    ...endings.map((ending) => place + ending),
    ...(/\\.[cm]?jsx?$/.test(place) ? [place.replace(/js(x?)$/, 'ts$1')] : []),
  ])
}
async function readPaths() {
  const typescript = await loadCompiler()
  if (!typescript) return []
  const file = typescript.findConfigFile(process.cwd(), typescript.sys.fileExists)
  if (!file) return []
  const { config } = typescript.readConfigFile(file, typescript.sys.readFile)
  const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, file.replace(/[^\\\\/]+$/, ''))
  const base = pathToFileURL((options.baseUrl ?? options.pathsBasePath ?? process.cwd()) + '/').href
  return Object.entries(options.paths ?? {}).flatMap(([pattern, targets]) =>
    targets.map((target) => ({ start: pattern.split('*')[0], isWhole: !pattern.includes('*'), target, base })),
  )
}
function findAliases(name, all) {
  return all.flatMap(({ start, isWhole, target, base }) =>
    (isWhole ? name === start : name.startsWith(start))
      ? [new URL(target.replace('*', () => name.slice(start.length)), base).href]
      : [],
  )
}
export async function load(url, context, next) {
  if (!compiles || !/^file:.*\\.[cm]?ts$/.test(url)) return next(url, context)
  const path = fileURLToPath(url)
  const typescript = await loadCompiler()
  if (!typescript) return next(url, context)
  const { outputText } = typescript.transpileModule(await readFile(path, 'utf8'), { fileName: path, compilerOptions })
  return { format: 'module', source: outputText, shortCircuit: true }
}`
