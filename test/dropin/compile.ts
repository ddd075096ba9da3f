import ts from 'typescript'
import { mutatedSource } from '../mutants/mutated-source.ts'

/** The module resolution settings of the editors and frameworks in the ecosystem. */
export const settings = {
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
} as const

const strictly: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
}

/** Compiles a program and lists the errors in it, as `line: text`. Errors in other files are not listed. */
export function compile(file: string, options: ts.CompilerOptions): string[] {
  const all: ts.CompilerOptions = { ...strictly, ...options }
  const program = ts.createProgram([file], all, openHost(all))
  const source = program.getSourceFile(file)
  if (!source) return [`${file} cannot be read`]
  return program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => {
    const { line } = source.getLineAndCharacterOfPosition(start)
    return `${line + 1}: ${flatten(messageText)}`
  })
}

/** Compiles programs that are not in files, as if they were in the folder. Lists the messages of each. */
export function compileText(
  folder: string,
  programs: readonly string[],
  options: ts.CompilerOptions,
): string[][] {
  const all: ts.CompilerOptions = { ...strictly, ...options }
  const texts = new Map(programs.map((text, index) => [`${folder}/program-${index}.ts`, text]))
  const host = openHost(all, texts)
  const program = ts.createProgram([...texts.keys()], all, host)
  return [...texts.keys()].map((file) => {
    const source = program.getSourceFile(file)
    return source ? program.getSemanticDiagnostics(source).map(({ messageText }) => flatten(messageText)) : []
  })
}

/** Reads files, with the mutant of this run applied, and programs that are not in files. */
function openHost(
  options: ts.CompilerOptions,
  texts: ReadonlyMap<string, string> = new Map(),
): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => {
    const text = texts.get(file) ?? readFile(file)
    return text === undefined ? undefined : mutatedSource(file, text)
  }
  return host
}

function flatten(message: string | ts.DiagnosticMessageChain): string {
  return ts.flattenDiagnosticMessageText(message, ' ').replaceAll(/\s+/g, ' ')
}
