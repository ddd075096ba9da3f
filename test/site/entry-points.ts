import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const top = new URL('../../', import.meta.url)

/** The source of each subpath that the package exports, by the name it is imported under; a pattern is one entry a file. */
export function findEntryPoints(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', top), 'utf8')) as {
    exports: Readonly<Record<string, string | { readonly default: string }>>
  }
  const pairs = Object.entries(exports).flatMap(([subpath, target]): [string, string][] => {
    if (typeof target === 'string') return []
    const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts')
    const name = subpath.replace('.', 'authmachine')
    if (!source.includes('*')) return [[name, source]]
    const [before = '', after = ''] = source.split('*')
    return globSync(source, { cwd: fileURLToPath(top) }).map((file) => [
      name.replace('*', file.slice(before.length, -after.length)),
      file,
    ])
  })
  // What has an entry of its own (`./providers`) is also a file of a pattern (`./providers/*`); the first name stays.
  const bySource = new Map<string, string>()
  for (const [name, source] of pairs) if (!bySource.has(source)) bySource.set(source, name)
  return new Map([...bySource].map(([source, name]) => [name, source]))
}
