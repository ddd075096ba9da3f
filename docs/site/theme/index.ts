import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { enlargeDiagrams } from './diagrams.ts'
import { Layout } from './layout.ts'
import './style.css'

/** VitePress's own theme, with diagrams, links to the Markdown of pages, and the landing page. */
export const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp() {
    if (!import.meta.env.SSR) enlargeDiagrams(document)
  },
}
