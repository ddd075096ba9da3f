import type { MarkdownRenderer } from 'vitepress'

/** Escapes double braces in text. Vue would evaluate them; VitePress protects only code. */
export function escapeBraces(markdown: MarkdownRenderer): void {
  const { text } = markdown.renderer.rules
  markdown.renderer.rules.text = (...args) =>
    (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;')
}
