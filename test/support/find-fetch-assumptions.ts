import ts from 'typescript'

/** Classes and functions that servers, test tools and runtimes replace. */
const replaced: ReadonlySet<string> = new Set(['Headers', 'ReadableStream', 'Request', 'Response', 'fetch'])

/**
 * Finds code that relies on more than the interface of the Fetch standard: the class of an object (`instanceof`, a
 * subclass), or the global as it was when the module was loaded.
 */
export function findFetchAssumptions(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([path, text]) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const found: string[] = []
    const report = (node: ts.Node, what: string) => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      found.push(`${path}:${line + 1} ${what}`)
    }
    const visit = (node: ts.Node, isInside: boolean): void => {
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
      if (ts.isTypeNode(node) && !isSubclass(node)) return
      if (isInstanceOf(node))
        report(node, `tests for the class ${node.right.getText()}: test for its members`)
      else if (isSubclass(node)) return report(node, `extends ${node.getText()}, which servers replace`)
      else if (isImport(node)) report(node, `imports ${node.moduleSpecifier.getText()}: use the global`)
      else if (!isInside && isUsed(node))
        report(node, `uses ${node.text} when it is loaded: use it when it is needed`)
      ts.forEachChild(node, (child) => visit(child, isInside || ts.isFunctionLike(node)))
    }
    visit(file, false)
    return found
  })
}

function isInstanceOf(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
    replaced.has(lastName(node.right))
  )
}

/** `Response` of `globalThis.Response`. */
function lastName(node: ts.Expression): string {
  return ts.isPropertyAccessExpression(node) ? node.name.text : node.getText()
}

function isSubclass(node: ts.Node): node is ts.ExpressionWithTypeArguments {
  return (
    ts.isExpressionWithTypeArguments(node) &&
    ts.isClassLike(node.parent.parent) &&
    ts.isHeritageClause(node.parent) &&
    node.parent.token === ts.SyntaxKind.ExtendsKeyword &&
    replaced.has(lastName(node.expression))
  )
}

function isImport(node: ts.Node): node is ts.ImportDeclaration {
  return ts.isImportDeclaration(node) && /^['"]undici/.test(node.moduleSpecifier.getText())
}

/** Returns whether the identifier refers to the global, and is not the name of a member, a property or a variable. */
function isUsed(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node) || !replaced.has(node.text)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return parent.expression.getText() === 'globalThis'
  const isName = 'name' in parent && parent.name === node
  return (
    !isName && !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent) && !ts.isBindingElement(parent)
  )
}

/** Finds examples in documents and comments that test for a class. Readers copy them to servers that replace it. */
export function findTaughtAssumptions(texts: ReadonlyMap<string, string>): string[] {
  const classes = new RegExp(`instanceof (?:globalThis\\.)?(?:${[...replaced].join('|')})\\b`)
  return [...texts].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const [test] = classes.exec(line) ?? []
      return test === undefined ? [] : [`${path}:${index + 1} teaches ${test}: test for a member`]
    }),
  )
}
