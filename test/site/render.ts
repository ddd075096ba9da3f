import { fileURLToPath } from 'node:url'
import { Application, Converter, LogLevel, PageEvent, type TypeDocOptions } from 'typedoc'
import { RequirementRouter } from './requirement-router.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))

/** What has to have a comment: all that can be imported. Members may speak for themselves. */
const documented: TypeDocOptions['requiredToBeDocumented'] = [
  'Namespace',
  'Enum',
  'Variable',
  'Function',
  'Class',
  'Interface',
  'TypeAlias',
]

/** What is to be read. */
export interface SiteContents {
  /** Sources from the top of the repository, by the name they are imported under. */
  readonly entryPoints: ReadonlyMap<string, string>
  /** Markdown files, in the order of the navigation. */
  readonly documents: readonly string[]
  /** The page the site opens with; none without it. */
  readonly home?: string
  /** Says which sources there are, from the top of the repository. */
  readonly tsconfig: string
}

/**
 * Reads the exports and the documents, and writes the site.
 * @param folder where it is written; `undefined` only looks whether it could be
 * @returns what is wrong: an export without a comment, a link to nothing, and whatever else TypeDoc complains of
 */
export async function renderSite(
  { entryPoints, documents, home, tsconfig }: SiteContents,
  folder: string | undefined,
): Promise<readonly string[]> {
  const app = await Application.bootstrap({
    name: 'authmachine',
    includeVersion: true,
    tsconfig: top + tsconfig,
    // `npm run typecheck` is for that.
    skipErrorChecking: true,
    entryPoints: [...entryPoints.values()].map((source) => top + source),
    projectDocuments: [...documents],
    readme: home ?? 'none',
    router: 'requirements',
    customCss: `${top}test/site/style.css`,
    customJs: `${top}test/site/drawings.js`,
    highlightLanguages: ['ts', 'js', 'sh', 'sql', 'json', 'yaml', 'html', 'nginx', 'mermaid', 'ini'],
    groupOrder: ['Guides', 'What runs, and what it promises', 'Modules', 'The project'],
    navigation: { includeGroups: true },
    searchInComments: true,
    searchInDocuments: true,
    disableSources: true,
    hideGenerator: true,
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
  // Modules are called as they are imported, and not by where they lie.
  const names = new Map(
    [...entryPoints].map(([name, source]) => [source.replace(/(\/index)?\.ts$/, ''), name]),
  )
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name
  })
  app.renderer.on(PageEvent.END, (page) => (page.contents = page.contents && mend(page.contents)))
  const project = await app.convert()
  if (!project) return ['TypeDoc could not read the sources', ...complaints]
  app.validate(project)
  if (folder !== undefined) await app.generateDocs(project, folder)
  return complaints
}

/** What TypeDoc's markup lacks: a main landmark, and drawings that open by themselves, with their tooltips and links. */
function mend(html: string): string {
  return html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replaceAll(/<img src="([^"]+\.svg)"[^>]*>/g, (drawing, url: string) => `<a href="${url}">${drawing}</a>`)
}
