import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme, UserConfig } from 'vitepress'
import { base, siteFolder, stageFolder } from './folder.ts'
import type { Navigation } from './navigation.ts'
import { anchorOf } from './slugs.ts'
import { escapeBraces } from './escape-braces.ts'
import { labelCells } from './label-cells.ts'
import { search } from './search.ts'

const { documents, reference } = JSON.parse(
  readFileSync(new URL('navigation.json', stageFolder), 'utf8'),
) as Navigation

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
    search,
  },
}
