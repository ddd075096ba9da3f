import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleForEdge, bundleSuite } from './bundle.ts'
import type { Found, Given } from './suite/run-suite.ts'

/** Entries of the package that edge runtimes do not load. All others are bundled and loaded. */
const notForEdge: Readonly<Record<string, string>> = {
  './next': 'is bundled as a part of a Next.js application',
  './node': 'adapts requests of node:http',
  './opentelemetry': 'needs the API of OpenTelemetry',
  './package.json': 'has no code',
  './qwik': 'is compiled as a part of a Qwik application',
  './react': 'is bundled as a part of a React application',
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** The part of `@edge-runtime/vm` that is used. */
interface EdgeRuntime {
  readonly EdgeVM: new (options: { extend: (context: object) => object; initialCode: string }) => {
    evaluate(code: string): unknown
  }
}

/**
 * Loads every entry for edge runtimes in an edge VM, whose `process` throws like that of Next.js, and runs the suite.
 */
export async function runEdgeVm(_: string, directory: string, given: Given): Promise<Found> {
  const specifiers = findEntries(join(directory, 'node_modules/authmachine'))
  const entry = join(directory, 'edge-entry.js')
  writeFileSync(entry, importAll(specifiers, bundleSuite('run-suite.ts', directory)))
  const initialCode = readFileSync(bundleForEdge(entry, directory), 'utf8')
  const { EdgeVM } = await importEdgeRuntime()
  const vm = new EdgeVM({
    extend: (context) => Object.assign(context, { process: restrictedProcess }),
    initialCode,
  })
  console.log(`    loads ${String(vm.evaluate('Object.keys(entries).length'))} entries`)
  const found = await vm.evaluate(`runSuite(${JSON.stringify(given)}).then(JSON.stringify)`)
  return JSON.parse(String(found)) as Found
}

/** As in Next.js middleware. */
const restrictedProcess = {
  env: {},
  getBuiltinModule(): never {
    throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
  },
}

/** Lists all importable entries of the installed package, except those that are not for edge runtimes. */
function findEntries(installed: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest
  return Object.entries(exports)
    .filter(([path]) => !(path in notForEdge))
    .flatMap(([path, target]) => {
      if (!path.includes('*')) return [path]
      const [before = '', after = ''] = (typeof target === 'string' ? target : target.default).split('*')
      const files = readdirSync(join(installed, dirname(`${before}x`)))
      const names = files.filter((file) => file.endsWith(after)).map((file) => basename(file, after))
      return names.map((name) => path.replace('*', name))
    })
    .map((path) => `authmachine${path.slice(1)}`)
}

/** A program that imports all entries, so that the bundler keeps them, and exposes the suite. */
function importAll(specifiers: readonly string[], suite: string): string {
  return `
    import { runSuite } from ${JSON.stringify(suite)}
    import { Auth, customFetch } from 'authmachine'
    import { memoryAdapter } from 'authmachine/adapters/memory'
    import { decode, encode, getToken } from 'authmachine/jwt'
    import Passkey from 'authmachine/providers/passkey'
    ${specifiers.map((specifier, index) => `import * as entry${index} from '${specifier}'`).join('\n')}
    globalThis.entries = { ${specifiers.map((specifier, index) => `'${specifier}': entry${index}`).join(', ')} }
    const library = { Auth, customFetch, decode, encode, getToken, memoryAdapter, Passkey }
    globalThis.runSuite = (given) => runSuite(library, given)`
}

async function importEdgeRuntime(): Promise<EdgeRuntime> {
  const path = fileURLToPath(new URL('node_modules/@edge-runtime/vm/dist/index.js', import.meta.url))
  return (await import(pathToFileURL(path).href)) as EdgeRuntime
}
