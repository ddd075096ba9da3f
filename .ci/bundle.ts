import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type OutputChunk, type RolldownOptions, type RolldownPlugin } from 'rolldown'
import { minify } from 'rolldown/utils'
import { explorerData, explorerScript } from '../src/tools/explorer/make-embedded.ts'
import { passkeyScript } from '../src/webauthn/make-passkey-script.ts'
import { findTwiceBuilt } from './chunks.ts'
import { findEntries, top, type Manifest } from './entries.ts'

/** The command is an entry that nothing imports. */
const COMMAND = { cli: './src/tools/cli/main.ts' }

/** Entry points that are loaded without the handler: the browser client, lists of providers, separate stores. */
const apart = /^(client|errors|types|adapters|providers|password|rate-limit|react)\b/

/** Bundles the library into a folder, all entries in one build, so that no module is in two chunks. */
export async function bundle(manifest: Manifest, dir: string): Promise<void> {
  const input = { ...findEntries(manifest), ...COMMAND }
  const entries = Object.entries(input)
  const reach = (names: RegExp) =>
    reachFrom(entries.flatMap(([name, source]) => (names.test(name) ? [source] : [])))
  const [core, session, others] = await Promise.all([reach(/^index$/), reach(/^edge$/), reach(apart)])
  const build = await rolldown({ ...options, input })
  const { output } = await build.write({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Short names reach "$", which Qwik's compiler takes for its own marker.
    minifyInternalExports: false,
    // Maps without the sources would lead nowhere, and the files are readable.
    sourcemap: false,
    // The declarations have the documentation.
    comments: false,
    banner: ({ moduleIds }) =>
      bundled.map((name) => (moduleIds.some((id) => isOf(name, id)) ? readLicence(name) : '')).join(''),
    codeSplitting: {
      groups: [
        // Few modules to load for a session request: that is what a cold start waits for.
        { name: 'core', test: (id) => core.has(id), priority: 1 },
        // Bundlers of middleware keep whole chunks, with everything that these import later.
        { name: 'session', test: (id) => session.has(id), priority: 2 },
        { name: 'shared', test: (id) => core.has(id) && others.has(id), priority: 3 },
      ],
    },
  })
  const twice = findTwiceBuilt(output.filter((each): each is OutputChunk => each.type === 'chunk'))
  if (twice.length > 0) throw new Error(twice.join('\n'))
}

/**
 * The packages that are bundled for the cold start. Node would load XState as eight CommonJS files, which take a tenth of
 * it; XState stays a dependency for its types.
 */
const bundled = ['xstate']
const isOf = (name: string, id: string) => id.includes(`/node_modules/${name}/`)

/** Returns the licence as a legal comment, which bundlers of applications keep. */
function readLicence(name: string): string {
  return `/*! ${name}\n${readFileSync(join(top, 'node_modules', name, 'LICENSE'), 'utf8')}*/\n`
}

/** A module that the build generates, by the name in `imports` of package.json. Its exports are strings. */
function embed(name: string, exports: Readonly<Record<string, string>>): RolldownPlugin {
  const lines = Object.entries(exports).map(([key, text]) => `export const ${key} = ${JSON.stringify(text)}`)
  return {
    name,
    resolveId: (id) => (id === name ? id : undefined),
    load: (id) => (id === name ? lines.join('\n') : undefined),
  }
}

const options: RolldownOptions = {
  cwd: top,
  platform: 'neutral',
  external: (id) => !/^[./#]/.test(id) && !bundled.includes(id),
  experimental: { attachDebugInfo: 'none' },
  resolve: { conditionNames: ['module', 'import'], mainFields: ['module', 'main'] },
  plugins: [
    {
      // Nobody debugs its source here, and readable it would be a tenth of the package.
      name: 'minify-xstate',
      async transform(source, id) {
        if (!isOf('xstate', id)) return undefined
        const { code } = await minify(id, source)
        return { code }
      },
    },
    embed('#passkey-script', { passkeyScript }),
    embed('#explorer', { explorerData, explorerScript }),
  ],
}

/** The modules that are loaded at once with these. */
async function reachFrom(sources: readonly string[]): Promise<ReadonlySet<string>> {
  const build = await rolldown({ ...options, input: [...sources] })
  const { output } = await build.generate()
  const chunks = output.filter((each): each is OutputChunk => each.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const seen = new Set<OutputChunk>()
  const visit = (chunk: OutputChunk | undefined) => {
    if (!chunk || seen.has(chunk)) return
    seen.add(chunk)
    for (const name of chunk.imports) visit(byName.get(name))
  }
  for (const chunk of chunks) if (chunk.isEntry) visit(chunk)
  return new Set([...seen].flatMap(({ moduleIds }) => moduleIds))
}
