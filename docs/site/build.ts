import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { buildExplorer } from './build-explorer.ts'
import { findEntryPoints } from './entry-points.ts'
import { findBrokenLinks, isMarkup, type SiteFiles } from './find-broken-links.ts'
import { base, siteFolder, stageFolder } from './folder.ts'
import { writeLlmsList } from './llms.ts'
import { readNavigation, stageDocuments } from './stage-pages.ts'
import { writeReference } from './reference.ts'

/** The result of a build. */
export interface BuiltSite {
  readonly pages: number
  /** Exports without a comment, and broken links. */
  readonly problems: readonly string[]
}

/**
 * Builds the site in `.cache/docs/`: the documents of the repository, the reference, and the landing page. It needs no
 * server and no other host.
 *
 * @param records further pages, by path
 */
export async function buildSite(records: ReadonlyMap<string, string>): Promise<BuiltSite> {
  await stageDocuments(stageFolder, records)
  const reference = new URL('api/', stageFolder)
  const problems = await writeReference(
    { entryPoints: findEntryPoints(), tsconfig: 'tsconfig.json' },
    fileURLToPath(reference),
  )
  if (problems.length > 0) return { pages: 0, problems }
  await tidyReference(reference)
  await writeFile(new URL('navigation.json', stageFolder), JSON.stringify(await readNavigation(stageFolder)))
  await rm(siteFolder, { recursive: true, force: true })
  await build(fileURLToPath(new URL('.', import.meta.url)))
  await copyMarkdown()
  await buildExplorer(new URL('explorer/', siteFolder), {
    back: { href: '../documentation.html', text: 'Documentation' },
  })
  const files = await readSite()
  const pages = [...files.keys()].filter((path) => path.endsWith('.html')).length
  return { pages, problems: findBrokenLinks(files, base) }
}

/**
 * TypeDoc puts an anchor before a heading; VitePress lets a heading have it as its id. The union of all requirement ids
 * has a name, which says more.
 */
async function tidyReference(folder: URL): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith('.md')) continue
    const file = new URL(path, folder)
    const text = await readFile(file, 'utf8')
    const tidy = text
      .replaceAll(/<a id="([^"]+)"><\/a>\n\n(#+ .+)$/gm, '$2 {#$1}')
      .replaceAll(/\(?(?:\s*(?:\\\|)?\s*`"[A-Z]{2,4}-\w+"`){30,}\)?/g, ' `RequirementId`')
    await writeFile(file, tidy)
  }
}

/** The Markdown of each page is beside it. */
async function copyMarkdown(): Promise<void> {
  const paths = (await readdir(stageFolder, { recursive: true })).filter((path) => path.endsWith('.md'))
  for (const path of paths) {
    const target = new URL(path, siteFolder)
    await mkdir(dirname(fileURLToPath(target)), { recursive: true })
    await cp(new URL(path, stageFolder), target)
  }
  await writeFile(new URL('llms.txt', siteFolder), await writeLlmsList(stageFolder))
}

async function readSite(): Promise<SiteFiles> {
  const all = await readdir(siteFolder, { recursive: true, withFileTypes: true })
  const paths = all
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      `${parentPath}/${name}`.slice(fileURLToPath(siteFolder).length).replace(/^\//, ''),
    )
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, string]> => {
        const isRead = isMarkup(path) || path.endsWith('.css')
        return [path, isRead ? await readFile(new URL(path, siteFolder), 'utf8') : '']
      }),
    ),
  )
}
