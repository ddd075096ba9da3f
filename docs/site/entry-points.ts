import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const top = new URL('../../', import.meta.url)

/** The source of each subpath of our packages, by its import name. A pattern has one entry per file. */
export function findEntryPoints(): ReadonlyMap<string, string> {
  const pairs = [...readExports('authmachine', ''), ...readExports('authmachine-conformance', 'fuzz/')]
  // A file with its own entry (`./providers`) may also match a pattern (`./providers/*`). The first name wins.
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

/** Programs import the sources by path. Readers see their published names. */
export function nameModules(program: string): string {
  const names = new Map([...findEntryPoints()].map(([name, source]) => [source, name]))
  return program.replaceAll(/'(?:\.\.\/)+([^']+\.ts)'/g, (_, file: string) => {
    const name = names.get(file)
    if (name === undefined) throw new Error(`${file} is not published`)
    return `'${name}'`
  })
}
