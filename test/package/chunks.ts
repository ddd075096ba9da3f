import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Finds sources that several files of the build contain, according to the comments that name them. */
export function findTwiceBuilt(directory: string): string[] {
  const holders = new Map<string, string[]>()
  for (const file of globSync('**/*.js', { cwd: directory }))
    for (const source of new Set(listSources(readFileSync(join(directory, file), 'utf8'))))
      holders.set(source, [...(holders.get(source) ?? []), file])
  if (holders.size === 0) throw new Error(`Expected comments that name the sources in ${directory}, got none`)
  return [...holders].flatMap(([source, files]) =>
    files.length > 1 ? [`${source} is in ${files.join(' and ')}`] : [],
  )
}

function listSources(code: string): string[] {
  return [...code.matchAll(/^\/\/ ((?:src|machines|spec)\/\S+\.ts)$/gm)].flatMap(([, source]) => source ?? [])
}
