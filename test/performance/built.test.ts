import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createActor, fromCallback } from 'xstate'
import { bundle } from '../../.ci/bundle.ts'
import { readManifest, top } from '../../.ci/entries.ts'
import type { machines } from '../../machines/index.ts'
import { loaded } from './table.ts'

// Inside the repository, where the modules find the dependencies.
const folder = join(top, '.cache/built')
const urlOf = (entry: string) => pathToFileURL(join(folder, entry)).href
/** As `count.ts` does. */
const node = join(top, 'node_modules/node/bin/node')

beforeAll(() => bundle(readManifest(top), folder), 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Prints the URLs of the modules that a new process loads. */
const listing = (program: string) => `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  ${program}
  console.log(JSON.stringify(loaded))`

function listLoaded(program: string): { readonly own: string[]; readonly packages: string[] } {
  const args = ['--input-type=module', '--eval', listing(program)]
  const urls = JSON.parse(execFileSync(node, args, { encoding: 'utf8' })) as string[]
  return {
    own: urls.filter((url) => url.startsWith(pathToFileURL(folder).href)),
    packages: urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []),
  }
}

/**
 * Returns the files that a bundle of an entry contains, including those that are imported later. Middleware cannot load
 * files later.
 */
function listBundled(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const imported = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imported))
    listBundled(join(dirname(file), path), seen)
  return seen
}

/** The module of an application that signs in with GitHub. */
const application = {
  name: 'application',
  resolveId: (id: string) => (id === 'application' ? id : undefined),
  load: (id: string) =>
    id === 'application'
      ? `import { Auth } from '${join(top, 'src/index.ts')}'
         import GitHub from '${join(top, 'src/providers/github.ts')}'
         export default (request) => Auth(request, { providers: [GitHub] })`
      : undefined,
}

/** Bundles the application, and returns the kilobytes that it loads at once and the names of these modules. */
async function bundleApplication() {
  const build = await rolldown({
    input: 'application',
    platform: 'neutral',
    resolve: { conditionNames: ['module', 'import'], mainFields: ['module', 'main'] },
    external: /^(#|node:|@simplewebauthn)/,
    plugins: [application],
  })
  const { output } = await build.generate({ minify: true })
  const chunks = output.filter((each) => each.type === 'chunk')
  const reached = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of reached)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) reached.add(chunk)
  return {
    kilobytes: [...reached].reduce((sum, { code }) => sum + code.length, 0) / 1000,
    modules: [...reached].flatMap(({ moduleIds }) => moduleIds),
  }
}

describe('the built package', () => {
  it('loads few modules for the first session request', () => {
    const { own, packages } = listLoaded(`
      const { Auth } = await import('${urlOf('index.js')}')
      const config = { secret: 'a secret that is long enough for this', trustHost: true, providers: [] }
      const response = await Auth(new Request('http://app.test/auth/session'), { ...config, basePath: '/auth' })
      if (response.status !== 200) throw new Error('Expected status 200, got ' + response.status)`)
    expect(own.length).toBeLessThanOrEqual(loaded.built)
    expect(packages).toEqual(['cookie'])
    // A single other character makes V8 store the whole file with two bytes for each character.
    for (const url of own) expect(readFileSync(new URL(url), 'utf8')).toMatch(/^[\t\n -~]*$/)
  })

  it('contains the licences of the packages in it', () => {
    const { own } = listLoaded(`await import('${urlOf('index.js')}')`)
    const text = own.map((url) => readFileSync(new URL(url), 'utf8')).join('\n')
    expect(text).toContain(readFileSync(join(top, 'node_modules/xstate/LICENSE'), 'utf8'))
  })

  it.each(['client', 'errors', 'providers/github', 'adapters'])('loads no machine for %s', (entry) => {
    const { own } = listLoaded(`await import('${urlOf(`${entry}.js`)}')`)
    expect(own.filter((url) => /chunks\/(?:core|session)/.test(url))).toEqual([])
  })

  it('has an entry point for middleware that cannot load the routes', () => {
    const measure = (entry: string) =>
      [...listBundled(join(folder, entry))]
        .map((file) => gzipSync(readFileSync(file)).length / 1000)
        .reduce((sum, size) => sum + size)
    expect(measure('edge.js')).toBeLessThanOrEqual(loaded.edge)
    expect(measure('index.js')).toBeGreaterThan(2 * loaded.edge)
  })

  it('lets an application with one provider load what others use when it is needed', async () => {
    const { kilobytes, modules } = await bundleApplication()
    expect(kilobytes).toBeLessThanOrEqual(loaded.handler)
    expect(modules).toContain(join(top, 'src/flows/session/flow.ts'))
    const later =
      /src\/(pages|flows\/(?!engine|session|shared|flows\.ts)|explanations\.ts|password|second-factor)/
    expect(modules.filter((id) => later.test(id))).toEqual([])
  })

  it('imports the parts of jose that it uses, and not its index', () => {
    const files = globSync('**/*.js', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'))
    const parts = files.flatMap((text) =>
      [...text.matchAll(/["'](jose(?:\/[^"']+)?)["']/g)].map(([, name]) => name),
    )
    expect(parts).toContain('jose/jws/compact/verify')
    expect(parts).not.toContain('jose')
  })

  it('has machines that run as actors of the application’s own XState', async () => {
    const built = (await import(urlOf('machines.js'))) as { readonly machines: typeof machines }
    const report = (type: string) => fromCallback(({ sendBack }) => sendBack({ type }))
    const actors = { checkCsrf: report('csrf.accepted'), readSessionCookie: report('cookie.absent') }
    const actor = createActor(built.machines.session.provide({ actors })).start()
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', value: 'anonymous' })
  })
})
