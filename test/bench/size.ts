/** `npm run bench -- size`: the size of a bundle of the library, minified and compressed. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { bundle, peers, top, type Metafile, type Source } from './bundle.ts'
import { present, type Table } from './present.ts'
import { judge, tell } from './targets.ts'

interface Bundle extends Source {
  readonly name: string
  /** Kilobytes after gzip of the code that is loaded at the start. */
  readonly atMost?: number
}

const handler = (core: string, github: string) =>
  `import { Auth } from '${core}'; import GitHub from '${github}'
   export default (request) => Auth(request, { providers: [GitHub], secret: 'x' })`

const bundles: readonly Bundle[] = [
  {
    name: 'authmachine, handler with GitHub',
    source: handler('./src/index.ts', './src/providers/github.ts'),
    from: top,
    platform: 'node',
    atMost: 60,
  },
  {
    name: '@auth/core, handler with GitHub',
    source: handler('@auth/core', '@auth/core/providers/github'),
    from: peers,
    platform: 'node',
  },
  {
    name: 'better-auth, handler with GitHub',
    source: `import { betterAuth } from 'better-auth'
      export default betterAuth({ secret: 'x', socialProviders: { github: { clientId: 'x', clientSecret: 'x' } } }).handler`,
    from: peers,
    platform: 'node',
  },
  {
    name: 'authmachine/jwt alone',
    source: `export * from './src/jwt.ts'`,
    from: top,
    platform: 'node',
    atMost: 16,
  },
  {
    name: '@auth/core/jwt alone',
    source: `export * from '@auth/core/jwt'`,
    from: peers,
    platform: 'node',
  },
  { name: 'authmachine/client', source: `export * from './src/client.ts'`, from: top, platform: 'browser' },
]

function build({ name, atMost, ...source }: Bundle): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'authmachine-size-'))
  try {
    const outputs = bundle(source, folder)
    const texts = (files: readonly string[]) => files.map((file) => readFileSync(join(source.from, file)))
    const first = reach(
      outputs,
      Object.keys(outputs).filter((file) => basename(file) === 'entry.js'),
    )
    const later = Object.keys(outputs).filter((file) => !first.includes(file))
    const gzipped = kilobytes(texts(first), gzipSync)
    return [
      name,
      kilobytes(texts(first), (text) => text).toFixed(1),
      gzipped.toFixed(1),
      kilobytes(texts(first), brotliCompressSync).toFixed(1),
      later.length === 0 ? '' : kilobytes(texts(later), gzipSync).toFixed(1),
      atMost === undefined ? '' : `${gzipped <= atMost ? 'met' : 'missed'} (${atMost})`,
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the files that are loaded at the start: the entry and its static imports. */
function reach(
  outputs: Metafile['outputs'],
  files: readonly string[],
  seen: readonly string[] = [],
): string[] {
  const fresh = files.filter((file) => !seen.includes(file))
  if (fresh.length === 0) return [...seen]
  const next = fresh
    .flatMap((file) => outputs[file]?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
  return reach(
    outputs,
    [...new Set(next.map(({ path }) => path).filter((path) => path in outputs))],
    [...seen, ...fresh],
  )
}

/** Compresses each file separately, as servers send them. */
function kilobytes(texts: readonly Buffer[], compress: (text: Buffer) => Buffer): number {
  return texts.reduce((sum, text) => sum + compress(text).length, 0) / 1000
}

const edge = join(top, 'test/dropin/next-edge')

/** Reads the size of a middleware that `node test/dropin/prepare.ts next-edge` builds. */
function readMiddleware(directory: string): { readonly sizes: string[]; readonly gzipped: number } {
  const built = join(directory, '.next')
  const manifest = join(built, 'server/middleware-manifest.json')
  if (!existsSync(manifest))
    throw new Error('The middleware is not built: node test/dropin/prepare.ts next-edge')
  const { middleware } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    middleware: Readonly<Record<string, { readonly files: readonly string[] }>>
  }
  const texts = Object.values(middleware).flatMap(({ files }) =>
    files.map((file) => readFileSync(join(built, file))),
  )
  const gzipped = kilobytes(texts, gzipSync)
  const sizes = [kilobytes(texts, (text) => text), gzipped, kilobytes(texts, brotliCompressSync)]
  return { sizes: sizes.map((size) => size.toFixed(1)), gzipped }
}

await present(async (): Promise<Table[]> => {
  const own = readMiddleware(join(edge, 'own'))
  const dropIn = readMiddleware(edge)
  const verdict = judge('Next.js middleware, edge bundle', 'kB of gzip', own.gzipped)
  return [
    {
      title: 'Size',
      about:
        'Kilobytes (1,000 bytes) of the minified esbuild bundle: the code that is loaded at the start, and, compressed, ' +
        'the code that is loaded at the first request for a page or a passkey ceremony. The last two rows are the bundles ' +
        'that Next.js builds from the middleware in `test/dropin/next-edge`, which contain all code that can be loaded: ' +
        'with `authmachine/edge`, and with `next-auth` and authmachine in place of @auth/core.',
      head: ['bundle', 'minified', 'gzip', 'brotli', 'later, gzip', 'target (gzip)'],
      rows: [
        ...bundles.map(build),
        ['Next.js middleware with `authmachine/edge`', ...own.sizes, '', tell(verdict)],
        ['Next.js middleware with `next-auth`', ...dropIn.sizes, '', ''],
      ],
      verdicts: [verdict],
    },
  ]
})
