/**
 * The rules of the house as pure functions: facts about the sources in, sentences about what breaks a rule out. An
 * empty list means that the rule holds.
 */
import { COMPUTED, type Sources } from './read-sources.ts'

/** Floors from top to bottom. A directory ends in `/`, a family of files in `*`, anything else is one file. */
export type Floors = readonly (readonly string[])[]

/**
 * An import may go down or stay level, never up. Holds for rooms (`test/` over `src/`) and for the floors of one
 * (`src/steps/` over `src/http/`) alike. Files outside all floors are no business of this rule.
 */
export function findUpwardImports(sources: Sources, floors: Floors): string[] {
  return eachImport(sources, (importer, imported) => {
    const from = findFloor(importer, floors)
    const to = findFloor(imported, floors)
    if (from === undefined || to === undefined || to >= from) return undefined
    return `${importer} imports ${imported}, which stands above it`
  })
}

/** What is published as a package of its own finds the library where users have it: under its name. */
export function findImportsByPath(sources: Sources, room: string, rooms: readonly string[]): string[] {
  return eachImport(sources, (importer, imported) => {
    if (!importer.startsWith(room) || !rooms.some((each) => imported.startsWith(each))) return undefined
    return `${importer} imports ${imported} by its path: import the package authmachine, or export it from src/instrumented.ts`
  })
}

/** A file without a floor would escape the rule above. */
export function findHomelessFiles(sources: Sources, floors: Floors, room: string): string[] {
  return [...sources.keys()]
    .filter((path) => path.startsWith(room) && findFloor(path, floors) === undefined)
    .map((path) => `${path} stands on no floor: add it to the table`)
}

/** Files that import themselves by way of others. Type imports count: they circle in the reader's head all the same. */
export function findCircles(sources: Sources): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) circles.push([...trail.slice(start), path].join(' -> '))
    if (start >= 0 || done.has(path)) return
    for (const imported of sources.get(path)?.imports ?? []) {
      if (sources.has(imported)) visit(imported, [...trail, path])
    }
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return circles
}

/** Public entries re-export what other files define. Inside, import the file that defines it; an entry may name another one. */
export function findImportsOfFaces(
  sources: Sources,
  faces: readonly string[],
  rooms: readonly string[],
): string[] {
  return eachImport(sources, (importer, imported) => {
    if (
      !faces.includes(imported) ||
      faces.includes(importer) ||
      !rooms.some((room) => importer.startsWith(room))
    )
      return undefined
    return `${importer} imports ${imported}, a public face: import the file that defines the thing`
  })
}

/** Published code names what it imports, so that bundlers and this test can follow, and never itself by its package. */
export function findOpaqueImports(sources: Sources, rooms: readonly string[], packageName: string): string[] {
  return eachImport(sources, (importer, imported) => {
    if (!rooms.some((room) => importer.startsWith(room))) return undefined
    if (imported === COMPUTED) return `${importer} imports a module by a computed name`
    if (imported !== packageName && !imported.startsWith(`${packageName}/`)) return undefined
    return `${importer} imports ${imported}, its own package: import the file`
  })
}

/** Time, randomness, the network and the process come in from outside; the exempt files are where they come in. */
export function findPlatformUse(sources: Sources, room: string, exempt: readonly string[]): string[] {
  return [...sources].flatMap(([path, { imports, globals }]) => {
    if (!path.startsWith(room) || exempt.some((pattern) => matches(path, pattern))) return []
    const modules = imports.filter((imported) => imported.startsWith('node:'))
    return [...modules, ...globals].map((name) => `${path} uses ${name}: take it from Settings or World`)
  })
}

function eachImport(
  sources: Sources,
  judge: (importer: string, imported: string) => string | undefined,
): string[] {
  const found: string[] = []
  for (const [importer, { imports }] of sources) {
    for (const imported of imports) {
      const fault = judge(importer, imported)
      if (fault !== undefined) found.push(fault)
    }
  }
  return found
}

/** The floor's number, counted from the top. The longest pattern wins, so that a file may stand apart from its directory. */
function findFloor(path: string, floors: Floors): number | undefined {
  let best: { readonly floor: number; readonly length: number } | undefined
  for (const [floor, patterns] of floors.entries()) {
    for (const pattern of patterns) {
      if (matches(path, pattern) && pattern.length > (best?.length ?? -1))
        best = { floor, length: pattern.length }
    }
  }
  return best?.floor
}

function matches(path: string, pattern: string): boolean {
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1))
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern
}
