import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as rules from './support/house-rules.ts'
import { readSources, readTexts, type Sources } from './support/read-sources.ts'

/** The rooms, from top to bottom. Arrows go down only. */
const rooms = [['test/'], ['docs/'], ['fuzz/'], ['src/'], ['machines/'], ['spec/']]

/** The floors inside `src`, from top to bottom. What stands on one line are peers. A new place in `src` is an entry here. */
const floors = [
  [
    'src/index.ts',
    'src/instrumented.ts',
    'src/jwt.ts',
    'src/integrations/',
    'src/devtools/',
    'src/cli/',
    'src/client.ts',
    'src/client/',
    'src/node*',
  ],
  ['src/create-auth.ts'],
  ['src/require-session.ts'],
  ['src/handler/'],
  ['src/routes/'],
  ['src/flows/'],
  ['src/steps/'],
  ['src/oauth/', 'src/email/', 'src/webauthn/', 'src/session/', 'src/linking/', 'src/pages/', 'src/drawing/'],
  ['src/http/', 'src/cookies/', 'src/token/'],
  // A configuration is checked with the table of its cookies, down to how they are written.
  [
    'src/config/',
    'src/cookies/cookie-table.ts',
    'src/cookies/serialize-cookie.ts',
    'src/cookies/cookie-change.ts',
  ],
  ['src/providers/', 'src/adapters/'],
  [
    'src/crypto/',
    'src/markup/',
    'src/parsing/',
    'src/types/',
    'src/as-error.ts',
    'src/time-of.ts',
    'src/without-undefined.ts',
    'src/clock.ts',
    'src/errors.ts',
    'src/loopback.ts',
    'src/types.ts',
    'src/adapters.ts',
    'src/symbols.ts',
    'src/version.ts',
  ],
]

/** Public faces, which the inside imports nowhere. */
const faces = [
  'src/index.ts',
  'src/instrumented.ts',
  'src/client.ts',
  'src/jwt.ts',
  'src/providers/index.ts',
  'src/devtools/index.ts',
  'machines/index.ts',
]

/** Where time, randomness, the network and the process come in. */
const doors = [
  'src/clock.ts',
  'src/config/environment.ts',
  'src/crypto/',
  'src/cli/',
  'src/adapters/kysely*',
  'src/node*',
  // These run in a browser.
  'src/client/',
  'src/webauthn/page-script.ts',
]

const published = ['src/', 'machines/', 'spec/']

/** What loads modules that a user names, where nobody can know their names before. */
const loaders = ['src/cli/import-module.ts']

/** The whole top level, beside dot files and what is not committed. */
const topLevel = [
  'package.json package-lock.json tsconfig.json',
  'spec src machines test fuzz docs',
  'README.md LICENSE CHANGELOG.md SECURITY.md CONTRIBUTING.md',
].flatMap((line) => line.split(' '))
const notCommitted = ['node_modules', 'dist', 'coverage', 'conformance-report']

const top = new URL('../', import.meta.url)

describe('the house', () => {
  const texts = readTexts(top, ['spec', 'machines', 'src', 'fuzz', 'test', 'docs'])
  const sources = readSources(new Map([...texts].filter(([path]) => !path.startsWith('fuzz/peers/'))))

  it('reads its own sources', () => {
    expect(sources.get('test/house.test.ts')?.imports).toContain('test/support/house-rules.ts')
  })

  it('has arrows between rooms that go down only', () => {
    expect(rules.findUpwardImports(sources, rooms)).toEqual([])
  })

  it('has arrows inside src that go down only', () => {
    expect(rules.findUpwardImports(sources, floors)).toEqual([])
  })

  it('gives every file of src a floor', () => {
    expect(rules.findHomelessFiles(sources, floors, 'src/')).toEqual([])
  })

  it('reaches the library from the oracle by package names alone', () => {
    expect(rules.findImportsByPath(sources, 'fuzz/', published)).toEqual([])
  })

  it('has no circles', () => {
    expect(rules.findCircles(sources)).toEqual([])
  })

  it('imports no public face from inside', () => {
    expect(rules.findImportsOfFaces(sources, faces, published)).toEqual([])
  })

  it('imports by plain names', () => {
    const named = new Map([...sources].filter(([path]) => !loaders.includes(path)))
    expect(rules.findOpaqueImports(named, published, 'authmachine')).toEqual([])
  })

  it('takes time, randomness, the network and the process from outside', () => {
    expect(published.flatMap((room) => rules.findPlatformUse(sources, room, doors))).toEqual([])
  })

  it('keeps its top level', () => {
    const found = readdirSync(top).filter((name) => !name.startsWith('.') && !notCommitted.includes(name))
    expect(found.filter((name) => !topLevel.includes(name))).toEqual([])
  })
})

