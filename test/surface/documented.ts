import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const top = fileURLToPath(new URL('../../', import.meta.url))

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  noLib: true,
  types: [],
  allowImportingTsExtensions: true,
  noEmit: true,
}

/**
 * Lists what is missing in the comments of the exports of some modules:
 *
 * - Every export, and every member of an exported interface, has a sentence.
 * - Every function has a `@param` for each parameter, a `@returns` unless it returns nothing, and an `@example`. Presets of
 *   providers have a paragraph that begins with `Options:` instead of the first two.
 * - Every error that the body of a function throws is named by a `@throws`.
 *
 * @param texts programs that are not in files, by path
 */
export function findUndocumented(
  files: readonly string[],
  texts: Readonly<Record<string, string>> = {},
): readonly string[] {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (path) => path.slice(top.length) in texts || fileExists(path)
  host.readFile = (path) => texts[path.slice(top.length)] ?? readFile(path)
  const program = ts.createProgram(
    files.map((file) => top + file),
    options,
    host,
  )
  const checker = program.getTypeChecker()
  const declarations = new Set<ts.Declaration>()
  for (const file of files) {
    const source = program.getSourceFile(top + file)
    const module = source && checker.getSymbolAtLocation(source)
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const named = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      for (const declaration of named.declarations ?? [])
        if (isOurs(declaration)) declarations.add(declaration)
    }
  }
  return [...new Set([...declarations].flatMap(judge))]
}

function isOurs(node: ts.Node): boolean {
  const { fileName } = node.getSourceFile()
  return fileName.startsWith(top) && !fileName.includes('/node_modules/')
}

function isPreset(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(`${top}src/providers/`)
}

function judge(declaration: ts.Declaration): readonly string[] {
  if (ts.isFunctionDeclaration(declaration)) return judgeFunction(declaration)
  // The comment of a constant is at its statement.
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  if (ts.isModuleDeclaration(node) || ts.isSourceFile(node)) return []
  const found = hasSentence(node) ? [] : [`${nameOf(declaration)} has no comment`]
  // Providers document the claims of their profiles, and a preset links to that documentation.
  const isOfPreset = isPreset(node) && !nameOf(declaration).endsWith('Options')
  return ts.isInterfaceDeclaration(node) && !isOfPreset
    ? [...found, ...node.members.flatMap(judgeMember)]
    : found
}

function judgeMember(member: ts.TypeElement): readonly string[] {
  if (ts.isIndexSignatureDeclaration(member)) return []
  const isNamed = member.name && ts.isComputedPropertyName(member.name)
  if (!isNamed && !hasSentence(member)) return [`${nameOf(member)} has no comment`]
  return []
}

function judgeFunction(declaration: ts.FunctionDeclaration): readonly string[] {
  const overloads = overloadsOf(declaration)
  const [documented] = overloads.filter(hasSentence)
  const name = nameOf(declaration)
  if (!documented) return [`${name} has no comment`]
  const tags = overloads.flatMap((each) => ts.getJSDocTags(each))
  const has = (tag: string) => tags.some(({ tagName }) => tagName.text === tag)
  const found = has('example') ? [] : [`${name} has no @example`]
  if (isPreset(declaration))
    return /^\s*\*?\s*Options:/m.test(commentOf(documented))
      ? found
      : [...found, `${name} has no paragraph "Options:"`]
  const params = tags.filter((tag) => ts.isJSDocParameterTag(tag)).map((tag) => tag.name.getText())
  const missing = documented.parameters.filter(({ name: parameter }, at) =>
    ts.isIdentifier(parameter) ? !params.includes(parameter.text) : params[at] === undefined,
  )
  for (const { name: parameter } of missing)
    found.push(`${name} has no @param ${ts.isIdentifier(parameter) ? parameter.text : 'for its options'}`)
  const type = documented.type?.getText() ?? 'void'
  if (!/^(Promise<void>|void|never)$/.test(type) && !has('returns')) found.push(`${name} has no @returns`)
  const throws = tags
    .filter(({ tagName }) => tagName.text === 'throws')
    .map((tag) => tag.getText())
    .join(' ')
  for (const error of thrownBy(declaration))
    if (!throws.includes(error)) found.push(`${name} has no @throws ${error}`)
  return found
}

/** All declarations of a function. They share one comment. */
function overloadsOf(declaration: ts.FunctionDeclaration): readonly ts.FunctionDeclaration[] {
  const { statements } = declaration.getSourceFile()
  return statements.filter(
    (each): each is ts.FunctionDeclaration =>
      ts.isFunctionDeclaration(each) && each.name?.text === declaration.name?.text,
  )
}

/** The classes of errors that a function itself throws. Errors of nested functions are left out. */
function thrownBy(declaration: ts.FunctionDeclaration): readonly string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isThrowStatement(node) && ts.isNewExpression(node.expression))
      names.push(node.expression.expression.getText())
    ts.forEachChild(node, visit)
  }
  for (const each of overloadsOf(declaration)) if (each.body) ts.forEachChild(each.body, visit)
  return names
}

function hasSentence(node: ts.Node): boolean {
  return ts
    .getJSDocCommentsAndTags(node)
    .some(
      (doc) =>
        (ts.isJSDoc(doc) && (ts.getTextOfJSDocComment(doc.comment) ?? '').trim() !== '') ||
        (ts.isJSDoc(doc) &&
          (doc.tags ?? []).some(({ tagName }) => ['default', 'deprecated'].includes(tagName.text))),
    )
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((doc) => doc.getText())
    .join('\n')
}

function nameOf(node: ts.Declaration): string {
  const { fileName } = node.getSourceFile()
  const owner = ts.isInterfaceDeclaration(node.parent) ? `${node.parent.name.text}.` : ''
  const name = ts.getNameOfDeclaration(node)?.getText() ?? 'default'
  return `${fileName.slice(top.length)}: ${owner}${name}`
}
