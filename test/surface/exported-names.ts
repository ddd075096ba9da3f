import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import manifest from '../../package.json' with { type: 'json' }

interface Target {
  readonly types: string
  readonly default: string
}

const top = new URL('../../', import.meta.url)

/** What package.json says of each subpath: the source file that its JavaScript and types are built from. */
export function readEntries(): ReadonlyMap<string, string> {
  const exports: Readonly<Record<string, string | Target>> = manifest.exports
  return new Map(
    Object.entries(exports).flatMap(([subpath, target]) => {
      if (typeof target === 'string') return []
      const source = target.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')
      const types = target.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')
      return [[subpath, source === types ? source : `${source} with the types of ${types}`] as const]
    }),
  )
}

/** All names that source files export, types among them, by file. */
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
