import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findBrokenMarkdownLinks } from './markdown-links.ts'

const top = new URL('../../', import.meta.url)

/** Documents that are read in the repository. The landing page has links of the site. */
function readDocuments(): ReadonlyMap<string, string> {
  const paths = globSync('{*.md,docs/**/*.md,spec/*.md}', {
    cwd: fileURLToPath(top),
    exclude: (path) => /node_modules|^docs\/(site|examples)/.test(path),
  })
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, top), 'utf8')]))
}

describe('the links between documents of the repository', () => {
  it('lead to files and anchors that exist', () => {
    const documents = readDocuments()
    expect(documents.size).toBeGreaterThan(80)
    expect(findBrokenMarkdownLinks(documents, (path) => existsSync(new URL(path, top)))).toEqual([])
  })

  it.each([
    ['a missing file', '[x](gone.md)', ['gone.md']],
    ['a missing anchor', '[x](b.md#gone)', ['b.md#gone']],
    ['a missing anchor of the same file', '[x](#gone)', ['#gone']],
    ['a definition', 'An [x].\n\n[x]: gone.md', ['gone.md']],
    ['an element', '<img src="gone.svg">', ['gone.svg']],
    [
      'nothing else',
      '[x](b.md#a-heading) [x](b.md#a-heading-1) [x](b.md#ID-1) [x](b.md#linked) [x](../src/) [x](https://a.test/b)',
      [],
    ],
    ['no code', '`[x](gone.md)`\n\n```md\n[x](gone.md)\n```', []],
  ])('are reported: %s', (_, text, broken) => {
    const other =
      '# A heading\n\n## A heading\n\n## [Linked](c.md)\n\n- <a id="ID-1"></a>ID-1\n\n```sh\n# gone\n```'
    const files = new Map([
      ['docs/a.md', text],
      ['docs/b.md', other],
      ['docs/c.md', ''],
    ])
    expect(findBrokenMarkdownLinks(files, (path) => path === 'src/')).toEqual(
      broken.map((target) => `docs/a.md: ${target}`),
    )
  })
})
