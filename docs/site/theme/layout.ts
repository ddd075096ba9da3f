import { useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h } from 'vue'

/** The layout of each page. */
export const Layout = defineComponent({
  name: 'SiteLayout',
  setup() {
    const { page } = useData()
    const markdownLink = () =>
      h('nav', { class: 'markdown-link', 'aria-label': 'Other formats' }, [
        h('a', { href: withBase(`/${page.value.relativePath}`), type: 'text/markdown', target: '_self' }, [
          'This page as Markdown',
        ]),
      ])
    return () => h(DefaultTheme.Layout, null, { 'doc-after': markdownLink })
  },
})
