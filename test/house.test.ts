import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as rules from './support/house-rules.ts'
import { readSources, readTexts, type Sources } from './support/read-sources.ts'
import { cleanFolders, cleanPages, translated } from './support/wordlist.ts'

const top = new URL('../', import.meta.url)

/** The members of package.json that these tests read. */
interface Manifest {
  readonly exports: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>
}
const manifest = JSON.parse(readFileSync(new URL('package.json', top), 'utf8')) as Manifest

/** The top-level folders, from the highest layer to the lowest. Imports point down only. */
const folders = [['test/'], ['docs/'], ['.ci/'], ['fuzz/'], ['src/'], ['machines/'], ['spec/']]

/** The optional features of the library that are folders, how other files would name them, and which files may do so. */
const optionalFeatures = [
  {
    folder: 'src/features/account-page/',
    named: /accountPage|\/account-page[/.]/i,
    // The testing kit shows the page with the section of a feature.
    option: ['src/tools/feature-test/browse-routes.ts'],
  },
  { folder: 'src/features/email-change/', named: /email-?changes?/i, option: [] },
  { folder: 'src/features/backchannel-logout/', named: /back-?channel-?logouts?/i, option: [] },
  {
    folder: 'src/features/passwords/',
    named: /password-?(request|reset|change)|password-?pages?\b|features\/passwords|\/password\/\$\{/i,
    option: [
      // The guide of the provider names the routes.
      'src/password/provider.ts',
    ],
  },
  {
    folder: 'src/features/mail-codes/',
    named: /mail-?codes?(?![a-z])|mailsCodes|requested-?code|method\W+'code'|codeForm|codeSent|wrongCode/i,
    option: [
      // The mail says what the user is to do.
      'src/provider-base/message.ts',
      'src/providers/loops.ts',
    ],
  },
  {
    folder: 'src/features/passkeys/',
    named: /webauthn|WebAuthn[A-Z]|[a-z]Passkey|passkeys?[A-Z]|passkeys?-|-passkey/,
    option: [
      // The library has the type of provider, the errors and the types of Auth.js.
      'src/types/adapter.ts',
      'src/types/ecosystem.ts',
      'src/types/provider.ts',
      'src/types/records.ts',
      'src/types/simple-webauthn.ts',
      'src/providers/webauthn.ts',
      'src/providers/passkey.ts',
      'src/provider-base/built-in-providers.ts',
      'src/config/settings.ts',
      'src/config/resolve-provider.ts',
      'src/errors/classes.ts',
      'src/errors/explanations.ts',
      'src/instance/create-auth.ts',
      'src/tools/cli/doctor/judge-providers.ts',
      'spec/adapters.ts',
      'spec/linking.ts',
      'spec/providers.ts',
      'spec/routes.ts',
      // So are the client and the script. A server cannot start a ceremony.
      'src/client/create-auth-client.ts',
      'src/client/sign-in.ts',
      'src/integrations/next/act.ts',
      'src/flows/shared/show-script.ts',
      // The protocol, which the second factor uses, too.
      'src/webauthn/ceremony-options.ts',
      'src/webauthn/challenge.ts',
      'src/webauthn/credential.ts',
      'src/webauthn/failed-text.ts',
      'src/webauthn/make-passkey-script.ts',
      'src/webauthn/page-script.ts',
      'src/webauthn/passkey-script.d.ts',
      'src/webauthn/script-url.ts',
      'src/webauthn/verify.ts',
      // The second factor, and the steps that it shares with a sign-in.
      'src/flows/shared/prove-passkey.ts',
      'src/features/second-factor/challenge-cookie.ts',
      'src/features/second-factor/challenge.ts',
      'src/features/second-factor/flow.ts',
      'src/features/second-factor/form.ts',
      'src/features/second-factor/pages.ts',
      'src/features/second-factor/passkey.ts',
      'src/features/second-factor/texts.ts',
      'src/features/second-factor/types.ts',
      'machines/second-factor.ts',
      // The pieces of its charts.
      'machines/passkey-admission.ts',
      // Each has a row for the kind of provider.
      'src/handler/run-flow.ts',
      'src/flows/shared/hold-sign-in.ts',
      'src/session/authentication.ts',
      // The address of a user who has only passkeys is not proven, and the first proof of it ends them.
      'src/flows/shared/linking.ts',
      'src/policy/end-unproven.ts',
      'src/policy/table.ts',
      // The account page lists and removes passkeys as ways to sign in.
      'src/features/account-page/change.ts',
      'src/features/account-page/flow.ts',
      'src/features/account-page/page-data.ts',
      'src/features/account-page/pages.ts',
      'src/features/account-page/ways.ts',
      'machines/account-page.ts',
      // The advice for failures of ceremonies.
      'src/tools/devtools/advice.ts',
    ],
  },
  {
    folder: 'src/features/second-factor/',
    named:
      /second-?factors?|totp|recovery-?codes?|factor-?(enrolment|record|setup|page|flow|chart|challenge)|(read|write)Factor/i,
    option: [
      'src/second-factor.ts',
      // The account policy is one table for all changes.
      'src/policy/table.ts',
      // The flow of this page makes the changes.
      'src/features/account-page/change.ts',
      'src/features/account-page/flow.ts',
      // The advice for a user without one.
      'src/tools/devtools/advice.ts',
      // Requirements of other topics name it.
      'spec/account-page.ts',
      'spec/account-policy.ts',
      'spec/email-change.ts',
    ],
  },
]

/** The only files that name an optional feature besides those of its folder: its chart, its chapter, and the lists. */
const lists = [
  'machines/charts.ts',
  'spec/index.ts',
  'spec/requirements.md',
  'src/routes.ts',
  'src/features/options.ts',
  'src/features/all.ts',
  'src/features/flows.ts',
  'src/features/types.ts',
]

/**
 * The layers inside `src`, from the highest to the lowest. Paths on one line are peers. Every file of `src` is in one.
 */
const layers = [
  ['src/instrumented.ts', 'src/devtools.ts', 'src/extend-testing.ts'],
  // The tools use the library, which works without them.
  ['src/tools/devtools/', 'src/tools/cli/', 'src/tools/feature-test/'],
  ['src/tools/explorer/'],
  ['src/tools/diagrams/'],
  [
    'src/index.ts',
    'src/errors.ts',
    'src/jwt.ts',
    'src/integrations/',
    'src/client.ts',
    'src/client/',
    'src/edge.ts',
    'src/next.ts',
    'src/node.ts',
    'src/opentelemetry.ts',
    'src/opentelemetry/',
    'src/react.ts',
    'src/react/',
    'src/rate-limit.ts',
    'src/password.ts',
    'src/second-factor.ts',
    'src/extend.ts',
  ],
  ['src/rate-limit/', 'src/password/'],
  ['src/instance/'],
  ['src/handler/'],
  ['src/flows/all-flows.ts'],
  ['src/flows/flows.ts'],
  ['src/features/'],
  ['src/extend/'],
  ['src/flows/pages.ts'],
  [
    'src/flows/oauth/',
    'src/flows/email/',
    'src/flows/credentials/',
    'src/flows/session/',
    'src/flows/sign-out/',
    'src/flows/refresh/',
  ],
  // The policy judges and ends with steps that the flows share, and those sign users in by the policy.
  ['src/flows/shared/', 'src/policy/'],
  ['src/flows/engine/'],
  ['src/oauth/', 'src/webauthn/', 'src/session/', 'src/pages/'],
  ['src/http/', 'src/token/', 'src/cookies/'],
  // The check of a configuration uses the cookie table, and that the serialisation of cookies.
  [
    'src/config/',
    'src/cookies/cookie-table.ts',
    'src/cookies/cookie.ts',
    'src/text/email-address.ts',
    'src/features/options.ts',
    ...optionalFeatures.map(({ folder }) => `${folder}options.ts`),
  ],
  ['src/providers.ts', 'src/provider-base/built-in-providers.ts'],
  ['src/providers/', 'src/adapters/'],
  ['src/provider-base/'],
  [
    'src/crypto/',
    'src/types/',
    'src/features/types.ts',
    ...optionalFeatures.map(({ folder }) => `${folder}types.ts`),
    'src/async/',
    'src/copies/',
    'src/errors/',
    'src/platform/',
    'src/text/',
    'src/types.ts',
    'src/adapters.ts',
    'src/oauth-types.ts',
  ],
  ['src/routes.ts'],
]

/** The layers inside `fuzz`, in the same way. A world opens targets, and targets receive a world. */
const oracleLayers = [
  ['fuzz/index.ts', 'fuzz/cli/', 'fuzz/testing/'],
  ['fuzz/report/'],
  ['fuzz/explore/'],
  ['fuzz/run/'],
  ['fuzz/properties/index.ts', 'fuzz/properties/load-property.ts'],
  ['fuzz/properties/themes.ts'],
  ['fuzz/properties/'],
  ['fuzz/properties/support/'],
  ['fuzz/properties/property.ts', 'fuzz/model/', 'fuzz/charts/'],
  ['fuzz/world/', 'fuzz/targets/', 'fuzz/monitors/'],
  ['fuzz/adapter/', 'fuzz/arbitraries/', 'fuzz/advisories.ts', 'fuzz/severities.ts', 'fuzz/observations.ts'],
  ['fuzz/causes.ts'],
]

/**
 * Public entry points, which no other file of the library imports. The only other file at the root of `src` is the
 * table of routes.
 */
const entryPoints = Object.values(manifest.exports)
  .filter((path) => /^\.\/(src|machines)\/[\w-]+\.ts$/.test(path))
  .map((path) => path.slice('./'.length))

/** Modules that make text from files of the repository. The build replaces each with its text. */
const replacedByBuild = ['src/tools/explorer/make-embedded.ts', 'src/webauthn/make-passkey-script.ts']

/** The files that may use the clock, randomness, the network and the process. */
const platformAccess = [
  'src/platform/clock.ts',
  'src/config/environment.ts',
  'src/crypto/',
  'src/tools/cli/',
  'src/adapters/kysely*',
  'src/integrations/node/',
  'src/password/',
  // These run in a browser.
  'src/client/',
  'src/tools/devtools/page-script.ts',
  'src/webauthn/page-script.ts',
  'src/tools/explorer/page/',
  ...replacedByBuild,
]

const published = ['src/', 'machines/', 'spec/']

/** Code that runs on the command line, or whose failures to load nobody gets. */
const importers = ['src/tools/cli/', 'src/tools/diagrams/lay-out.ts']

/** The files that import modules by a name from the user. */
const loaders = ['src/tools/cli/import-module.ts']

/** Programs, which no module imports. */
const programs = ['src/tools/cli/main.ts', 'fuzz/cli/main.ts', 'fuzz/run/worker.ts', 'fuzz/explore/worker.ts']

/** The code that switches the type checker off, at most ten places; a comment at each says why. */
const unchecked = {
  // The types of the ecosystem have `any` here, and applications rely on it.
  'src/types/callbacks.ts': 1,
  'src/types/config.ts': 1,
  'src/types/session-callback.ts': 1,
  'src/types/provider.ts': 2,
  'src/types/records.ts': 2,
  'src/session/stored.ts': 1,
  'src/adapters/kysely-row.ts': 1,
  'fuzz/run/run-case.ts': 1,
}

/** The complete top level, except for dot files and files that are not committed. */
const topLevel = [
  'package.json package-lock.json tsconfig.json',
  'spec src machines test fuzz docs',
  'README.md LICENSE CHANGELOG.md SECURITY.md CONTRIBUTING.md',
].flatMap((line) => line.split(' '))
const notCommitted = ['node_modules', 'dist', 'coverage', 'conformance-report']

describe('the structure', () => {
  const texts = readTexts(top, ['spec', 'machines', 'src', 'fuzz', '.ci', 'test', 'docs'])
  const sources = readSources(new Map([...texts].filter(([path]) => !/^fuzz\/(peers|dist)\//.test(path))))

  const inCode = [...texts].filter(([path]) => published.some((folder) => path.startsWith(folder)))

  it('names an optional feature only in its folder, chart and chapter, and in the lists', () => {
    const naming = optionalFeatures.flatMap(({ folder, named, option }) => {
      const excepted = new Set([
        ...option,
        ...['machines', 'spec'].map((top) => `${top}/${folder.split('/').at(-2)}.ts`),
      ])
      return inCode
        .filter(([path, text]) => !path.startsWith(folder) && !excepted.has(path) && named.test(text))
        .map(([path]) => path)
    })
    expect(naming.filter((path) => !lists.includes(path))).toEqual([])
  })

  it('excepts only files that name an optional feature', () => {
    const needless = optionalFeatures.flatMap(({ named, option }) =>
      option.filter((each) => !inCode.some(([path, text]) => path === each && named.test(text))),
    )
    expect(needless).toEqual([])
  })

  it('reads its own sources', () => {
    expect(sources.get('test/house.test.ts')?.imports).toContain('test/support/house-rules.ts')
  })

  it('imports down only between the top-level folders', () => {
    expect(rules.findUpwardImports(sources, folders)).toEqual([])
  })

  it('imports down only inside src', () => {
    expect(rules.findUpwardImports(sources, layers)).toEqual([])
  })

  it('imports down only inside fuzz', () => {
    expect(rules.findUpwardImports(sources, oracleLayers)).toEqual([])
    expect(rules.findUnlayeredFiles(sources, oracleLayers, 'fuzz/')).toEqual([])
  })

  it('gives every file of src a layer', () => {
    expect(rules.findUnlayeredFiles(sources, layers, 'src/')).toEqual([])
  })

  it('imports the library from the oracle only by package name', () => {
    expect(rules.findImportsByPath(sources, 'fuzz/', published)).toEqual([])
  })

  it('has no import cycles', () => {
    expect(rules.findCycles(sources)).toEqual([])
  })

  it('resolves every import that starts with # to a file of src', () => {
    const targets = Object.values(manifest.imports).flatMap((each) => Object.values(each))
    expect(targets.filter((path) => !path.startsWith('./src/'))).toEqual([])
  })

  it('has only entry points and the table of routes at the root of src', () => {
    const atRoot = readdirSync(new URL('src/', top)).filter((name) => name.includes('.'))
    expect(atRoot.filter((name) => !entryPoints.includes(`src/${name}`))).toEqual(['routes.ts'])
  })

  it('imports no entry point from the inside', () => {
    expect(rules.findImportsOfEntryPoints(sources, entryPoints, published)).toEqual([])
  })

  it('names its imports literally', () => {
    const named = new Map([...sources].filter(([path]) => !loaders.includes(path)))
    expect(rules.findOpaqueImports(named, published, 'authmachine')).toEqual([])
  })

  it('CC-12 loads modules with functions that copy the error of one that fails', () => {
    expect(rules.findBareImports(sources, 'src/', importers)).toEqual([])
  })

  it('uses the platform only in the listed files', () => {
    expect(published.flatMap((folder) => rules.findPlatformUse(sources, folder, platformAccess))).toEqual([])
  })

  it('avoids promises only where sessions are read', () => {
    const avoiding = [...texts].filter(
      ([path, text]) => path.startsWith('src/flows/') && text.includes('async/maybe-promise.ts'),
    )
    expect(avoiding.map(([path]) => path).toSorted()).toEqual([
      'src/flows/engine/run.ts',
      'src/flows/engine/step.ts',
      'src/flows/flows.ts',
      'src/flows/pages.ts',
      'src/flows/session/present.ts',
      'src/flows/shared/check-csrf.ts',
      'src/flows/shared/rate-limit.ts',
      'src/flows/shared/recognition.ts',
      'src/flows/shared/seal-into-cookies.ts',
      'src/flows/shared/several-cookies.ts',
    ])
  })

  it('LM-14 normalises Unicode in two files, which limit the length of the text', () => {
    const normalising = [...texts].filter(
      ([path, text]) => path.startsWith('src/') && /\.normalize\(/.test(text),
    )
    expect(normalising.map(([path]) => path)).toEqual(['src/text/normalise.ts', 'src/text/typed-secret.ts'])
  })

  it('SU-09 encrypts and decrypts tokens in three files: of the session, of applications, and all others', () => {
    const encrypting = [...texts].filter(
      ([path, text]) => path.startsWith('src/') && /\bkey(s|ring|ring\(.+\))\.(seal|open)\(/i.test(text),
    )
    expect(encrypting.map(([path]) => path).toSorted()).toEqual([
      'src/session/session-token.ts',
      'src/token/jwt.ts',
      'src/token/sealed.ts',
    ])
  })

  it('has top-level awaits only in programs', () => {
    expect(
      rules.findTopLevelAwaits(sources, [...published, 'fuzz/'], [...programs, ...replacedByBuild]),
    ).toEqual([])
  })

  it('switches the type checker off in at most ten places', () => {
    expect(rules.findUnchecked(sources, [...published, 'fuzz/'], unchecked)).toEqual([])
    expect(Object.values(unchecked).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(10)
  })

  it('avoids phrases that read as translated', () => {
    const clean = new Map(
      [...texts].filter(
        ([path]) => cleanFolders.some((folder) => path.startsWith(folder)) && !path.startsWith('fuzz/dist/'),
      ),
    )
    expect(rules.findTranslatedPhrases(clean, translated)).toEqual([])
  })

  it('avoids such phrases on the pages of the documentation', () => {
    const pages = readTexts(top, cleanPages.folders, /\.md$/)
    for (const file of cleanPages.files) pages.set(file, readFileSync(new URL(file, top), 'utf8'))
    expect(rules.findTranslatedPhrases(pages, translated)).toEqual([])
  })

  it('lists every decision', () => {
    const records = readdirSync(new URL('docs/decisions/', top)).filter((name) => /^\d/.test(name))
    const list = readFileSync(new URL('docs/decisions/README.md', top), 'utf8')
    expect([...list.matchAll(/^\| \[\d+\]\((.+?)\)/gm)].map(([, name]) => name)).toEqual(records.toSorted())
  })

  it('has only the listed files and folders at the top level', () => {
    const isCommitted = (name: string) => !/^\.|\.tgz$/.test(name) && !notCommitted.includes(name)
    const found = readdirSync(top).filter(isCommitted)
    expect(found.filter((name) => !topLevel.includes(name))).toEqual([])
  })
})

describe('the rules detect', () => {
  it('an upward import between folders', () => {
    const sources = imports({ 'spec/a.ts': ['machines/b.ts'], 'machines/b.ts': ['src/c.ts', 'spec/d.ts'] })
    expect(rules.findUpwardImports(sources, folders)).toEqual([
      'spec/a.ts imports machines/b.ts, which is in a higher layer',
      'machines/b.ts imports src/c.ts, which is in a higher layer',
    ])
  })

  it.each([
    ['src/http/a.ts', 'src/flows/shared/b.ts'],
    ['src/errors/a.ts', 'src/config/b.ts'],
    ['src/providers/github.ts', 'src/types.ts', 'src/oauth/b.ts'],
    ['src/adapters/memory.ts', 'src/adapters.ts', 'src/handler/handle.ts'],
    ['src/handler/handle.ts', 'src/flows/flows.ts', 'src/index.ts'],
    ['src/flows/flows.ts', 'src/flows/engine/run.ts', 'src/integrations/next.ts'],
  ])('an upward import inside src: %s', (importer, ...imported) => {
    const up = imported.at(-1)
    expect(rules.findUpwardImports(imports({ [importer]: imported }), layers)).toEqual([
      `${importer} imports ${up}, which is in a higher layer`,
    ])
  })

  it('no violation in imports of a peer or of a lower layer', () => {
    const sources = imports({
      'src/http/a.ts': ['src/cookies/b.ts', 'src/errors/c.ts', 'machines/session.ts'],
    })
    expect(rules.findUpwardImports(sources, layers)).toEqual([])
  })

  it('a file of src without a layer', () => {
    const sources = imports({ 'src/utils.ts': [], 'src/http/a.ts': [] })
    expect(rules.findUnlayeredFiles(sources, layers, 'src/')).toEqual([
      'src/utils.ts is in no layer: add it to the table',
    ])
  })

  it('an import of a library file by path in the oracle', () => {
    const sources = imports({
      'fuzz/a.ts': ['authmachine/instrumented', 'fuzz/b.ts', 'src/jwt.ts'],
      'test/c.ts': ['src/jwt.ts'],
    })
    expect(rules.findImportsByPath(sources, 'fuzz/', published)).toEqual([
      'fuzz/a.ts imports src/jwt.ts by its path: import the package authmachine, or export it from src/instrumented.ts',
    ])
  })

  it('a cycle of any length', () => {
    const sources = imports({
      'src/a.ts': ['src/b.ts'],
      'src/b.ts': ['src/c.ts'],
      'src/c.ts': ['src/b.ts'],
      'src/d.ts': ['src/d.ts'],
    })
    expect(rules.findCycles(sources)).toEqual(['src/b.ts -> src/c.ts -> src/b.ts', 'src/d.ts -> src/d.ts'])
  })

  it('no cycle if two paths lead to one file', () => {
    const sources = imports({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['d.ts'], 'c.ts': ['d.ts'], 'd.ts': [] })
    expect(rules.findCycles(sources)).toEqual([])
  })

  it('an import of an entry point from the inside', () => {
    const sources = imports({
      'src/flows/shared/a.ts': ['machines/index.ts', 'machines/session.ts'],
      'src/config/b.ts': ['src/providers.ts'],
      'test/c.test.ts': ['src/index.ts'],
    })
    expect(rules.findImportsOfEntryPoints(sources, entryPoints, published)).toEqual([
      'src/flows/shared/a.ts imports machines/index.ts, an entry point: import the file that defines it',
      'src/config/b.ts imports src/providers.ts, an entry point: import the file that defines it',
    ])
  })

  it('an import by a computed name, or of the own package', () => {
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

  it('a module with a top-level await', () => {
    const text = `export const a = await f()`
    const sources = readSources(
      new Map(['src/a.ts', 'src/tools/cli/main.ts', 'test/b.ts'].map((path) => [path, text])),
    )
    expect(rules.findTopLevelAwaits(sources, ['src/'], programs)).toEqual([
      'src/a.ts awaits at its top level: await inside a function',
    ])
  })

  it('a module that is imported without a function that copies its error', () => {
    const sources = readSources(
      new Map([
        ['src/a.ts', `const f = async () => (await import('./c.ts')).d`],
        ['src/b.ts', `const load = onceLoaded(async () => (await import('./c.ts')).d)`],
        ['src/tools/cli/c.ts', `const f = () => import('./d.ts')`],
      ]),
    )
    expect(rules.findBareImports(sources, 'src/', importers)).toEqual([
      'src/a.ts imports ./c.ts without once or onceLoaded',
    ])
  })

  it('a phrase that reads as translated', () => {
    // In two parts, so that the rule does not find them in this file.
    const again = ['an', 'ew'].join('')
    const fixed = ['men', 'ded'].join('')
    const texts = new Map([
      ['fuzz/a.ts', `const a = 1\n/** Makes the page ${again}. */\nthrow new Error('Cannot be ${fixed}')`],
    ])
    expect(rules.findTranslatedPhrases(texts, translated)).toEqual([
      `fuzz/a.ts:2 says "${again}": write again, or a verb such as reload or regenerate`,
      `fuzz/a.ts:3 says "${fixed}": write fix`,
    ])
  })

  it('platform access outside the listed files', () => {
    const text = `import { env } from 'node:process'; export const now = Date.now`
    const sources = readSources(
      new Map([
        ['src/flows/shared/a.ts', text],
        ['src/platform/clock.ts', text],
        ['src/crypto/b.ts', text],
        ['test/c.ts', text],
      ]),
    )
    expect(rules.findPlatformUse(sources, 'src/', platformAccess)).toEqual([
      'src/flows/shared/a.ts uses node:process: take it from Settings or World',
      'src/flows/shared/a.ts uses Date.now: take it from Settings or World',
    ])
  })
})

describe('reading sources', () => {
  it.each([
    ['any', `export const a: any = 1`],
    ['b as unknown as C', `export const a = b as unknown as C`],
    ['b as never', `export const a = b as never`],
    ['b!', `export const a = b!`],
    ['@ts-expect-error', `// @ts-expect-error\nexport const a = 1`],
  ])('finds the unchecked code %s', (found, text) => {
    expect(readOne('src/x.ts', text).unchecked).toEqual([found])
    const sources = readSources(new Map([['src/x.ts', text]]))
    expect(rules.findUnchecked(sources, ['src/'], { 'src/x.ts': 1 })).toEqual([])
    expect(rules.findUnchecked(sources, ['src/'], {})).toEqual([
      `src/x.ts has ${found}: give it a type that the compiler can check`,
    ])
  })

  it.each([
    ['a declaration', `export const a = await f()`, true],
    ['a loop', `for await (const a of f()) g(a)`, true],
    ['a block', `if (a) { await f() }`, true],
    ['a function', `export async function g() { await f() }`, false],
    ['a method', `export const a = { async g() { await f() } }`, false],
  ])('finds a top-level await in %s', (_, text, awaits) => {
    expect(readOne('src/x.ts', text).awaits).toBe(awaits)
  })

  it.each([
    ['a plain import', `import { a } from './a.ts'`],
    ['a type import', `import type { A } from './a.ts'`],
    ['a side-effect import', `import './a.ts'`],
    ['a re-export', `export * from './a.ts'`],
    ['a named re-export', `export { a } from './a.ts'`],
    ['a dynamic import', `export const a = () => import('./a.ts')`],
    ['an import inside a type', `export type A = import('./a.ts').A`],
    ['a type query', `export type A = typeof import('./a.ts')`],
  ])('finds %s', (_, text) => {
    expect(readOne('src/flows/shared/x.ts', text).imports).toEqual(['src/flows/shared/a.ts'])
  })

  it('resolves relative paths and keeps package names', () => {
    expect(readOne('src/oauth/x.ts', `import '../http/a.ts'; import 'jose'`).imports).toEqual([
      'src/http/a.ts',
      'jose',
    ])
  })

  it('ignores imports in comments and strings', () => {
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
  return new Map(
    Object.entries(map).map(([path, list]) => [
      path,
      { imports: list, bareImports: [], globals: [], awaits: false, unchecked: [] },
    ]),
  )
}

function readOne(path: string, text: string) {
  const facts = readSources(new Map([[path, text]])).get(path)
  if (!facts) throw new Error(`${path} was not read`)
  return facts
}
