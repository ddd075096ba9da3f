import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme, UserConfig } from 'vitepress'
import { base, siteFolder, stageFolder } from './folder.ts'
import type { Navigation } from './navigation.ts'
import { anchorOf } from './slugs.ts'
import { escapeBraces } from './escape-braces.ts'
import { labelCells } from './label-cells.ts'
import { searchWords } from './search-words.ts'

const { documents, reference } = JSON.parse(
  readFileSync(new URL('navigation.json', stageFolder), 'utf8'),
) as Navigation

/** How sections are indexed. VitePress sends these functions to the browser as text, where it calls only `tokenize`. */
const indexing = {
  fields: ['title', 'titles', 'text', 'words'],
  // The id of a requirement is one word.
  tokenize: (text: string): string[] => text.match(/[A-Z]{2,4}-\d+[a-z]?|[\p{L}\p{N}]+/gu) ?? [],
  // Runs at the build only, where it fills the index.
  extractField: (section: Record<string, unknown>, field: string) =>
    field === 'words' ? searchWords[String(section['id']).slice(base.length)] : section[field],
}

/** The configuration of VitePress. The site loads nothing from other hosts. */
export const config: UserConfig<DefaultTheme.Config> = {
  title: 'authmachine',
  description: 'Sign-in, sign-out and sessions for web applications. Every flow is a state machine.',
  lang: 'en',
  base,
  srcDir: fileURLToPath(stageFolder),
  outDir: fileURLToPath(siteFolder),
  cacheDir: fileURLToPath(new URL('../vitepress/', siteFolder)),
  head: [['link', { rel: 'icon', href: `${base}logo.svg`, type: 'image/svg+xml' }]],
  // `find-broken-links.ts` also checks anchors and diagrams.
  ignoreDeadLinks: true,
  // The lists of pages are one file instead of a part of each page.
  metaChunk: true,
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Shiki has no grammar for Caddyfiles. That of nginx is similar.
    languageAlias: { caddyfile: 'nginx' },
    config(markdown) {
      escapeBraces(markdown)
      labelCells(markdown)
    },
  },
  // Diagrams are files beside the pages.
  vue: { template: { transformAssetUrls: { tags: {} } } },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guides', link: '/documentation.html', activeMatch: '^/(documentation|guides/)' },
      { text: 'Flows', link: '/flows/', activeMatch: '^/flows/' },
      // The explorer is not a page of VitePress; with a target, its router does not take the link.
      { text: 'Explorer', link: '/explorer/index.html', target: '_self' },
      { text: 'Requirements', link: '/requirements/', activeMatch: '^/requirements/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
    ],
    sidebar: {
      '/api/': [...reference] as DefaultTheme.SidebarItem[],
      '/': [...documents] as DefaultTheme.SidebarItem[],
    },
    outline: { level: [2, 3], label: 'On this page' },
    externalLinkIcon: true,
    docFooter: { prev: false, next: false },
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        miniSearch: {
          // VitePress sends these functions to the browser as text, so they use nothing from outside.
          options: indexing,
          searchOptions: {
            combineWith: 'AND',
            prefix: true,
            fuzzy: (word) => (/[\d-]/.test(word) || word.length < 5 ? false : 0.2),
            boost: { title: 4, words: 8, titles: 2, text: 1 },
            boostDocument: (id: string) =>
              /\/guides\/|\/documentation/.test(id) ? 6 : /\/(api|decisions|changelog)/.test(id) ? 0.5 : 1,
          },
        },
      },
    },
  },
}
