import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Finds sources that several files of the build contain, according to the source maps. */
export function findTwiceBuilt(directory: string): string[] {
  const holders = new Map<string, string[]>()
  const maps = globSync('**/*.js.map', { cwd: directory })
  if (maps.length === 0) throw new Error(`Expected source maps in ${directory}, got none`)
  for (const map of maps) {
    const path = join(directory, map)
    const { sources } = JSON.parse(readFileSync(path, 'utf8')) as { sources: string[] }
    for (const source of new Set(sources.map((each) => join(path, '..', each))))
      holders.set(source, [...(holders.get(source) ?? []), map])
  }
  return [...holders].flatMap(([source, files]) =>
    files.length > 1 ? [`${source} is in ${files.join(' and ')}`] : [],
  )
}
