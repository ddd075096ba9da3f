import { base } from './folder.ts'
import { searchWords } from './search-words.ts'

/** How MiniSearch indexes sections. VitePress also sends these functions to the browser, as text. */
export const indexing = {
  fields: ['title', 'titles', 'text', 'words'],
  // The id of a requirement is one word.
  tokenize: (text: string): string[] => text.match(/[A-Z]{2,4}-\d+[a-z]?|[\p{L}\p{N}]+/gu) ?? [],
  // Only the build calls it, so it may use this module.
  extractField: (section: Record<string, unknown>, field: string) =>
    field === 'words' ? searchWords[String(section['id']).slice(base.length)] : section[field],
}

/** How a search ranks sections. In the browser, these functions can use nothing from outside. */
export const ranking = {
  combineWith: 'AND',
  prefix: true,
  fuzzy: (word: string) => (/[\d-]/.test(word) || word.length < 5 ? false : 0.2),
  boost: { title: 4, words: 8, titles: 2, text: 1 },
  boostDocument: (id: string) =>
    /\/guides\/|\/documentation/.test(id) ? 6 : /\/(api|decisions|changelog)/.test(id) ? 0.5 : 1,
} as const

/** The search of the site, which runs in the browser. */
export const search = {
  provider: 'local',
  options: { detailedView: false, miniSearch: { options: indexing, searchOptions: ranking } },
} as const
