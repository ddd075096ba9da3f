import { fileURLToPath } from 'node:url'
import { Application, Converter, LogLevel, PageEvent, type TypeDocOptions } from 'typedoc'
import { RequirementRouter } from './requirement-router.ts'

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

/** The content of the site. */
export interface SiteContents {
  /** Sources, relative to the top of the repository, by import name. */
  readonly entryPoints: ReadonlyMap<string, string>
  /** Markdown files, in the order of the navigation. */
  readonly documents: readonly string[]
  /** The home page; optional. */
  readonly home?: string
  /** A tsconfig that lists the sources. */
  readonly tsconfig: string
}

/**
 * Reads the exports and the documents, and writes the site.
 * @param folder the output folder; `undefined` only checks the input
 * @returns the problems: an export without a comment, a broken link, and others that TypeDoc reports
 */
export async function renderSite(
  { entryPoints, documents, home, tsconfig }: SiteContents,
  folder: string | undefined,
): Promise<readonly string[]> {
  const app = await Application.bootstrap({
    name: 'authmachine',
    includeVersion: true,
    tsconfig: top + tsconfig,
    // `npm run typecheck` checks types.
    skipErrorChecking: true,
    entryPoints: [...entryPoints.values()].map((source) => top + source),
    projectDocuments: [...documents],
    readme: home ?? 'none',
    router: 'requirements',
    customCss: `${top}test/site/style.css`,
    customJs: `${top}test/site/diagrams.js`,
    highlightLanguages: ['ts', 'js', 'sh', 'sql', 'json', 'yaml', 'html', 'nginx', 'mermaid', 'ini'],
    groupOrder: ['Guides', 'Flows and requirements', 'Modules', 'Project'],
    navigation: { includeGroups: true },
    searchInComments: true,
    searchInDocuments: true,
    disableSources: true,
    hideGenerator: true,
    // Its page lacks the anchors of interfaces that extend a type of another module, and nothing else leads to it.
    includeHierarchySummary: false,
    excludePrivate: true,
    requiredToBeDocumented: documented,
    validation: { notDocumented: true, invalidLink: true, invalidPath: true, notExported: false },
    logLevel: 'None',
  })
  const complaints: string[] = []
  const log = app.logger.log.bind(app.logger)
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) complaints.push(message)
    log(message, level)
  }
  app.renderer.defineRouter('requirements', RequirementRouter)
  // Modules are named after their import, not after their path.
  const names = new Map(
    [...entryPoints].map(([name, source]) => [source.replace(/(\/index)?\.ts$/, ''), name]),
  )
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name
  })
  app.renderer.on(PageEvent.END, (page) => (page.contents = page.contents && completeMarkup(page.contents)))
  const project = await app.convert()
  if (!project) return ['TypeDoc could not read the sources', ...complaints]
  app.validate(project)
  if (folder !== undefined) await app.generateDocs(project, folder)
  return complaints
}

/**
 * Adds what TypeDoc's markup lacks: a main landmark, and diagrams that open separately, with their tooltips and links.
 */
function completeMarkup(html: string): string {
  return html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replaceAll(/<img src="([^"]+\.svg)"[^>]*>/g, (drawing, url: string) => `<a href="${url}">${drawing}</a>`)
}
