import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import type { GeneratedFiles, Generator } from '../support/generator.ts'
import { catalogue, type Fact } from './catalogue.ts'

const top = new URL('../../', import.meta.url)

/** Writes docs/guides/providers-catalogue.md: each module of the catalogue, with its comment. */
export const providersCatalogue: Generator = { name: 'provider catalogue', generate }

const chapters = [
  {
    title: 'OpenID Connect',
    types: ['oidc'],
    text: 'The user comes from an id_token whose signature, issuer, audience and times are verified.',
  },
  {
    title: 'OAuth 2.0',
    types: ['oauth'],
    text: 'The user comes from an endpoint of the provider, requested with the access token.',
  },
  { title: 'E-mail', types: ['email'], text: 'Send links that sign in.' },
  {
    title: 'Without another server',
    types: ['credentials', 'webauthn'],
    text: 'Credentials that you check yourself, and passkeys.',
  },
] as const

async function generate(): Promise<GeneratedFiles> {
  const parts = await Promise.all(
    chapters.map(async ({ title, types, text }) => {
      const facts = catalogue.filter(({ type }) => types.some((each) => each === type))
      const entries = await Promise.all(facts.toSorted(byLabel).map(describeModule))
      return [`## ${title}`, text, ...entries].join('\n\n')
    }),
  )
  return { 'docs/guides/providers-catalogue.md': [introduction(), ...parts].join('\n\n') + '\n' }
}

function byLabel(a: Fact, b: Fact): number {
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1
}

function introduction(): string {
  return `# Catalogue of providers

Written by \`npm run generated\` from the comments of \`src/providers\`; edits are overwritten.

Each of the ${catalogue.length} modules is independent and adds no code of the others to a bundle. Import it as shown below its
heading, and list it in your configuration: \`providers: [GitHub]\`. The [providers guide](providers.md) explains the options.

\`setEnvDefaults\`, which your framework calls, reads missing options from the environment: \`AUTH_<ID>_ID\`,
\`AUTH_<ID>_SECRET\` and \`AUTH_<ID>_ISSUER\`, and \`AUTH_<ID>_KEY\` for e-mail, with the id in capitals and \`_\` for \`-\`.
Callback URLs are below the base path, by default \`/auth\`.`
}

/** Describes a module by its comment. */
async function describeModule({ module, factory, name }: Fact): Promise<string> {
  const comment = await readComment(module)
  const [lead = '', ...rest] = comment.text.split('\n\n').map((part) => part.replaceAll('\n', ' '))
  const notes = [
    ...(comment.deprecated === undefined ? [] : [`Deprecated: ${comment.deprecated}.`]),
    ...(comment.see === undefined ? [] : [`Documentation: <${comment.see}>`]),
  ]
  const heading = `### ${name}\n\n\`import ${factory} from 'authmachine/providers/${module}'\``
  return [heading, lead, ...rest, ...notes].map(linkUrls).join('\n\n')
}

/** Turns bare URLs into links, except in code. */
function linkUrls(text: string): string {
  return text.replaceAll(/(?<![`<'(\w/])https:\/\/[^\s`'<>]*[^\s`'<>.,:;)]/g, '<$&>')
}

interface Comment {
  readonly text: string
  readonly see?: string
  readonly deprecated?: string
}

/** The comment of a module's default export. */
async function readComment(module: string): Promise<Comment> {
  const path = `src/providers/${module}.ts`
  const source = await readFile(new URL(path, top), 'utf8')
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const factory = file.statements.find(
    (statement) =>
      ts.isFunctionDeclaration(statement) &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword),
  )
  const [doc] = factory === undefined ? [] : ts.getJSDocCommentsAndTags(factory).filter(ts.isJSDoc)
  if (doc === undefined) throw new Error(`${path} has no comment on its factory`)
  const tagOf = (name: string) => {
    const tag = doc.tags?.find(({ tagName }) => tagName.text === name)
    // The parser takes a URL's scheme for a name, and puts it before the rest.
    return tag && ts.isJSDocSeeTag(tag)
      ? tag.getText(file).replace(/^@see\s+|\s*\*?\s*$/g, '')
      : textOf(tag?.comment)
  }
  return { text: textOf(doc.comment) ?? '', see: tagOf('see'), deprecated: tagOf('deprecated') }
}

function textOf(comment: ts.JSDoc['comment']): string | undefined {
  return ts.getTextOfJSDocComment(comment)
}
