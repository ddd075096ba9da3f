/** The files of a site, by path, with the text of those that may contain links. */
export type SiteFiles = ReadonlyMap<string, string>

/**
 * All broken references of a page or diagram: to a missing file, to a missing anchor, or to another host for a loaded
 * resource (a script, a style sheet, an image). Links to other hosts are not checked.
 *
 * @param base the path at which the site is served
 */
export function findBrokenLinks(files: SiteFiles, base = '/'): readonly string[] {
  const anchors = new Map([...files].map(([path, text]) => [path, anchorsOf(text)]))
  const broken: string[] = []
  for (const [path, text] of files) {
    for (const { target, isLoaded, isMarkdown } of referencesOf(path, text)) {
      const url = new URL(target, `${ORIGIN}${base}${path}`)
      if (url.origin !== ORIGIN) {
        if (isLoaded && url.protocol !== 'data:') broken.push(`${path} loads ${target}`)
        continue
      }
      if (!url.pathname.startsWith(base)) {
        broken.push(`${path} links to ${target}, which is outside the site`)
        continue
      }
      const file = decodeURIComponent(url.pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html')
      const anchor = decodeURIComponent(url.hash).slice(1)
      const found = anchors.get(file)
      if (!found || file.endsWith('.md') !== isMarkdown)
        broken.push(`${path} links to ${target}, which does not exist`)
      else if (anchor && !found.has(anchor))
        broken.push(`${path} links to ${target}, which has no such anchor`)
    }
  }
  return broken
}

/** Any host that no page names. */
const ORIGIN = 'https://site.invalid'

interface Reference {
  readonly target: string
  /** Whether it is loaded with the page, instead of on a click. */
  readonly isLoaded: boolean
  /** Whether it leads to the Markdown of a page. Other links to Markdown were forgotten when it became a page. */
  readonly isMarkdown: boolean
}

function referencesOf(path: string, text: string): readonly Reference[] {
  if (path.endsWith('.css'))
    return [...text.matchAll(/url\(\s*['"]?([^'")]+)/g)].map(([, target = '']) => ({
      target,
      isLoaded: true,
      isMarkdown: false,
    }))
  if (!isMarkup(path)) return []
  return [...text.matchAll(/<([a-z]+)\s[^>]*?\b(?:href|src)="([^"]*)"[^>]*/g)].map(
    ([whole, tag = '', target = '']) => ({
      target: target.replaceAll('&amp;', '&'),
      isLoaded: tag !== 'a',
      isMarkdown: whole.includes('type="text/markdown"'),
    }),
  )
}

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')))
}

/** Whether the file can contain links and anchors. */
export function isMarkup(path: string): boolean {
  return path.endsWith('.html') || path.endsWith('.svg')
}
