/**
 * Reads the facts that `test/house.test.ts` checks: the imports of each source file and the platform globals it uses.
 * It uses TypeScript's own parser and binder, so that comments, strings, types and shadowed names do not mislead it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

export interface SourceFacts {
  /** Imported modules: a path from the top of the repository for a relative import, else the name as written. */
  readonly imports: readonly string[]
  /** Globals used as values that provide time, randomness, the network or the process, such as `Date.now`. */
  readonly globals: readonly string[]
  /** Modules that it imports with `import()` outside a call of `once` or `onceLoaded`. */
  readonly bareImports: readonly string[]
  /** Whether the module has a top-level await. */
  readonly awaits: boolean
  /** Code that switches the type checker off: `any`, double assertions, `as never`, `!` and `@ts-` comments. */
  readonly unchecked: readonly string[]
}

/** Facts by path from the top of the repository, always with `/`. */
export type Sources = ReadonlyMap<string, SourceFacts>

/** The name under which imports by computed names are listed, since their target is unknown. */
export const COMPUTED = '(computed)'

const WATCHED_GLOBALS = new Set(['process', 'Buffer', 'fetch', 'performance'])
const WATCHED_MEMBERS = new Set(['Date.now', 'Math.random', 'crypto.getRandomValues', 'crypto.randomUUID'])
/** The checker resolves only these names, because it takes long. */
const WATCHED_NAMES = new Set([
  'globalThis',
  ...WATCHED_GLOBALS,
  ...[...WATCHED_MEMBERS].map((member) => member.slice(0, member.indexOf('.'))),
])

/** Texts of all TypeScript files, or those with another ending, in the given directories. A missing directory has none. */
export function readTexts(top: URL, directories: readonly string[], ending = /\.m?ts$/): Map<string, string> {
  const texts = new Map<string, string>()
  for (const directory of directories) {
    for (const path of listFiles(top, directory, ending))
      texts.set(path, readFileSync(new URL(path, top), 'utf8'))
  }
  return texts
}

function listFiles(top: URL, directory: string, ending: RegExp): string[] {
  let entries
  try {
    entries = readdirSync(new URL(`${directory}/`, top), { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = `${directory}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(top, path, ending)
    return ending.test(entry.name) ? [path] : []
  })
}

export function readSources(texts: ReadonlyMap<string, string>): Sources {
  const program = createProgram(texts)
  const checker = program.getTypeChecker()
  const sources = new Map<string, SourceFacts>()
  for (const path of texts.keys()) {
    const file = program.getSourceFile(path)
    if (!file) continue
    sources.set(path, {
      imports: listImports(path, file),
      bareImports: listBareImports(file),
      globals: listGlobals(file, checker),
      awaits: awaitsOutsideFunctions(file),
      unchecked: listUnchecked(file),
    })
  }
  return sources
}

/** A program of these files alone, without libraries, so that an unresolved name is a global. */
function createProgram(texts: ReadonlyMap<string, string>): ts.Program {
  const options: ts.CompilerOptions = {
    noLib: true,
    noResolve: true,
    resolvePackageJsonImports: false,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
  }
  const host: ts.CompilerHost = {
    getSourceFile(path, languageVersionOrOptions) {
      const text = texts.get(path)
      return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersionOrOptions, true)
    },
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    getDefaultLibFileName: () => 'lib.d.ts',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile() {},
  }
  return ts.createProgram({ rootNames: [...texts.keys()], options, host })
}

function listImports(path: string, file: ts.SourceFile): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier !== undefined) found.add(resolveImport(path, specifier))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

function listBareImports(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      if (/^once(Loaded)?$/.test(node.expression.getText(file))) return
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) found.push(specifierOf(node) ?? COMPUTED)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function awaitsOutsideFunctions(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return true
  if (ts.isFunctionLike(node)) return false
  return ts.forEachChild(node, (child) => awaitsOutsideFunctions(child) || undefined) ?? false
}

function listUnchecked(file: ts.SourceFile): string[] {
  const found = [...file.text.matchAll(/@ts-(?:ignore|expect-error|nocheck)/g)].map(([comment]) => comment)
  const visit = (node: ts.Node): void => {
    if (isUnchecked(node)) found.push(node.getText(file).split('\n', 1).join(''))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function isUnchecked(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.AnyKeyword || ts.isNonNullExpression(node)) return true
  if (!ts.isAsExpression(node)) return false
  return ts.isAsExpression(node.expression) || node.type.kind === ts.SyntaxKind.NeverKeyword
}

/** The module that this node imports, in any kind of import. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return textOf(node.arguments[0]) ?? COMPUTED
  }
  return undefined
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined
}

function resolveImport(importer: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : specifier
}

function listGlobals(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    // `typeof fetch` in a type does not call anything.
    if (ts.isTypeNode(node)) return
    const name = ts.isIdentifier(node) ? watchedGlobal(node, checker) : undefined
    if (name !== undefined) found.add(name)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

function watchedGlobal(node: ts.Identifier, checker: ts.TypeChecker): string | undefined {
  const { text } = node
  if (!WATCHED_NAMES.has(text) || !isReference(node) || isDeclared(node, checker)) return undefined
  if (WATCHED_GLOBALS.has(text)) return text
  const member = memberOf(node)
  if (text === 'globalThis') {
    return member !== undefined && WATCHED_GLOBALS.has(member) ? `globalThis.${member}` : undefined
  }
  if (member !== undefined && WATCHED_MEMBERS.has(`${text}.${member}`)) return `${text}.${member}`
  if (text === 'Date' && ts.isNewExpression(node.parent) && !node.parent.arguments?.length)
    return 'new Date()'
  return undefined
}

/** False for names that the syntax gives to members, which are not variables. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node
  if (ts.isBindingElement(parent)) return parent.initializer === node
  return !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent) && !ts.isMetaProperty(parent)
}

function isDeclared(node: ts.Identifier, checker: ts.TypeChecker): boolean {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  return (symbol?.declarations?.length ?? 0) > 0
}

/** The member that is read from this object, by any of `a.b`, `a['b']`, `(a as T).b` and `const { b } = a`. */
function memberOf(node: ts.Node): string | undefined {
  const { parent } = node
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) {
    return memberOf(parent)
  }
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text
  if (ts.isElementAccessExpression(parent)) return textOf(parent.argumentExpression)
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) {
    const names = parent.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText())
    return names.find((name) => WATCHED_GLOBALS.has(name) || WATCHED_MEMBERS.has(`${node.getText()}.${name}`))
  }
  return undefined
}
