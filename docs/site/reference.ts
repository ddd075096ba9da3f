import { fileURLToPath } from 'node:url'
import { Application, Converter, LogLevel, type ProjectReflection, type TypeDocOptions } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'

const top = fileURLToPath(new URL('../../', import.meta.url))

/** Exports that need a comment: everything that can be imported. Members may do without. */
const documented: TypeDocOptions['requiredToBeDocumented'] = [
  'Namespace',
  'Enum',
  'Variable',
  'Function',
  'Class',
  'Interface',
  'TypeAlias',
]

/** One page for each subpath of the packages, with tables for members and stable anchors. */
const markup: Partial<PluginOptions> = {
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  preserveAnchorCasing: false,
  useHTMLAnchors: true,
  useCodeBlocks: true,
  sanitizeComments: true,
  useHTMLEncodedBrackets: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  pageTitleTemplates: { index: 'API reference', module: ({ name }) => name, member: ({ name }) => name },
}

/** The sources of the reference. */
export interface ReferenceSources {
  /** Sources, relative to the top of the repository, by import name. */
  readonly entryPoints: ReadonlyMap<string, string>
  /** A tsconfig that lists the sources. */
  readonly tsconfig: string
}

/**
 * Reads the exports, and writes their reference as Markdown.
 *
 * @param folder the output folder; `undefined` only checks the sources
 * @returns the problems: an export without a comment, a broken link, and others that TypeDoc reports
 */
export async function writeReference(
  { entryPoints, tsconfig }: ReferenceSources,
  folder: string | undefined,
): Promise<readonly string[]> {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    name: 'authmachine',
    tsconfig: top + tsconfig,
    // `npm run typecheck` checks types.
    skipErrorChecking: true,
    entryPoints: [...entryPoints.values()].map((source) => top + source),
    router: 'module',
    readme: 'none',
    disableSources: true,
    excludePrivate: true,
    // The members of Error, and what classes inherit from it.
    excludeExternals: true,
    requiredToBeDocumented: documented,
    validation: { notDocumented: true, invalidLink: true, invalidPath: true, notExported: false },
    logLevel: 'None',
    ...markup,
  })
  const complaints: string[] = []
  const log = app.logger.log.bind(app.logger)
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) complaints.push(message)
    log(message, level)
  }
  nameModules(app, entryPoints)
  const project = await app.convert()
  if (!project) return ['TypeDoc could not read the sources', ...complaints]
  app.validate(project)
  if (folder !== undefined) await app.outputs.writeOutput({ name: 'markdown', path: folder }, project)
  return complaints
}

/** Modules are named after their import, not after their path. */
function nameModules(app: Application, entryPoints: ReadonlyMap<string, string>): void {
  const names = new Map(
    [...entryPoints].map(([name, source]) => [source.replace(/(\/index)?\.ts$/, ''), name]),
  )
  const rename = ({ project }: { readonly project: ProjectReflection }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name
  }
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, rename)
}
