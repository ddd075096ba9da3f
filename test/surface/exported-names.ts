import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import manifest from '../../package.json' with { type: 'json' }

const top = new URL('../../', import.meta.url)

/** The source of each subpath in package.json. */
export function readEntries(): ReadonlyMap<string, string> {
  const modules = Object.entries(manifest.exports).filter(([, source]) => source.endsWith('.ts'))
  return new Map(modules.map(([subpath, source]) => [subpath, source.slice('./'.length)]))
}

/** All names that source files export, including types, by file. */
export function exportedNames(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const paths = files.map((file) => fileURLToPath(new URL(file, top)))
  const program = ts.createProgram(paths, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    noLib: true,
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  })
  const checker = program.getTypeChecker()
  return new Map(
    files.map((file, index) => {
      const source = program.getSourceFile(paths[index] ?? '')
      const symbol = source && checker.getSymbolAtLocation(source)
      return [file, symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : []]
    }),
  )
}
