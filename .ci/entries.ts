/**
 * The entries of the packages. In the repository, package.json names sources, which run without a build. The published
 * packages have their own package.json, which names the built files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The top of the repository. */
export const top = fileURLToPath(new URL('../', import.meta.url))

/** A package.json, as far as a build reads it. */
export interface Manifest {
  readonly name: string
  readonly bin: Readonly<Record<string, string>>
  /** The source of each subpath. */
  readonly exports: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(`${directory}/package.json`, 'utf8')) as Manifest
}

/** Returns the subpaths that are modules, and their sources. */
export function modulesOf({ exports }: Manifest): [subpath: string, source: string][] {
  return Object.entries(exports).filter(([, source]) => source.endsWith('.ts'))
}

/** Returns the name of the file that is built for a subpath, without its ending. The optimizer of Qwik wants its own. */
export function nameOf(subpath: string, source: string): string {
  const name = subpath === '.' ? 'index' : subpath.slice('./'.length)
  return source.endsWith('.qwik.ts') ? `${name}.qwik` : name
}

/** Returns the sources of the entries by the names of what is built from them, with patterns expanded. */
export function findEntries(manifest: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    modulesOf(manifest).flatMap(([subpath, source]) => {
      const name = nameOf(subpath, source)
      const [directory = '', ending] = source.split('*')
      if (ending === undefined) return [[name, source]]
      return readdirSync(top + directory)
        .filter((file) => file.endsWith(ending))
        .map((file) => file.slice(0, -ending.length))
        .map((file) => [name.replace('*', file), source.replace('*', file)])
    }),
  )
}
