import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listMutated, readScores } from '../mutants/scores.ts'
import { mutants } from '../mutants/written/index.ts'
import { collect } from '../trace/collect.ts'
import { readKills } from '../trace/kills.ts'
import { readSources } from '../spec/citations.ts'
import { standings } from '../trace/standing.ts'
import { writeMutationPage } from './mutation-page.ts'
import { placeOf, writeRequirementIndex, writeRequirementPages } from './requirement-pages.ts'
import { slugOf } from './requirement-router.ts'

const top = new URL('../../', import.meta.url)

/** The guides in the order for new readers. Others follow by name. */
const readingOrder = [
  'embed',
  'providers',
  'providers-catalogue',
  'sessions',
  'adapters',
  'email',
  'passkeys',
  'deploying',
  'security',
  'testing',
  'devtools',
]

/** Documents at the top of the repository. */
const topDocuments = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

/**
 * Lays the Markdown of the site out in a folder as it lies in docs/, with a page for each topic of
 * requirements, one of mutation scores, and front matter that says where each page stands in the navigation.
 * @returns the documents that stand in the navigation themselves, in its order; the others are their children
 */
export async function stagePages(stage: URL): Promise<readonly string[]> {
  await rm(stage, { recursive: true, force: true })
  await cp(new URL('docs/', top), stage, { recursive: true, filter: (path) => !path.includes('/examples') })
  for (const file of topDocuments) await cp(new URL(file, top), new URL(file, stage))
  await writeRequirements(stage)
  await writeFile(new URL('mutation.md', stage), writeMutationPage(await listMutated(), await readScores()))
  const guides = (await readdir(new URL('guides/', stage))).toSorted(byReadingOrder)
  const pages: readonly Page[] = [
    ...guides.map((file) => ({ path: `guides/${file}`, group: 'Guides' })),
    { ...(await gather(stage, 'flows/')), title: 'Flows', group: 'Flows and requirements' },
    {
      ...(await gather(stage, 'requirements/')),
      title: 'Requirements',
      group: 'Flows and requirements',
    },
    { path: 'architecture.md', group: 'Project' },
    { path: 'performance.md', group: 'Project' },
    { path: 'controls.md', group: 'Project' },
    { path: 'unseen-mutants.md', group: 'Project' },
    { path: 'mutation.md', group: 'Project' },
    { ...(await gather(stage, 'decisions/')), title: 'Decisions', group: 'Project' },
    ...topDocuments.map((path) => ({ path, group: 'Project' })),
  ]
  for (const page of pages) await addFrontMatter(stage, page)
  await removeHeading(new URL('README.md', stage))
  await relink(stage)
  return pages.map(({ path }) => fileURLToPath(new URL(path, stage)))
}

/** A document of the site. */
interface Page {
  readonly path: string
  /** @default the first heading */
  readonly title?: string
  readonly group?: string
  /** Paths relative to its folder. */
  readonly children?: readonly string[]
}

async function writeRequirements(stage: URL): Promise<void> {
  const rows = standings(await collect(top), mutants)
  const kills = await readKills(top)
  const folder = new URL('requirements/', stage)
  await mkdir(folder)
  await writeFile(new URL('README.md', folder), writeRequirementIndex(rows, kills))
  const sources = await readFile(new URL('spec/sources.md', top), 'utf8')
  await writeFile(new URL('sources.md', folder), sources.replaceAll('](../docs/', '](../'))
  for (const [file, text] of writeRequirementPages(rows, kills, readSources(sources)))
    await writeFile(new URL(file, folder), text)
}

/** A folder is its README, with the other files as children, in the order in which the README mentions them. */
async function gather(stage: URL, folder: string): Promise<Pick<Page, 'path' | 'children'>> {
  const path = `${folder}README.md`
  const text = await readFile(new URL(path, stage), 'utf8')
  const files = await readdir(new URL(folder, stage))
  const children = files
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .toSorted((one, other) => text.indexOf(`(${one})`) - text.indexOf(`(${other})`))
  for (const file of children) await addFrontMatter(stage, { path: folder + file })
  return { path, children }
}

/** Adds YAML front matter with the page's title and place. */
async function addFrontMatter(stage: URL, { path, title, group, children = [] }: Page): Promise<void> {
  const text = await readFile(new URL(path, stage), 'utf8')
  const heading = /^# (.+)\n/m.exec(text)
  const lines = [
    `title: ${JSON.stringify(title ?? heading?.[1] ?? path)}`,
    `slug: ${slugOf(path)}`,
    ...(group === undefined ? [] : [`group: ${JSON.stringify(group)}`]),
    ...(children.length === 0 ? [] : ['children:', ...children.map((child) => `  - ${child}`)]),
  ]
  await writeFile(new URL(path, stage), `---\n${lines.join('\n')}\n---\n${text}`)
}

/** TypeDoc shows the project's name above its home page. */
async function removeHeading(home: URL): Promise<void> {
  await writeFile(home, (await readFile(home, 'utf8')).replace(/^# .+\n/m, ''))
}

/** Links to requirements go to the page of their topic, and those to spec/ to the list of all; the top is where docs/ is. */
async function relink(stage: URL): Promise<void> {
  for (const file of await readdir(stage, { recursive: true })) {
    if (!file.endsWith('.md')) continue
    const text = await readFile(new URL(file, stage), 'utf8')
    const linked = text
      .replaceAll(/<a id="([A-Z]+-\w+)"><\/a>\1/g, '[$1](#$1)')
      .replaceAll(/\]\(#([A-Z]+-\w+)\)/g, (_, id: string) => {
        const { file: page, anchor } = placeOf(id)
        return `](../requirements/${page}#${anchor})`
      })
      .replaceAll(/(?:\.\.\/)?spec\/README\.md#([A-Z]+-\w+)/g, (_, id: string) => {
        const { file: page, anchor } = placeOf(id)
        return `requirements/${page}#${anchor}`
      })
      .replaceAll(/(\.\.\/)?spec\/(README|sources)\.md/g, 'requirements/$2.md')
      .replaceAll('](docs/', '](')
      .replaceAll('](../../SECURITY.md', '](../SECURITY.md')
      // TypeDoc drops links around images. The renderer restores them.
      .replaceAll(/\[(!\[[^\]]*\]\((\S+\.svg)\))\]\(\2\)/g, '$1')
    if (linked !== text) await writeFile(new URL(file, stage), linked)
  }
}

function byReadingOrder(one: string, other: string): number {
  const rank = (file: string) => readingOrder.indexOf(file.replace('.md', '')) + 1 || readingOrder.length + 1
  return rank(one) - rank(other) || one.localeCompare(other)
}
