import ts from 'typescript'

/** A variable whose object may outlive a request and change. */
export interface Lasting {
  readonly file: string
  /** The name of the variable, after that of its function unless it belongs to the module: `once made`. */
  readonly name: string
}

/** Objects that do not change, or whose changes nobody can observe. */
const unchanging: ReadonlySet<string> = new Set([
  'RegExp',
  'TextEncoder',
  'TextDecoder',
  'Error',
  'TypeError',
])
/** A table with one of these types is a constant: nothing that the compiler accepts changes it. */
const constant = /^(ReadonlyMap|ReadonlySet|ArrayLike)</
const changes: ReadonlySet<string> = new Set(
  'add append clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(' '),
)

/**
 * Finds the variables of modules that hold a changeable object, or an object that the module changes. Also finds the
 * variables of functions that a returned or stored function can change later. Such a function keeps state, so a module
 * that calls it holds what it returns.
 */
export function findLastingObjects(texts: ReadonlyMap<string, string>): Lasting[] {
  const files = [...texts].map(([path, text]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  )
  const ofFunctions = files.flatMap((file) => findInFunctions(file))
  const keepers = new Set(ofFunctions.map(({ owner }) => owner))
  for (let size = 0; size !== keepers.size;) {
    size = keepers.size
    for (const file of files) addCallers(file, keepers)
  }
  const found = [
    ...files.flatMap((file) => findInModule(file, keepers)),
    ...[...ofFunctions, ...files.flatMap((file) => findHeld(file, keepers))].map(({ file, owner, name }) => ({
      file,
      name: `${owner} ${name}`,
    })),
  ]
  return [...new Map(found.map((each) => [`${each.file} ${each.name}`, each])).values()]
}

function findInModule(file: ts.SourceFile, keepers: ReadonlySet<string>): Lasting[] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) =>
      declarationList.declarations
        .filter(
          (each) =>
            isVariable(declarationList) ||
            holdsChangeable(each, keepers) ||
            isChangedInFile(each, file) ||
            isHandedOut(each, file),
        )
        .map(({ name }) => ({ file: file.fileName, name: name.getText() })),
    )
}

function isVariable({ flags }: ts.VariableDeclarationList): boolean {
  return !(flags & ts.NodeFlags.Const)
}

function holdsChangeable(
  { initializer, type }: ts.VariableDeclaration,
  keepers: ReadonlySet<string>,
): boolean {
  if (!initializer || ts.isFunctionLike(initializer)) return false
  if (type && constant.test(type.getText())) return false
  return someOutsideFunctions(initializer, (node) => createsChangeable(node) || callsKeeper(node, keepers))
}

/** Returns whether a function of the module changes the object, such as a table or the position of an expression. */
function isChangedInFile({ name }: ts.VariableDeclaration, file: ts.SourceFile): boolean {
  const isChange = (node: ts.Node, isInside: boolean): boolean => {
    if (ts.isFunctionLike(node) && declares(node, name.getText())) return false
    if (isInside && changesVariable(node, name.getText())) return true
    const inside = isInside || ts.isFunctionLike(node)
    return ts.forEachChild(node, (child) => isChange(child, inside) || undefined) ?? false
  }
  return isChange(file, false)
}

/** Returns whether a regular expression is passed to a method that other code may have replaced. */
function isHandedOut({ name, initializer }: ts.VariableDeclaration, file: ts.SourceFile): boolean {
  if (!initializer || !/^(\/|new RegExp\b)/.test(initializer.getText())) return false
  const isPassed = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) && node.arguments.some((each) => each.getText() === name.getText())) ||
    (ts.forEachChild(node, (child) => isPassed(child) || undefined) ?? false)
  return isPassed(file)
}

