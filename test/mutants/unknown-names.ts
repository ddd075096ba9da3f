import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { applyEdit, type Edit } from './edit.ts'
import type { Located, StaleMutant } from './stale.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))

/** What the compiler says of names that do not exist: of variables, members and exports. */
const unknownName: ReadonlySet<number> = new Set([2304, 2305, 2339, 2551, 2552, 2694, 2724, 18004])

/**
 * Finds mutants whose replacement uses a name that does not exist. Such a mutant throws instead of introducing its bug,
 * and tests detect it for the wrong reason.
 */
export function findUnknownNames(located: readonly Located[]): readonly StaleMutant[] {
  const diagnose = openCompiler(located.map(([{ file }]) => `${top}${file}`))
  return located.flatMap(([{ id, file }, edit]) => {
    if (!file.endsWith('.ts')) return []
    const why = diagnose(`${top}${file}`, edit)
    return why === undefined ? [] : [{ id, why }]
  })
}

/**
 * Returns a function that says which unknown name an edit puts into one of the files. The program consists of them, the
 * library, whose files add members to each other's types, the declarations of the project, and what all of these import.
 */
function openCompiler(files: readonly string[]): (path: string, edit: Edit) => string | undefined {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${top}tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
      },
    },
  )
  if (!config) throw new Error('Cannot read tsconfig.json')
  const isAlways = (path: string) => path.endsWith('.d.ts') || path.startsWith(`${top}src/`)
  const roots = config.fileNames.filter((path) => isAlways(path) || files.includes(path))
  let edited: { readonly path: string; readonly text: string } | undefined
  let version = 0
  const read = (path: string) => (path === edited?.path ? edited.text : ts.sys.readFile(path))
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => config.options,
    getScriptFileNames: () => roots,
    getScriptVersion: (path) => (path === edited?.path ? `${version}` : ''),
    getScriptSnapshot: (path) => {
      const text = read(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => top,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  })
  return (path, edit) => {
    edited = { path, text: applyEdit(ts.sys.readFile(path) ?? '', edit) }
    version++
    const found = service.getSemanticDiagnostics(path).find(({ code }) => unknownName.has(code))
    return found && ts.flattenDiagnosticMessageText(found.messageText, ' ')
  }
}