describe('the rules of the house see', () => {
  it('an arrow up between rooms', () => {
    const sources = imports({ 'spec/a.ts': ['machines/b.ts'], 'machines/b.ts': ['src/c.ts', 'spec/d.ts'] })
    expect(rules.findUpwardImports(sources, rooms)).toEqual([
      'spec/a.ts imports machines/b.ts, which stands above it',
      'machines/b.ts imports src/c.ts, which stands above it',
    ])
  })

  it.each([
    ['src/http/a.ts', 'src/steps/b.ts'],
    ['src/errors.ts', 'src/config/b.ts'],
    ['src/providers/github.ts', 'src/types.ts', 'src/oauth/b.ts'],
    ['src/adapters/memory.ts', 'src/adapters.ts', 'src/handler/handle.ts'],
    ['src/handler/handle.ts', 'src/routes/routes.ts', 'src/index.ts'],
    ['src/routes/routes.ts', 'src/flows/run.ts', 'src/integrations/next.ts'],
  ])('an arrow up inside src: %s', (importer, ...imported) => {
    const up = imported.at(-1)
    expect(rules.findUpwardImports(imports({ [importer]: imported }), floors)).toEqual([
      `${importer} imports ${up}, which stands above it`,
    ])
  })

  it('level and downward arrows as good', () => {
    const sources = imports({ 'src/http/a.ts': ['src/cookies/b.ts', 'src/errors.ts', 'machines/session.ts'] })
    expect(rules.findUpwardImports(sources, floors)).toEqual([])
  })

  it('a file of src without a floor', () => {
    const sources = imports({ 'src/utils.ts': [], 'src/steps/a.ts': [] })
    expect(rules.findHomelessFiles(sources, floors, 'src/')).toEqual([
      'src/utils.ts stands on no floor: add it to the table',
    ])
  })

  it('a file of the library that the oracle imports by its path', () => {
    const sources = imports({
      'fuzz/a.ts': ['authmachine/instrumented', 'fuzz/b.ts', 'src/jwt.ts'],
      'test/c.ts': ['src/jwt.ts'],
    })
    expect(rules.findImportsByPath(sources, 'fuzz/', published)).toEqual([
      'fuzz/a.ts imports src/jwt.ts by its path: import the package authmachine, or export it from src/instrumented.ts',
    ])
  })

  it('a circle, however long', () => {
    const sources = imports({
      'src/a.ts': ['src/b.ts'],
      'src/b.ts': ['src/c.ts'],
      'src/c.ts': ['src/b.ts'],
      'src/d.ts': ['src/d.ts'],
    })
    expect(rules.findCircles(sources)).toEqual(['src/b.ts -> src/c.ts -> src/b.ts', 'src/d.ts -> src/d.ts'])
  })

  it('no circle where two ways lead to one file', () => {
    const sources = imports({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['d.ts'], 'c.ts': ['d.ts'], 'd.ts': [] })
    expect(rules.findCircles(sources)).toEqual([])
  })

  it('a public face imported from inside', () => {
    const sources = imports({
      'src/steps/a.ts': ['machines/index.ts', 'machines/session.ts'],
      'src/config/b.ts': ['src/providers/index.ts'],
      'test/c.test.ts': ['src/index.ts'],
    })
    expect(rules.findImportsOfFaces(sources, faces, published)).toEqual([
      'src/steps/a.ts imports machines/index.ts, a public face: import the file that defines the thing',
      'src/config/b.ts imports src/providers/index.ts, a public face: import the file that defines the thing',
    ])
  })

  it('an import by a computed name, or of its own package', () => {
    const sources = readSources(
      new Map([
        ['src/a.ts', `const name = 'x'; void import(name)`],
        ['src/b.ts', `import type { X } from 'authmachine/types'; export type Y = X`],
        ['docs/examples/c.ts', `import { Auth } from 'authmachine'; Auth()`],
      ]),
    )
    expect(rules.findOpaqueImports(sources, published, 'authmachine')).toEqual([
      'src/a.ts imports a module by a computed name',
      'src/b.ts imports authmachine/types, its own package: import the file',
    ])
  })

  it('the platform used outside the doors', () => {
    const text = `import { env } from 'node:process'; export const now = Date.now`
    const sources = readSources(
      new Map([
        ['src/steps/a.ts', text],
        ['src/clock.ts', text],
        ['src/crypto/b.ts', text],
        ['test/c.ts', text],
      ]),
    )
    expect(rules.findPlatformUse(sources, 'src/', doors)).toEqual([
      'src/steps/a.ts uses node:process: take it from Settings or World',
      'src/steps/a.ts uses Date.now: take it from Settings or World',
    ])
  })
})

