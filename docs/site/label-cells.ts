import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'

/** Gives the cells of the landing page's table the heading of their column, for phones, which stack the cells. */
export function labelCells(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('label-cells', ({ tokens, env }) => {
    if ((env as MarkdownEnv).frontmatter?.['layout'] !== 'landing') return
    let headings: string[] = []
    let column = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') headings = []
      if (token.type === 'tr_open') column = 0
      if (token.type === 'th_open') headings.push(tokens[index + 1]?.content ?? '')
      if (token.type === 'td_open') token.attrSet('data-label', headings[column++] ?? '')
    }
  })
}
