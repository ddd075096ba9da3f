import { readFile } from 'node:fs/promises'
import { base } from './folder.ts'
import type { Navigation, SidebarItem } from './navigation.ts'

/** Writes `llms.txt` (llmstxt.org): the Markdown of each page with its title, by section of the navigation. */
export async function writeLlmsList(stage: URL): Promise<string> {
  const { documents, reference } = JSON.parse(
    await readFile(new URL('navigation.json', stage), 'utf8'),
  ) as Navigation
  return [
    '# authmachine',
    '',
    '> An authentication library for web applications in TypeScript: OAuth, OpenID Connect, e-mail links and codes,',
    '> passwords and passkeys. It is wire-compatible with Auth.js. Every flow is a state machine.',
    '',
    ...[...documents, ...reference].flatMap(({ text, link, items = [] }) => [
      `## ${text}`,
      '',
      ...(link === undefined ? [] : [writeLine({ text, link })]),
      ...items.flatMap((item) => [item, ...(item.items ?? [])]).map(writeLine),
      '',
    ]),
  ].join('\n')
}

function writeLine({ text, link = '/' }: SidebarItem): string {
  return `- [${text}](${base}${link
    .slice(1)
    .replace(/\.html$/, '.md')
    .replace(/(^|\/)$/, '$1index.md')})`
}
