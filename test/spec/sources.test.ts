import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findRequirement, requirements } from '../../spec/index.ts'
import { citationsOf, findSource, isPublished, readSources } from './citations.ts'

const top = new URL('../../', import.meta.url)
const markdown = await readFile(new URL('spec/sources.md', top), 'utf8')
const sources = readSources(markdown)

/** Whether a reader can look a citation up. */
function isFound(citation: string): boolean {
  const isFile = /^docs\/[\w./-]+\.md$/.test(citation) && existsSync(new URL(citation, top))
  const isRows = citation.split(', ').every((id) => findRequirement(id) !== undefined)
  return isPublished(citation) || isFile || isRows || findSource(citation, sources) !== undefined
}

describe('the source of every requirement', () => {
  it('is a public standard, a requirement, a file of this repository or a heading of spec/sources.md', () => {
    const unknown = requirements.flatMap(({ id, source }) =>
      citationsOf(source)
        .filter((citation) => !isFound(citation))
        .map((citation) => `${id}: ${citation}`),
    )
    expect(unknown).toEqual([])
  })

  it('never names the requirement itself', () => {
    const circular = requirements.filter(({ id, aliases = [], source }) =>
      citationsOf(source).some((citation) => [id, ...aliases].includes(citation)),
    )
    expect(circular.map(({ id }) => id)).toEqual([])
  })

  it.each([
    'seed: Callbacks, jwt',
    'decision 24',
    'Wire 99',
    'Interface: Callbacks, jwtt',
    'RFC9700',
    'docs/none.md',
  ])('is not found if it is %s', (citation) => {
    expect(isFound(citation)).toBe(false)
  })
})

describe('spec/sources.md', () => {
  const cited = requirements.flatMap(({ source }) => citationsOf(source))

  it('has no heading that no requirement cites', () => {
    const names = new Set(cited.map((citation) => citation.split(', ')[0]))
    expect([...sources.keys()].filter((name) => !names.has(name))).toEqual([])
  })

  it('links only to headings and files that exist', () => {
    const anchors = new Set([...sources.values()].map(({ anchor }) => `#${anchor}`))
    const links = [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(10)
    const isThere = (link: string) => anchors.has(link) || existsSync(new URL(link, new URL('spec/', top)))
    expect(links.filter((link) => !isThere(link))).toEqual([])
  })
})
