import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const top = new URL('../../', import.meta.url)

/** The source of each subpath of our packages, by the name it is imported under; a pattern is one entry a file. */
export function findEntryPoints(): ReadonlyMap<string, string> {
  const pairs = [...readExports('authmachine', ''), ...readExports('authmachine-conformance', 'fuzz/')]
  // What has an entry of its own (`./providers`) is also a file of a pattern (`./providers/*`); the first name stays.
  const bySource = new Map<string, string>()
  for (const [name, source] of pairs) if (!bySource.has(source)) bySource.set(source, name)
  return new Map([...bySource].map(([source, name]) => [name, source]))
}

function readExports(packageName: string, directory: string): [name: string, source: string][] {
  const { exports } = JSON.parse(readFileSync(new URL(`${directory}package.json`, top), 'utf8')) as {
    exports: Readonly<Record<string, string>>
  }
  return Object.entries(exports).flatMap(([subpath, target]): [string, string][] => {
    if (!target.endsWith('.ts')) return []
    const source = directory + target.slice('./'.length)
    const name = packageName + subpath.slice('.'.length)
    if (!source.includes('*')) return [[name, source]]
    const [before = '', after = ''] = source.split('*')
    return globSync(source, { cwd: fileURLToPath(top) }).map((file) => [
      name.replace('*', file.slice(before.length, -after.length)),
      file,
    ])
  })
}
