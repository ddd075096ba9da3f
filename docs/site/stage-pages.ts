import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fillLanding } from './landing/fill-landing.ts'
import { type Navigation, navigate } from './navigation.ts'
import { placeOf, urlOf } from './requirement-places.ts'
import { slugOf } from './slugs.ts'

const top = new URL('../../', import.meta.url)

/** Documents at the top of the repository. */
const topDocuments = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

/**
 * Lays the documents of the repository out in a folder, as VitePress expects them: an `index.md` instead of each
 * README, links that lead to pages of the site, and diagrams in `public/`.
 *
 * @param records further pages, by path, with links like those of docs/
 */
export async function stageDocuments(stage: URL, records: ReadonlyMap<string, string>): Promise<void> {
  await rm(stage, { recursive: true, force: true })
  const pages = new Map(records)
  for (const path of await listDocuments())
    pages.set(path, await readFile(new URL(`docs/${path}`, top), 'utf8'))
  for (const path of topDocuments) pages.set(path, await readFile(new URL(path, top), 'utf8'))
  for (const [path, text] of pages)
    await writePage(stage, stagedPath(path), frontMatterOf(path) + relink(text))
  await stageDrawings(stage)
  await stageScreenshots(stage)
  for (const [path, text] of await fillLanding()) await writePage(stage, path, text)
  await cp(new URL('docs/site/public/', top), new URL('public/', stage), { recursive: true })
}

/** The navigation of everything that is staged, in the order of the indexes of folders. */
export async function readNavigation(stage: URL): Promise<Navigation> {
  const paths = (await readdir(stage, { recursive: true })).filter(
    (path) => path.endsWith('.md') && path !== 'index.md',
  )
  const texts = new Map(
    await Promise.all(
      paths.map(async (path) => [path, await readFile(new URL(path, stage), 'utf8')] as const),
    ),
  )
  const rank = (path: string) => {
    const [folder = ''] = path.split(/[^/]*$/)
    return texts.get(`${folder}index.md`)?.indexOf(`(${path.slice(folder.length)})`) ?? 0
  }
  const sorted = [...texts].toSorted(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
  return navigate(new Map(sorted.map(([path, text]) => [path, titleOf(text) ?? path])))
}

/** The first heading of a page, as plain text. */
export function titleOf(text: string): string | undefined {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll(/[`\\]|\s*\{#.*\}/g, '')
}

/** Markdown of docs/, without the programs and the site itself. */
async function listDocuments(): Promise<readonly string[]> {
  const paths = await readdir(new URL('docs/', top), { recursive: true })
  return paths.filter((path) => path.endsWith('.md') && !/^(examples|site)\//.test(path))
}

/** The overview in docs/README.md is not the home page: that is the landing page. */
function stagedPath(path: string): string {
  return path === 'README.md' ? 'documentation.md' : `${slugOf(path)}.md`
}

/** Diagrams need the width of the outline. */
function frontMatterOf(path: string): string {
  return path.startsWith('flows/') ? '---\naside: false\npageClass: wide\n---\n\n' : ''
}

/** Diagrams are shown as they are, and their ids lead to the pages of the requirements. */
async function stageDrawings(stage: URL): Promise<void> {
  const paths = await readdir(new URL('docs/', top), { recursive: true })
  for (const path of paths) {
    if (!path.endsWith('.svg') || /^(examples|site)\//.test(path)) continue
    const drawing = await readFile(new URL(`docs/${path}`, top), 'utf8')
    const linked = drawing.replaceAll(/[\w-]+\.md#([\w-]+)/g, (_, id: string) => `../${urlOf(id)}`)
    await writePage(stage, `public/${path}`, linked)
  }
}

/** The site's builder copies these files as they are, so the links of the guide stay. */
async function stageScreenshots(stage: URL): Promise<void> {
  await cp(new URL('docs/guides/pages/', top), new URL('public/guides/pages/', stage), { recursive: true })
}

async function writePage(stage: URL, path: string, text: string): Promise<void> {
  const file = new URL(path, stage)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, text)
}

/** Turns links between files of the repository into links between pages of the site. */
function relink(text: string): string {
  const link = (id: string, folder: string) => {
    const { file, anchor } = placeOf(id)
    return `${folder}requirements/${file}#${anchor}`
  }
  return text
    .replaceAll(/<a id="([A-Z]+-\w+)"><\/a>\1/g, '[$1](#$1)')
    .replaceAll(/\]\(#([A-Z]+-\w+)\)/g, (_, id: string) => `](${link(id, '../')})`)
    .replaceAll(/(?:\.\.\/)?spec\/requirements\.md#([A-Z]+-\w+)/g, (_, id: string) => link(id, ''))
    .replaceAll(/(\.\.\/)?spec\/(README|sources)\.md/g, 'requirements/$2.md')
    .replaceAll(/\]\((?:\.\/)?docs\//g, '](')
    .replaceAll(
      /\]\((?:\.\.\/)+(CONTRIBUTING|SECURITY|CHANGELOG)\.md/g,
      (_, name: string) => `](../${name}.md`,
    )
    .replaceAll(/(\]\((?:[\w./-]*\/)?)README\.md/g, '$1index.md')
    .replaceAll(
      /(\]\((?:\.\.\/)*)(CONTRIBUTING|SECURITY|CHANGELOG)\.md/g,
      (_, before: string, name: string) => `${before}${name.toLowerCase()}.md`,
    )
    .replaceAll(/\[(!\[[^\]]*\]\((\S+\.svg)\))\]\(\2\)/g, frameDrawing)
}

/** A diagram is scaled to the width of the page. It can be enlarged in place, and opened alone. */
function frameDrawing(_: string, image: string, file: string): string {
  const name = /^!\[([^\]]*)\]/.exec(image)?.[1] ?? ''
  return [
    '<figure class="diagram">',
    `<div class="diagram-bar"><button type="button" aria-pressed="false">Actual size</button><a href="${file}" target="_self">Open the diagram</a></div>`,
    `<div class="diagram-view"><img src="${file}" alt="${name}"></div>`,
    '</figure>',
  ].join('\n')
}
