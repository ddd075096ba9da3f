/** A part of the sidebar. Pages are paths of staged Markdown files; a folder ends with a slash and lists its index. */
export interface Section {
  readonly title: string
  readonly pages: readonly string[]
}

/** The navigation: first for developers who embed the library, then for those who study it, then for maintainers. */
export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: ['documentation.md', 'guides/embed.md', 'guides/integrations.md', 'guides/migrate.md'],
  },
  {
    title: 'Quickstarts',
    pages: ['next', 'sveltekit', 'solid-start', 'qwik', 'express', 'hono'].map((name) => `guides/${name}.md`),
  },
  {
    title: 'Sign-in',
    pages: [
      'guides/providers.md',
      'guides/providers-catalogue.md',
      'guides/email.md',
      'guides/passwords.md',
      'guides/passkeys.md',
      'guides/second-factor.md',
    ],
  },
  {
    title: 'Sessions, pages and data',
    pages: ['sessions', 'roles', 'pages', 'events', 'features', 'adapters', 'prisma-drizzle', 'options'].map(
      (name) => `guides/${name}.md`,
    ),
  },
  {
    title: 'Operate',
    pages: [
      'guides/deploying.md',
      'guides/proxies.md',
      'guides/tenants.md',
      'guides/security.md',
      'guides/rate-limits.md',
      'guides/testing.md',
      'guides/devtools.md',
      'guides/opentelemetry.md',
      'guides/troubleshooting.md',
      'guides/faq.md',
      'guides/errors.md',
    ],
  },
  {
    title: 'Explore',
    pages: ['flows/', 'requirements/', 'guides/oracle.md', 'performance.md', 'architecture.md'],
  },
  {
    title: 'Maintain',
    pages: [
      'contributing.md',
      'security.md',
      'changelog.md',
      'decisions/',
      'mutation.md',
      'controls.md',
      'sequence-bugs.md',
      'openid-modules.md',
    ],
  },
]

/** An entry of VitePress's sidebar. */
export interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly SidebarItem[]
}

/** Everything that the configuration of VitePress reads from the stage. */
export interface Navigation {
  readonly documents: readonly SidebarItem[]
  readonly reference: readonly SidebarItem[]
}

/**
 * Builds the sidebars.
 *
 * @param titles the title of each staged page, by path
 * @throws Error if a section names a page that does not exist
 */
export function navigate(titles: ReadonlyMap<string, string>): Navigation {
  const titleOf = (path: string) => {
    const title = titles.get(path)
    if (title === undefined) throw new Error(`The navigation names ${path}, which does not exist`)
    return title
  }
  const pageItem = (path: string): SidebarItem => ({ text: titleOf(path), link: linkTo(path) })
  const folderItem = (folder: string): SidebarItem => ({
    ...pageItem(`${folder}index.md`),
    collapsed: true,
    items: [...titles.keys()]
      .filter((path) => path.startsWith(folder) && path !== `${folder}index.md`)
      .map(pageItem),
  })
  const listed = new Set(sections.flatMap(({ pages }) => pages))
  const unlisted = [...titles.keys()].filter((path) => path.startsWith('guides/') && !listed.has(path))
  const all = unlisted.length === 0 ? sections : [...sections, { title: 'More guides', pages: unlisted }]
  return {
    documents: all.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => (page.endsWith('/') ? folderItem(page) : pageItem(page))),
    })),
    reference: listModules([...titles.keys()].filter((path) => path.startsWith('api/'))),
  }
}

function listModules(paths: readonly string[]): readonly SidebarItem[] {
  const moduleItem = (path: string): SidebarItem => ({
    text: path.slice('api/'.length, -'.md'.length),
    link: linkTo(path),
  })
  const modules = paths.filter((path) => path !== 'api/index.md').toSorted()
  const isProvider = (path: string) => path.startsWith('api/authmachine/providers/')
  return [
    {
      text: 'API reference',
      link: '/api/',
      items: modules.filter((path) => !isProvider(path)).map(moduleItem),
    },
    {
      text: 'Providers',
      link: '/api/authmachine/providers.html',
      collapsed: true,
      items: modules.filter(isProvider).map(moduleItem),
    },
  ]
}

function linkTo(path: string): string {
  return `/${path.replace(/index\.md$/, '').replace(/\.md$/, '.html')}`
}
