import { posix } from 'node:path'
import { anchorOf } from '../../docs/site/slugs.ts'

/**
 * All links of Markdown files that lead to a missing file or to a missing anchor, as `file: target`. Links to other
 * hosts are not checked.
 *
 * @param files the text of each Markdown file, by path
 * @param exists whether the repository has another file or folder of this path
 */
export function findBrokenMarkdownLinks(
  files: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): readonly string[] {
  const anchors = new Map([...files].map(([path, text]) => [path, anchorsOf(text)]))
  return [...files].flatMap(([path, text]) =>
    linksOf(text)
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const to = file === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(file))
        const found = anchors.get(to)
        return anchor !== undefined && found ? !found.has(anchor) : !found && !exists(to)
      })
      .map((target) => `${path}: ${target}`),
  )
}

function linksOf(text: string): readonly string[] {
  const prose = withoutCode(text)
  const targets = [
    ...prose.matchAll(/\]\(([^()\s]+)\)/g),
    ...prose.matchAll(/^\[[^\]]+\]: (\S+)/gm),
    ...prose.matchAll(/\b(?:href|src)="([^"]+)"/g),
  ]
  return targets.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target))
}

/** The ids of headings, as GitHub numbers equal ones, and those of elements. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const headings = [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
  const elements = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
  return new Set([...headings, ...elements])
}

function withoutFences(text: string): string {
  return text.replaceAll(/^( *)(`{3,})[^]*?^\1\2 *$/gm, '')
}

function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/(`+)[^`][^]*?\1/g, '')
}
