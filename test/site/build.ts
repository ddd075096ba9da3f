/**
 * `npm run docs`: builds the site, and fails if an export has no comment, if TypeDoc reports a problem, or if a link is
 * broken. The site needs no server and no other host. `-- --serve` shows it; `PORT` sets another port than 4000.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildExplorer } from './build-explorer.ts'
import { findEntryPoints } from './entry-points.ts'
import { findBrokenLinks, isMarkup } from './find-broken-links.ts'
import { siteFolder } from './folder.ts'
import { renderSite } from './render.ts'
import { urlOf } from './requirement-router.ts'
import { serveSite } from './serve-site.ts'
import { stagePages } from './stage-pages.ts'

const startedAt = performance.now()
const stage = new URL('../../.cache/docs-stage/', import.meta.url)
const documents = await stagePages(stage)
const complaints = await renderSite(
  {
    entryPoints: findEntryPoints(),
    documents,
    home: fileURLToPath(new URL('README.md', stage)),
    tsconfig: 'tsconfig.json',
  },
  fileURLToPath(siteFolder),
)
if (complaints.length === 0) {
  await relinkDrawings()
  await buildExplorer(new URL('explorer/', siteFolder))
}
const files = await readSite()
const broken = [...complaints, ...(complaints.length === 0 ? findBrokenLinks(files) : [])]
for (const line of broken) console.error(line)
const pages = [...files.keys()].filter((path) => path.endsWith('.html')).length
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`${fileURLToPath(siteFolder)}: ${pages} pages, ${broken.length} broken links, in ${seconds} s`)
if (broken.length > 0) process.exitCode = 1
else if (process.argv.includes('--serve')) {
  const { origin } = await serveSite(Number(process.env['PORT'] ?? 4000))
  console.log(`The documentation is at ${origin}`)
}

/** Copies the diagrams of docs/flows, and links each to the page of its flow. */
async function relinkDrawings(): Promise<void> {
  const media = new URL('media/', siteFolder)
  for (const file of await readdir(media)) {
    if (!file.endsWith('.svg')) continue
    const drawing = await readFile(new URL(file, media), 'utf8')
    const linked = drawing.replaceAll(/[\w-]+\.md#([\w-]+)/g, (_, id: string) => `../${urlOf(id)}`)
    await writeFile(new URL(file, media), linked)
  }
}

async function readSite(): Promise<ReadonlyMap<string, string>> {
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
