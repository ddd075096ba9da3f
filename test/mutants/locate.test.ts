import { describe, expect, it } from 'vitest'
import { applyEdit } from './edit.ts'
import { findNamed, listNamed, locate } from './locate.ts'

const source = `import { other } from './other.ts'

const limit = 10
export const { a, b } = other

export function open(text: string): string
export function open(text: string, size?: number): string {
  return text.slice(0, size ??
    limit)
}

export function createStore() {
  const read = (key: string) => rows.get(key) ?? null
  return {
    read,
    write(key: string) {
      return rows.set(key, limit)
    },
    remove: async (key: string) => rows.delete(key),
  }
}

class Cache {
  constructor() {
    this.size = 0
  }
  get full() {
    return this.size > limit
  }
  read(key: string) {
    return rows.get(key) ?? null
  }
}
`

const at = (name: string | undefined, find: string) =>
  locate(source, { file: 'a.ts', ...(name !== undefined && { in: name }), find, replace: 'X' })

/** The line that an edit changes, after the edit. */
function lineOf(name: string | undefined, find: string): string | undefined {
  const edit = at(name, find)
  if ('stale' in edit) return edit.stale
  return applyEdit(source, edit)
    .slice(edit.start - 20)
    .split('\n')
    .find((line) => line.includes('X'))
    ?.trim()
}

describe('a function is found', () => {
  it.each([
    ['by its declaration, after its overloads', 'open', 'text.slice', 'return X(0, size ??'],
    ['by the constant that it is assigned to', 'createStore.read', '?? null', 'X'],
    ['by the method', 'write', 'limit', 'X)'],
    ['by the property that it is assigned to', 'remove', 'delete', 'X(key),'],
    ['by the accessor', 'full', 'limit', 'X'],
    ['by its class', 'Cache.read', 'null', 'X'],
    ['as the constructor', 'constructor', '= 0', 'X'],
    ['as a constant of the module', 'limit', '10', 'X'],
  ])('%s', (_, name, find, expected) => {
    expect(lineOf(name, find)?.endsWith(expected)).toBe(true)
  })

  it('but not by a call', () => {
    expect(findNamed(listNamed(source), 'slice')).toEqual([])
  })
})

describe('a fragment', () => {
  it('matches across a wrapped line', () => {
    expect(at('open', 'size ?? limit')).toMatchObject({ was: 'size ??\n    limit' })
  })

  it('is replaced literally, including replacement patterns such as $&', () => {
    const edit = { start: 2, was: 'b', replace: "$&$'" }
    expect(applyEdit('a b c', edit)).toBe("a $&$' c")
  })

  it('is searched in the whole file if no function is named', () => {
    expect(at(undefined, "'./other.ts'")).toMatchObject({ was: "'./other.ts'" })
  })
})

describe('a mutant is stale', () => {
  it.each([
    ['its function is missing', 'close', 'limit', 'expected one function "close" in a.ts, got 0'],
    ["its function's name is ambiguous", 'read', 'null', 'expected one function "read" in a.ts, got 2'],
    ['its fragment is missing', 'open', 'max', 'expected "max" once in open of a.ts, got it 0 times'],
    [
      'its fragment occurs twice',
      undefined,
      '?? null',
      'expected "?? null" once in all of a.ts, got it 2 times',
    ],
  ])('if %s', (_, name, find, why) => {
    expect(at(name, find)).toEqual({ stale: why })
  })

  it('if the source has changed since its text was found', () => {
    expect(() => applyEdit('abc', { start: 1, was: 'c', replace: '' })).toThrow('the source has changed')
  })
})
