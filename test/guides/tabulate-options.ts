import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { Option } from '../../src/config/option.ts'
import { options } from '../../src/config/options.ts'

const folder = new URL('../../src/', import.meta.url)

/** The file and the interface that document the members of each group of options. */
const groups: Readonly<Record<string, string>> = {
  callbacks: 'types/callbacks.ts CallbacksOptions',
  events: 'types/callbacks.ts EventCallbacks',
  cookies: 'types/cookies.ts CookiesOptions',
  emailChange: 'features/email-change/types.ts EmailChange',
  jwt: 'types/jwt.ts JWTOptions',
  logger: 'types/logger.ts LoggerInstance',
  pages: 'types/theme.ts PagesOptions',
  redirectProxy: 'types/config.ts RedirectProxyOptions',
  session: 'types/session-options.ts SessionOptions',
  theme: 'types/theme.ts Theme',
}

/** An option with the text of its comment. */
export interface DescribedOption {
  readonly path: string
  readonly option: Option
  /** The first sentence of its comment. */
  readonly sentence: string
  /** The text of its `@default` tag. */
  readonly default: string
}

/** Lists all options, each group followed by its members. */
export function describeOptions(): readonly DescribedOption[] {
  return describeMembers('', { members: options }, 'types/config.ts AuthConfig')
}

function describeMembers(
  prefix: string,
  { members, each }: Option,
  place: string,
): readonly DescribedOption[] {
  const comments = readComments(place)
  return Object.entries(members ?? {}).flatMap(([name, option]) => {
    const { sentence = '', default: otherwise = '' } = comments.get(name) ?? {}
    const type = groups[name]
    return [
      {
        path: prefix + name,
        option: each ? { rule: each, ...option } : option,
        sentence,
        default: otherwise,
      },
      ...(type ? describeMembers(`${name}.`, option, type) : []),
    ]
  })
}

interface Comment {
  readonly sentence: string
  readonly default: string
}

/** Reads the comments of the members of an interface, and of those that it extends. */
function readComments(place: string): ReadonlyMap<string, Comment> {
  const [file = '', name] = place.split(' ')
  const text = readFileSync(new URL(file, folder), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )
  if (!found || !ts.isInterfaceDeclaration(found)) throw new Error(`${file} has no interface ${name}`)
  const extended = found.heritageClauses?.flatMap(({ types }) => types.map((type) => type.getText())) ?? []
  const own = found.members.map((member) => [member.name?.getText() ?? '', readComment(member)] as const)
  return new Map([
    ...extended.flatMap((each) => [...readComments(`${findModule(each, source, file)} ${each}`)]),
    ...own,
  ])
}

/** Returns the file that declares an interface which a file uses. */
function findModule(name: string, source: ts.SourceFile, file: string): string {
  const from = source.statements.find(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText() ?? ''),
  )
  if (!from || !ts.isImportDeclaration(from) || !ts.isStringLiteral(from.moduleSpecifier)) return file
  return join(dirname(file), from.moduleSpecifier.text)
}

function readComment(member: ts.Node): Comment {
  const doc = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)
  const tag = doc?.tags?.find(({ tagName }) => tagName.text === 'default')
  const textOf = (comment: Parameters<typeof ts.getTextOfJSDocComment>[0]) =>
    (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ').trim()
  const [sentence = ''] = /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(textOf(doc?.comment)) ?? []
  return { sentence: sentence.replace(/:$/, '.'), default: textOf(tag?.comment) }
}

/** Lists the options as a table. */
export function tabulateOptions(): string {
  return [
    '| Option | Value | Default | Description |',
    '| --- | --- | --- | --- |',
    ...describeOptions().map((each) => `| ${listCells(each).map(escapeCell).join(' | ')} |`),
  ].join('\n')
}

function listCells({ path, option, sentence, default: otherwise }: DescribedOption): readonly string[] {
  const says = /^(?:'[^']*'|\[\]|\d+|true|false)(?=$|:)/.exec(otherwise)?.[0] ?? ''
  const shown = says === '' ? otherwise : `\`${says}\`${otherwise.slice(says.length)}`
  return [`\`${path}\``, option.rule?.takes ?? '', shown, `${sentence} ${describeNeeds(option)}`.trim()]
}

function describeNeeds({ needs }: Option): string {
  const needed = [needs?.adapter && 'an adapter', needs?.strategy && `${needs.strategy} sessions`].filter(
    Boolean,
  )
  return needed.length > 0 ? `Needs ${needed.join(' and ')}.` : ''
}

function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`)
}