describe('reading sources', () => {
  it.each([
    ['a plain import', `import { a } from './a.ts'`],
    ['a type import', `import type { A } from './a.ts'`],
    ['an import for its effect', `import './a.ts'`],
    ['a re-export', `export * from './a.ts'`],
    ['a named re-export', `export { a } from './a.ts'`],
    ['an import at run time', `export const a = () => import('./a.ts')`],
    ['an import inside a type', `export type A = import('./a.ts').A`],
    ['a type query', `export type A = typeof import('./a.ts')`],
  ])('finds %s', (_, text) => {
    expect(readOne('src/steps/x.ts', text).imports).toEqual(['src/steps/a.ts'])
  })

  it('resolves parents and keeps package names', () => {
    expect(readOne('src/steps/x.ts', `import '../http/a.ts'; import 'jose'`).imports).toEqual([
      'src/http/a.ts',
      'jose',
    ])
  })

  it('finds no import in a comment or a string', () => {
    expect(readOne('src/x.ts', `// import './a.ts'\nexport const s = "import('./a.ts')"`).imports).toEqual([])
  })

  it.each([
    ['Date.now', `export const f = () => Date.now()`],
    ['Date.now', `export const f = Date['now']`],
    ['Date.now', `const { now } = Date; export const f = now`],
    ['new Date()', `export const f = () => new Date()`],
    ['Math.random', `export const f = () => Math.random()`],
    ['crypto.randomUUID', `export const f = () => crypto.randomUUID()`],
    ['globalThis.fetch', `export const f = globalThis.fetch`],
    ['globalThis.process', `export const f = (globalThis as { process?: unknown }).process`],
    ['fetch', `export const f = (fetcher = fetch) => fetcher`],
    ['fetch', `export const f = { fetch }`],
    ['process', `export const f = typeof process`],
    ['process', `export const f = process.env.X`],
    ['Buffer', `export const f = Buffer.from('')`],
  ])('finds %s in %s', (name, text) => {
    expect(readOne('src/x.ts', text).globals).toEqual([name])
  })

  it.each([
    `export type F = typeof fetch`,
    `export interface World { fetch: typeof fetch; process: string }`,
    `export const f = (world: { fetch(): void }) => world.fetch()`,
    `export const f = ({ fetch }: { fetch(): void }) => fetch()`,
    `export const f = ({ fetch: get }: { fetch(): void }) => get()`,
    `export const f = (fetch: () => void) => ({ fetch })`,
    `import { fetch } from './x.ts'; export const f = fetch`,
    `export const f = { fetch: 1, process() {} }`,
    `export const f = (seconds: number) => new Date(seconds * 1000)`,
    `export const f = 'Date.now()' // process.env`,
  ])('finds no global in %s', (text) => {
    expect(readOne('src/x.ts', text).globals).toEqual([])
  })
})

function imports(map: Readonly<Record<string, readonly string[]>>): Sources {
  return new Map(Object.entries(map).map(([path, list]) => [path, { imports: list, globals: [] }]))
}

function readOne(path: string, text: string) {
  const facts = readSources(new Map([[path, text]])).get(path)
  if (!facts) throw new Error(`${path} was not read`)
  return facts
}
