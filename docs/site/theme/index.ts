import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { enlargeDiagrams } from './diagrams.ts'
import { Landing } from './landing.ts'
import { Layout } from './layout.ts'
import './style.css'
import './landing.css'

/** VitePress's own theme, with diagrams, links to the Markdown of pages, and the landing page. */
export const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('landing', Landing)
    if (typeof document !== 'undefined') enlargeDiagrams(document)
  },
}
