/**
 * The rules of the structure as pure functions: they take facts about the sources, and return a sentence for each
 * violation. An empty list means that there is none.
 */
import { COMPUTED, type Sources } from './read-sources.ts'

/** Layers from the highest to the lowest. A directory ends in `/`, a family of files in `*`, anything else is one file. */
export type Layers = readonly (readonly string[])[]

/**
 * An import may point to a lower layer or to a peer, never up. Used for the folders at the top (`test/` over `src/`) and for
 * the layers inside one (`src/flows/` over `src/http/`). The rule ignores files outside all layers.
 */
export function findUpwardImports(sources: Sources, layers: Layers): string[] {
  return eachImport(sources, (importer, imported) => {
    const from = findLayer(importer, layers)
    const to = findLayer(imported, layers)
    if (from === undefined || to === undefined || to >= from) return undefined
    return `${importer} imports ${imported}, which is in a higher layer`
  })
}

/** A package that is published separately imports the library by its name, as users do. */
export function findImportsByPath(sources: Sources, folder: string, folders: readonly string[]): string[] {
  return eachImport(sources, (importer, imported) => {
    if (!importer.startsWith(folder) || !folders.some((each) => imported.startsWith(each))) return undefined
    return `${importer} imports ${imported} by its path: import the package authmachine, or export it from src/instrumented.ts`
  })
}

/** The rule above would not apply to a file in no layer. */
export function findUnlayeredFiles(sources: Sources, layers: Layers, folder: string): string[] {
  return [...sources.keys()]
    .filter((path) => path.startsWith(folder) && findLayer(path, layers) === undefined)
    .map((path) => `${path} is in no layer: add it to the table`)
}

/** Files that import themselves through others. Type imports count, because a reader has to follow them too. */
export function findCycles(sources: Sources): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' -> '))
    if (start >= 0 || done.has(path)) return
    for (const imported of sources.get(path)?.imports ?? []) {
      if (sources.has(imported)) visit(imported, [...trail, path])
    }
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return cycles
}

/**
 * Public entry files re-export what other files define. Inside, import the file that defines it; an entry may import
 * another one.
 */
export function findImportsOfEntryPoints(
  sources: Sources,
  entryPoints: readonly string[],
  folders: readonly string[],
): string[] {
  return eachImport(sources, (importer, imported) => {
    if (
      !entryPoints.includes(imported) ||
      entryPoints.includes(importer) ||
      !folders.some((folder) => importer.startsWith(folder))
    )
      return undefined
    return `${importer} imports ${imported}, an entry point: import the file that defines it`
  })
}

/**
 * Published code imports by literal names, so that bundlers and this test can follow, and never by its own package
 * name.
 */
export function findOpaqueImports(
  sources: Sources,
  folders: readonly string[],
  packageName: string,
): string[] {
  return eachImport(sources, (importer, imported) => {
    if (!folders.some((folder) => importer.startsWith(folder))) return undefined
    if (imported === COMPUTED) return `${importer} imports a module by a computed name`
    if (imported !== packageName && !imported.startsWith(`${packageName}/`)) return undefined
    return `${importer} imports ${imported}, its own package: import the file`
  })
}

/**
 * A module that fails while it is loaded rejects every later `import()` with the same error. `once` and `onceLoaded` give
 * each visitor a copy.
 */
export function findBareImports(sources: Sources, folder: string, exempt: readonly string[]): string[] {
  return [...sources].flatMap(([path, { bareImports }]) =>
    path.startsWith(folder) && !exempt.some((pattern) => matches(path, pattern))
      ? bareImports.map((imported) => `${path} imports ${imported} without once or onceLoaded`)
      : [],
  )
}

/** Some bundle formats, and `require`, cannot load a module that awaits at its top level. Programs may. */
export function findTopLevelAwaits(
  sources: Sources,
  folders: readonly string[],
  programs: readonly string[],
): string[] {
  return [...sources].flatMap(([path, { awaits }]) =>
    awaits && folders.some((folder) => path.startsWith(folder)) && !programs.includes(path)
      ? [`${path} awaits at its top level: await inside a function`]
      : [],
  )
}

/** Only the exempt files may use the clock, randomness, the network and the process. */
export function findPlatformUse(sources: Sources, folder: string, exempt: readonly string[]): string[] {
  return [...sources].flatMap(([path, { imports, globals }]) => {
    if (!path.startsWith(folder) || exempt.some((pattern) => matches(path, pattern))) return []
    const modules = imports.filter((imported) => imported.startsWith('node:'))
    return [...modules, ...globals].map((name) => `${path} uses ${name}: take it from Settings or World`)
  })
}

/** Only the listed files contain code that switches the type checker off, and only as often as listed. */
export function findUnchecked(
  sources: Sources,
  folders: readonly string[],
  admitted: Readonly<Record<string, number>>,
): string[] {
  return [...sources].flatMap(([path, { unchecked }]) => {
    const limit = folders.some((folder) => path.startsWith(folder)) ? (admitted[path] ?? 0) : Infinity
    return unchecked.length > limit
      ? [`${path} has ${unchecked.join(', ')}: give it a type that the compiler can check`]
      : []
  })
}

/** Lists phrases that read as translated. Texts are code, comments and messages alike, by path. */
export function findTranslatedPhrases(
  texts: ReadonlyMap<string, string>,
  phrases: readonly (readonly [phrase: RegExp, instead: string])[],
): string[] {
  return [...texts].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, at) =>
      phrases.flatMap(([phrase, instead]) => {
        const found = phrase.exec(line)?.[0]
        return found === undefined ? [] : [`${path}:${at + 1} says "${found}": write ${instead}`]
      }),
    ),
  )
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

/** Returns the number of the layer, counted from the top. The longest pattern wins, so that a file may be in another layer than
 * its folder. */
function findLayer(path: string, layers: Layers): number | undefined {
  let best: { readonly layer: number; readonly length: number } | undefined
  for (const [layer, patterns] of layers.entries()) {
    for (const pattern of patterns) {
      if (matches(path, pattern) && pattern.length > (best?.length ?? -1))
        best = { layer, length: pattern.length }
    }
  }
  return best?.layer
}

function matches(path: string, pattern: string): boolean {
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1))
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern
}
