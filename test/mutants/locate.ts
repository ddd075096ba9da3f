import ts from 'typescript'
import type { Edit } from './edit.ts'
import type { Mutant } from './mutant.ts'

/** A function or class of a source, or a constant of its module. */
export interface Named {
  /** The names of its ancestors from the outside in, and its own name at the end. */
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
}

/** Why a mutant does not apply to the sources. */
export interface Stale {
  readonly stale: string
}

/** Finds the text that a mutant replaces. It is stale unless its function and its fragment occur exactly once. */
export function locate(
  source: string,
  { file, in: name, find, replace }: Omit<Mutant, 'id' | 'breaks'>,
  named: readonly Named[] = name === undefined ? [] : listNamed(source),
): Edit | Stale {
  const whole = { start: 0, end: source.length }
  const places = name === undefined ? [whole] : findNamed(named, name)
  const [place] = places
  if (!place || places.length > 1)
    return { stale: `expected one function "${name}" in ${file}, got ${places.length}` }
  const matches = findFragment(source.slice(place.start, place.end), find)
  const [match] = matches
  if (!match || matches.length > 1)
    return { stale: `expected "${find}" once in ${name ?? 'all'} of ${file}, got it ${matches.length} times` }
  const start = place.start + match.start
  return { start, was: source.slice(start, place.start + match.end), replace }
}

/** Lists the ranges that a fragment matches. Its whitespace matches any whitespace. */
export function findFragment(text: string, fragment: string): readonly { start: number; end: number }[] {
  const words = fragment.trim().split(/\s+/)
  const pattern = new RegExp(
    words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('\\s+'),
    'g',
  )
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }))
}

/**
 * Lists what a name refers to. The last part of the name is that of the function, class or constant, and the parts
 * before it name ancestors, in order.
 */
export function findNamed(named: readonly Named[], name: string): readonly Named[] {
  const around = name.split('.')
  const own = around.pop()
  return named.filter(({ path }) => {
    if (path.at(-1) !== own) return false
    let met = 0
    for (const part of path.slice(0, -1)) if (part === around[met]) met += 1
    return met === around.length
  })
}

/** Lists the functions and classes of a source, and the constants of its module. */
export function listNamed(source: string): readonly Named[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const found: Named[] = []
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const name = nameOf(node)
    const path = name === undefined ? around : [...around, name]
    if (name !== undefined) {
      const whole = ts.isVariableDeclaration(node) && isOfModule(node) ? node.parent.parent : node
      found.push({ path, start: whole.getStart(file), end: whole.end })
    }
    ts.forEachChild(node, (child) => visit(child, path))
  }
  visit(file, [])
  return found
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node))
    return node.body && textOf(node.name)
  if (ts.isConstructorDeclaration(node)) return node.body && 'constructor'
  if (ts.isClassDeclaration(node)) return textOf(node.name)
  if (ts.isVariableDeclaration(node))
    return isOfModule(node) || isFunction(node.initializer) ? textOf(node.name) : undefined
  if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node))
    return isFunction(node.initializer) ? textOf(node.name) : undefined
  return undefined
}

function textOf(name: ts.Node | undefined): string | undefined {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined
}

function isFunction(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
}

function isOfModule(node: ts.VariableDeclaration): boolean {
  return ts.isSourceFile(node.parent.parent.parent)
}
