/** The files of a site, by their path from its top; the text of those that are read for links. */
export type SiteFiles = ReadonlyMap<string, string>

/**
 * Every reference of a page or drawing that leads nowhere: to a file that is not there, to an anchor that its page
 * does not have, or to another host for something that is loaded (a script, a style sheet, a picture). Links that a
 * reader may follow to other hosts are no business of this.
 */
export function findBrokenLinks(files: SiteFiles): readonly string[] {
  const anchors = new Map([...files].map(([path, text]) => [path, anchorsOf(text)]))
  const broken: string[] = []
  for (const [path, text] of files) {
    for (const { target, isLoaded } of referencesOf(path, text)) {
      const url = new URL(target, `${ORIGIN}/${path}`)
      if (url.origin !== ORIGIN) {
        if (isLoaded && url.protocol !== 'data:') broken.push(`${path} loads ${target}`)
        continue
      }
      const file = decodeURIComponent(url.pathname).slice(1) || 'index.html'
      const anchor = decodeURIComponent(url.hash).slice(1)
      const found = anchors.get(file)
      if (!found || file.endsWith('.md')) broken.push(`${path} leads to ${target}, which is not there`)
      else if (anchor && !found.has(anchor))
        broken.push(`${path} leads to ${target}, which has no such anchor`)
    }
  }
  return broken
}

/** Any host will do that no page names. */
const ORIGIN = 'https://site.invalid'

interface Reference {
  readonly target: string
  /** Fetched with the page, and not when somebody follows it. */
  readonly isLoaded: boolean
}

function referencesOf(path: string, text: string): readonly Reference[] {
  if (path.endsWith('.css'))
    return [...text.matchAll(/url\(\s*['"]?([^'")]+)/g)].map(([, target = '']) => ({
      target,
      isLoaded: true,
    }))
  if (!isMarkup(path)) return []
  return [...text.matchAll(/<([a-z]+)\s[^>]*?\b(?:href|src)="([^"]*)"/g)].map(
    ([, tag = '', target = '']) => ({
      target: target.replaceAll('&amp;', '&'),
      isLoaded: tag !== 'a',
    }),
  )
}

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')))
}

/** Is this a file that can have links in its text, and anchors? */
export function isMarkup(path: string): boolean {
  return path.endsWith('.html') || path.endsWith('.svg')
}
