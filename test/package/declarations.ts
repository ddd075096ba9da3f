import { pathToFileURL } from 'node:url'
import { readSources, readTexts } from '../support/read-sources.ts'
import { top } from './command.ts'

type Declarations = ReturnType<typeof readSources>

/** The imports of each file of the build. */
export function readDeclarations(): Declarations {
  return readSources(readTexts(pathToFileURL(top), ['dist']))
}

/**
 * The shortest path from a declaration file to a package's types, as a list of files, or undefined if there is none. A
 * user of the first file needs that package's types.
 */
export function findWayToPackage(
  entry: string,
  packageName: string,
  sources: Declarations,
): readonly string[] | undefined {
  const queue: (readonly string[])[] = [[entry]]
  const seen = new Set([entry])
  for (const way of queue) {
    const path = way.at(-1) ?? entry
    const facts = sources.get(path)
    if (!facts) throw new Error(`${path} is not in the build, but ${way.at(-2) ?? 'package.json'} imports it`)
    for (const imported of facts.imports) {
      if (imported === packageName || imported.startsWith(`${packageName}/`)) return [...way, imported]
      const next = imported.replace(/(\.d)?\.[jt]s$/, '.d.ts')
      if (!next.startsWith('dist/') || seen.has(next)) continue
      seen.add(next)
      queue.push([...way, next])
    }
  }
  return undefined
}
