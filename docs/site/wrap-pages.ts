import type { MarkdownRenderer } from 'vitepress'

/**
 * Keeps Vue from compiling the content of pages: braces and angle brackets in it are text. Only the landing page, whose
 * front matter says so, contains components.
 */
export function wrapPages(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('wrap-pages', (state) => {
    const { frontmatter } = state.env as { readonly frontmatter?: { readonly layout?: string } }
    if (state.inlineMode || frontmatter?.layout === 'landing') return
    const [before, after] = [new state.Token('html_block', '', 0), new state.Token('html_block', '', 0)]
    before.content = '<div v-pre>\n'
    after.content = '</div>\n'
    state.tokens = [before, ...state.tokens, after]
  })
}