/** Returns whether a function has its own variable of this name. */
function declares(owner: ts.SignatureDeclaration, name: string): boolean {
  const isOwn = (node: ts.Node): boolean =>
    ((ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
      node.name.getText() === name) ||
    (ts.forEachChild(node, (child) => isOwn(child) || undefined) ?? false)
  return isOwn(owner)
}

function createsChangeable(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return !unchanging.has(node.expression.getText())
  return ts.isCallExpression(node) && /^(Uint8Array|Buffer)\./.test(node.expression.getText())
}

function callsKeeper(node: ts.Node, keepers: ReadonlySet<string>): boolean {
  return ts.isCallExpression(node) && keepers.has(node.expression.getText())
}

interface InFunction extends Lasting {
  readonly owner: string
}

/** Finds the variables that a function inside theirs changes. */
function findInFunctions(file: ts.SourceFile): InFunction[] {
  return variablesOfFunctions(file, ({ text }, owner) => isChangedLater(text, owner))
}

/** Finds the variables of functions that hold what a keeper returned, and that an inner function uses. */
function findHeld(file: ts.SourceFile, keepers: ReadonlySet<string>): InFunction[] {
  return variablesOfFunctions(
    file,
    ({ text, parent }, owner) =>
      ts.isVariableDeclaration(parent) &&
      parent.initializer !== undefined &&
      someOutsideFunctions(parent.initializer, (node) => callsKeeper(node, keepers)) &&
      isUsedInside(owner, new Set([text])),
  )
}

function variablesOfFunctions(
  file: ts.SourceFile,
  test: (name: ts.Identifier, owner: ts.SignatureDeclaration) => boolean,
): InFunction[] {
  const found: InFunction[] = []
  const visit = (node: ts.Node, owner: ts.SignatureDeclaration | undefined): void => {
    if (owner && ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && test(node.name, owner))
      found.push({ file: file.fileName, owner: nameOf(owner), name: node.name.text })
    ts.forEachChild(node, (child) => visit(child, ts.isFunctionLike(node) ? node : owner))
  }
  visit(file, undefined)
  return found
}

/** Returns whether a function inside this one changes the variable or its object. */
function isChangedLater(name: string, owner: ts.SignatureDeclaration): boolean {
  const isChange = (node: ts.Node, isInside: boolean): boolean => {
    if (isInside && changesVariable(node, name)) return true
    const inside = isInside || (ts.isFunctionLike(node) && node !== owner)
    return ts.forEachChild(node, (child) => isChange(child, inside) || undefined) ?? false
  }
  return isChange(owner, false)
}

function changesVariable(node: ts.Node, name: string): boolean {
  if (ts.isBinaryExpression(node)) return isAssignment(node.operatorToken.kind) && rootOf(node.left) === name
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return /\+\+|--/.test(node.getText()) && rootOf(node.operand) === name
  if (ts.isDeleteExpression(node)) return rootOf(node.expression) === name
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    changes.has(node.expression.name.text) &&
    rootOf(node.expression.expression) === name
  )
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function rootOf(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return rootOf(node.expression)
  return node.getText()
}

/** Adds the functions that return what a keeper returns. */
function addCallers(file: ts.SourceFile, keepers: Set<string>): void {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name && node.body && !keepers.has(node.name.text)) {
      const holders = new Set<string>()
      const holds = someOutsideFunctions(node.body, (child) => {
        if (ts.isVariableDeclaration(child) && child.initializer && callsKeeper(child.initializer, keepers))
          holders.add(child.name.getText())
        return (
          ts.isReturnStatement(child) &&
          child.expression !== undefined &&
          callsKeeper(child.expression, keepers)
        )
      })
      if (holds || isUsedInside(node, holders)) keepers.add(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
}

function isUsedInside(owner: ts.SignatureDeclaration, names: ReadonlySet<string>): boolean {
  const isUsed = (node: ts.Node, isInside: boolean): boolean => {
    if (isInside && ts.isIdentifier(node) && names.has(node.text)) return true
    const inside = isInside || (ts.isFunctionLike(node) && node !== owner)
    return ts.forEachChild(node, (child) => isUsed(child, inside) || undefined) ?? false
  }
  return names.size > 0 && isUsed(owner, false)
}

function someOutsideFunctions(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  if (test(node)) return true
  return (
    ts.forEachChild(node, (child) =>
      ts.isFunctionLike(child) ? undefined : someOutsideFunctions(child, test) || undefined,
    ) ?? false
  )
}

function nameOf(owner: ts.SignatureDeclaration): string {
  if (owner.name) return owner.name.getText()
  const { parent } = owner
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  return nameOfOuter(parent)
}

function nameOfOuter(node: ts.Node | undefined): string {
  if (!node) return ''
  return ts.isFunctionLike(node) ? nameOf(node) : nameOfOuter(node.parent)
}
