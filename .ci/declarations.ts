import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { findEntries, modulesOf, top, type Manifest } from './entries.ts'
import type { Built } from './publish.ts'

/** Writes the declarations of the library, and removes those that no entry leads to. */
export function declareLibrary(manifest: Manifest): void {
  const types = join(top, 'dist/types')
  const sources = Object.values(findEntries(manifest)).map((source) => join(top, source))
  emit('.ci/tsconfig.library.json', sources)
  const kept = new Set<string>()
  const visit = (path: string) => {
    if (kept.has(path)) return
    kept.add(path)
    const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'))
    for (const { fileName } of importedFiles)
      if (fileName.startsWith('.')) visit(join(dirname(path), asDeclaration(fileName)))
  }
  for (const source of sources) visit(join(types, asDeclaration(source.slice(top.length))))
  for (const { parentPath, name } of readdirSync(types, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name)
    if (name.endsWith('.ts') && !kept.has(path)) rmSync(path)
  }
}

/** Compiles the oracle against the declarations that the library publishes. */
export function emitOracle(library: Manifest, { files }: Built): void {
  const paths = modulesOf(library).map(([subpath, source]) => [
    library.name + subpath.slice('.'.length),
    [join(top, 'dist', files(subpath, source).types)],
  ])
  emit('.ci/tsconfig.oracle.json', [], { paths: Object.fromEntries(paths) as ts.MapLike<string[]> })
}

const asDeclaration = (path: string) => path.replace(/(\.d)?\.[jt]s$/, '.d.ts')

/**
 * The types of charts are so deep that the compiler's spaces would be a tenth of the declarations. Only the first level is
 * indented.
 */
function indentWithTabs(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (spaces) => (spaces.length === 4 ? '\t' : ''))
}

/** Compiles a project, and files that it does not name. @throws Error with the compiler's complaints */
function emit(project: string, files: readonly string[], more: ts.CompilerOptions = {}): void {
  const path = join(top, project)
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name))
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path))
  const compiler = ts.createCompilerHost({ ...options, ...more })
  const program = ts.createProgram([...fileNames, ...files], { ...options, ...more }, compiler)
  const emitted = program.emit(undefined, (file, text, ...others) =>
    compiler.writeFile(file, file.endsWith('.d.ts') ? indentWithTabs(text) : text, ...others),
  )
  const found = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics]
  if (found.length === 0) return
  const host = { ...ts.sys, getNewLine: () => '\n', getCanonicalFileName: (name: string) => name }
  throw new Error(ts.formatDiagnostics(found, host))
}
