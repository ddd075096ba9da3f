import { describe, expect, it } from 'vitest'
import { findBrokenLinks } from '../../docs/site/find-broken-links.ts'

const other = ['guides/other.html', '<h2 id="here">Here</h2><a href="../index.html">home</a>'] as const

describe('the check of links', () => {
  it.each([
    ['<a href="guides/other.html#here">'],
    ['<a class="x" href="guides/other.html?q=1">'],
    ['<a href="#top"><p id="top">'],
    ['<a href="https://kysely.dev">'],
    ['<a href="read.md" type="text/markdown">'],
    ['<a href="mailto:a@example.com">'],
    ['<img alt="" src="data:image/png;base64,AA==">'],
  ])('accepts %s', (html) => {
    expect(findBrokenLinks(new Map([['index.html', html], ['read.md', ''], other]))).toEqual([])
  })

  it.each([
    ['<a href="guides/none.html">', 'which does not exist'],
    ['<a href="guides/other.html#gone">', 'has no such anchor'],
    ['<a href="#gone">', 'has no such anchor'],
    ['<img src="none.svg">', 'which does not exist'],
    ['<a href="read.md">', 'which does not exist'],
    ['<script src="https://cdn.example/a.js"></script>', 'loads https://cdn.example/a.js'],
    ['<link rel="stylesheet" href="//cdn.example/a.css">', 'loads //cdn.example/a.css'],
  ])('finds %s', (html, complaint) => {
    const files = new Map([['index.html', html], ['read.md', ''], other])
    expect(findBrokenLinks(files).join()).toContain(complaint)
  })

  it('knows the path at which the site is served', () => {
    const files = (href: string) => new Map([['index.html', `<a href="${href}">`], other])
    expect(findBrokenLinks(files('/docs/guides/other.html'), '/docs/')).toEqual([])
    expect(findBrokenLinks(files('/guides/other.html'), '/docs/').join()).toContain('outside the site')
  })

  it('reads diagrams and style sheets', () => {
    const files = new Map([
      ['media/a.svg', '<svg><a href="../none.html#x"></a></svg>'],
      ['assets/a.css', '@font-face { src: url("https://fonts.example/a.woff2") }'],
    ])
    expect(findBrokenLinks(files)).toHaveLength(2)
  })
})
