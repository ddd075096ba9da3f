import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findLastingObjects } from './support/find-lasting-objects.ts'
import { compareWithRecord, readListedObjects } from './support/read-lasting-record.ts'
import { readTexts } from './support/read-sources.ts'

const top = new URL('..', import.meta.url)
const record = 'docs/decisions/0053-nothing-changeable-outlives-a-request.md'
/** Code that only runs in a browser or on the command line, and therefore for one person. */
const elsewhere =
  /^src\/tools\/(cli|diagrams|explorer)\/|^src\/(tools\/devtools|webauthn)\/(page|embedded|make-passkey)-script\.ts$/

const find = (text: string) => findLastingObjects(new Map([['src/a.ts', text]])).map(({ name }) => name)

describe('objects that outlive a request', () => {
  it('CC-12 CC-07 are those that the decision record lists', () => {
    const texts = readTexts(top, ['src', 'machines'], /\.tsx?$/)
    const served = new Map([...texts].filter(([path]) => !elsewhere.test(path)))
    const listed = readListedObjects(readFileSync(new URL(record, top), 'utf8'))
    expect(compareWithRecord(findLastingObjects(served), listed)).toEqual([])
  })

  it.each([
    ['a Headers object', 'const shared = new Headers()'],
    ['a query', 'export const none = new URLSearchParams()'],
    ['a table that changes', 'const known = new Map<string, string>()'],
    ['a weak table', 'const known = new WeakMap<object, Headers>()'],
    ['a variable', 'let last: string | undefined'],
    ['an object in another', 'const cache = { last: new Map() }'],
    ['bytes', 'const scratch = Buffer.alloc(8)'],
    ['an object whose members change', 'const all = {}; function f(name, x) { all[name] = x }'],
    ['a list that grows', 'const all = []; const f = (x) => all.push(x)'],
    [
      'an expression that a method of another object gets',
      'const stray = /%/g; const f = (text) => text.replace(stray, "")',
    ],
    ['an expression with a position', 'const stray = /%/g; function f() { stray.lastIndex = 0 }'],
  ])('are found: %s of a module', (_, text) => {
    expect(find(text)).toHaveLength(1)
  })

  it.each([
    ['a variable', 'function f() { let last; return (next) => (last = next) }', ['f last']],
    ['a table', 'function f() { const all = new Map(); return { add: (x) => all.set(x, x) } }', ['f all']],
    ['a list', 'const f = () => { const all = []; return (x) => all.push(x) }', ['f all']],
    ['a member', 'function f() { const all = {}; return (x) => { all[x] = x } }', ['f all']],
    [
      'what another function keeps',
      'function f() { let last; return (next) => (last = next) }; const kept = f(); function g() { const own = f(); return () => own(1) }',
      ['kept', 'f last', 'g own'],
    ],
  ])('are found: %s that a returned function changes', (_, text, names) => {
    expect(find(text)).toEqual(names)
  })

  it.each([
    ['a constant table', 'const names: ReadonlyMap<string, string> = new Map([["a", "b"]])'],
    ['a variable of a function with the same name', 'const all = []; function f(all, x) { all.push(x) }'],
    ['an expression', 'const word = new RegExp("x")'],
    ['a function', 'const f = () => new Map()'],
    ['a local object', 'function f(x) { const all = new Map(); all.set(x, x); return all }'],
  ])('are not: %s', (_, text) => {
    expect(find(text)).toEqual([])
  })

  it('must be in the record, and the record contains no others', () => {
    const listed = readListedObjects('| `src/**` `load*` | x |\n| --- | --- |\n| `src/b.ts` `gone` | x |')
    const found = [
      { file: 'src/x/a.ts', name: 'loadPages' },
      { file: 'src/a.ts', name: 'last' },
    ]
    expect(compareWithRecord(found, listed)).toEqual([
      'src/a.ts keeps last: remove it, or add it to the record',
      'src/b.ts has no gone that outlives a request: remove it from the record',
    ])
  })
})
