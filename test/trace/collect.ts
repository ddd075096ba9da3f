/**
 * Reads which tests, properties and chart states name which requirements: tests and properties by their names or
 * `proves`, charts by `meta.spec`. It parses tests without running them, so that the result does not depend on what a
 * run reaches.
 */
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import ts from 'typescript'
import type { AnyChart } from '../../machines/chart.ts'
import { charts } from '../../machines/by-id.ts'
import { journeyChart } from '../../machines/journey.ts'
import { requirements } from '../../spec/index.ts'
import { placesOf } from '../../fuzz/charts/chart-walk.ts'

/** A test or property that proves requirements. */
export interface Witness {
  readonly file: string
  readonly name: string
  readonly ids: readonly string[]
}

/** A state of a chart that names requirements. */
export interface ChartState {
  readonly file: string
  /** `machine.state`, nested states joined by dots. */
  readonly state: string
  readonly ids: readonly string[]
}

export interface Trace {
  readonly witnesses: readonly Witness[]
  readonly chartStates: readonly ChartState[]
}

const callees: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'scenario', 'property'])
/** Calls with one of these do not run or are meant to fail, so they prove nothing. */
const mutes: ReadonlySet<string> = new Set(['skip', 'todo', 'fails'])
const prefixes: ReadonlySet<string> = new Set(
  requirements.flatMap(({ id, aliases = [] }) => [id, ...aliases]).map((id) => id.replace(/-.*/, '')),
)

/**
 * The requirement ids at the start of a name, separated by spaces or commas. A word counts if its prefix is one of the
 * specification's: `SHA-256 …` is not an id, and `TX-99 …` is an id that does not exist.
 *
 * @example idsOf('TX-01, TX-02 a callback of another browser') // ['TX-01', 'TX-02']
 */
export function idsOf(name: string): readonly string[] {
  const ids: string[] = []
  for (const word of name.split(/[\s,]+/)) {
    const found = /^(([A-Z]{2,3})-\d+[a-z]*):?$/.exec(word)
    if (found?.[1] === undefined || found[2] === undefined || !prefixes.has(found[2])) break
    ids.push(found[1])
  }
  return ids
}

/** The witnesses in one source text. */
export function witnessesIn(source: string, file: string): readonly Witness[] {
  const witnesses: Witness[] = []
  const taken = new Set<ts.Node>()

  const add = (name: string, ids: readonly string[]): void => {
    if (ids.length > 0) witnesses.push({ file, name, ids: [...new Set(ids)] })
  }

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { root, members } = calleeOf(node.expression)
      if (root !== undefined && callees.has(root)) {
        if (members.some((member) => mutes.has(member))) return
        const name = textOf(node.arguments[0])
        const options = node.arguments.filter(ts.isObjectLiteralExpression)
        if (name !== undefined) {
          for (const option of options) taken.add(option)
          add(name, [...idsOf(name), ...options.flatMap((option) => stringsIn(option, 'proves'))])
        }
      }
    }
    if (ts.isObjectLiteralExpression(node) && !taken.has(node)) {
      // A property as a data object: its list runs in several places, so there is no call to look for.
      const proves = stringsIn(node, 'proves')
      const name = textOf(valueOf(node, 'name')) ?? textOf(valueOf(node, 'title')) ?? proves.join(' ')
      if (valueOf(node, 'proves') !== undefined) add(name, [...idsOf(name), ...proves])
    }
    ts.forEachChild(node, visit)
  }
  visit(parse(source, file))
  return witnesses
}

/** The states of a chart, including nested ones, with their requirements. The chart itself comes first. */
export function chartStatesOf(chart: AnyChart): readonly ChartState[] {
  const file = `machines/${chart.id}.ts`
  const states = [...placesOf(chart).values()].map(({ name, state }) => ({
    file,
    state: `${chart.id}.${name}`,
    ids: state.meta.spec,
  }))
  return [{ file, state: chart.id, ids: chart.meta.spec }, ...states]
}

/** Reads the tests and properties in a directory, and the charts. The order depends only on their names. */
export async function collect(top: URL): Promise<Trace> {
  const tests = await sourcesIn(top, ['test', 'fuzz'])
  return {
    witnesses: tests.flatMap(({ file, source }) => witnessesIn(source, file)),
    chartStates: [...Object.values(charts), journeyChart].flatMap((chart) => chartStatesOf(chart)),
  }
}

interface Source {
  readonly file: string
  readonly source: string
}

async function sourcesIn(top: URL, folders: readonly string[]): Promise<readonly Source[]> {
  const files: string[] = []
  for (const folder of folders) {
    const at = new URL(`${folder}/`, top)
    if (!existsSync(at)) continue
    for (const entry of await readdir(at, { recursive: true })) {
      const file = `${folder}/${entry.replaceAll('\\', '/')}`
      if (/\.tsx?$/.test(file) && !/(^|\/)node_modules\/|^test\/bench\/|^fuzz\/peers\//.test(file))
        files.push(file)
    }
  }
  files.sort()
  return Promise.all(
    files.map(async (file) => ({ file, source: await readFile(new URL(file, top), 'utf8') })),
  )
}

function parse(source: string, file: string): ts.SourceFile {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
}

/** `it.skip`, `it.each(rows)` and `it.each` with a table literal all start from `it`. */
function calleeOf(expression: ts.Expression): {
  readonly root: string | undefined
  readonly members: readonly string[]
} {
  const members: string[] = []
  let at = expression
  for (;;) {
    if (ts.isPropertyAccessExpression(at)) {
      members.push(at.name.text)
      at = at.expression
    } else if (ts.isCallExpression(at)) at = at.expression
    else if (ts.isTaggedTemplateExpression(at)) at = at.tag
    else return { root: ts.isIdentifier(at) ? at.text : undefined, members }
  }
}

/** The beginning of a string expression. Computed parts after it contain no ids. */
function textOf(expression: ts.Expression | undefined): string | undefined {
  if (expression === undefined) return undefined
  if (ts.isStringLiteralLike(expression)) return expression.text
  if (ts.isTemplateExpression(expression)) return `${expression.head.text}…`
  if (ts.isBinaryExpression(expression)) {
    const start = textOf(expression.left)
    return start === undefined ? undefined : `${start.replace(/…$/, '')}…`
  }
  return undefined
}

function valueOf(object: ts.ObjectLiteralExpression, key: string): ts.Expression | undefined {
  for (const property of object.properties) {
    if (ts.isPropertyAssignment(property) && nameOf(property.name) === key) return bare(property.initializer)
  }
  return undefined
}

/** Without `as const` and `satisfies`. */
function bare(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression)
    ? bare(expression.expression)
    : expression
}

function stringsIn(object: ts.ObjectLiteralExpression, key: string): readonly string[] {
  const value = valueOf(object, key)
  if (value === undefined || !ts.isArrayLiteralExpression(value)) return []
  return value.elements.filter(ts.isStringLiteralLike).map((element) => element.text)
}

function nameOf(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined
}
