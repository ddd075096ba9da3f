import { describe, expect, it } from 'vitest'
import { findFetchAssumptions, findTaughtAssumptions } from './support/find-fetch-assumptions.ts'
import { readTexts } from './support/read-sources.ts'

const find = (text: string) => findFetchAssumptions(new Map([['src/a.ts', text]]))

describe('the interface of the Fetch standard', () => {
  it('CC-12 is all that the library uses', () => {
    expect(
      findFetchAssumptions(readTexts(new URL('..', import.meta.url), ['src', 'machines'], /\.tsx?$/)),
    ).toEqual([])
  })

  it('CC-12 is all that documents and comments teach', () => {
    const kinds = /\.(tsx?|m?js|astro|vue|svelte|md)$/
    const documents = [...readTexts(new URL('..', import.meta.url), ['docs', 'src'], kinds)]
    // The builds of examples contain the code of their frameworks.
    const skipped =
      /^docs\/(decisions\/|examples\/[^/]+\/(\.\w|dist\/|build\/|tmp\/)|examples\/qwik\/server\/)/
    const taught = documents.filter(([path]) => !skipped.test(path))
    expect(taught.length).toBeGreaterThan(500)
    expect(findTaughtAssumptions(new Map(taught))).toEqual([])
  })

  it('is more than examples that test for a class teach', () => {
    const texts = new Map([['docs/a.md', '\n  if (found instanceof Response) return found']])
    expect(findTaughtAssumptions(texts)).toEqual([
      'docs/a.md:2 teaches instanceof Response: test for a member',
    ])
  })

  it.each([
    ['const f = (x) => x instanceof Response', 'tests for the class Response: test for its members'],
    [
      'const f = (x) => x instanceof globalThis.Request',
      'tests for the class globalThis.Request: test for its members',
    ],
    ['class Own extends Headers {}', 'extends Headers, which servers replace'],
    ["import { Response } from 'undici'", "imports 'undici': use the global"],
    ['const send = fetch', 'uses fetch when it is loaded: use it when it is needed'],
    [
      'const { Kept } = { Kept: globalThis.Response }',
      'uses Response when it is loaded: use it when it is needed',
    ],
    ['const empty = new Response()', 'uses Response when it is loaded: use it when it is needed'],
  ])('does not cover %s', (text, message) => {
    expect(find(text)).toEqual([`src/a.ts:1 ${message}`])
  })

  it.each([
    'const f = () => new Response(null, { headers: new Headers() })',
    'type Decide<T extends Request> = (request: T) => Response',
    'interface Own extends Request { readonly fetch: typeof fetch }',
    'const own = { fetch: (input: Request) => globalThis.fetch(input) }',
  ])('covers %s', (text) => {
    expect(find(text)).toEqual([])
  })
})
