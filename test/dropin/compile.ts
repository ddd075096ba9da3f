import ts from 'typescript'

/** How each editor and framework of the ecosystem resolves modules. */
export const settings = {
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
} as const

/** Compiles a program and lists the errors in it, as `line: text`. Errors elsewhere are those of others. */
export function compile(file: string, options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    ...options,
  })
  const source = program.getSourceFile(file)
  if (!source) return [`${file} cannot be read`]
  return program.getSemanticDiagnostics(source).map(({ start = 0, messageText }) => {
    const { line } = source.getLineAndCharacterOfPosition(start)
    return `${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
