import { readFileSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { mutants } from '../mutants/written/index.ts'
import { collect, type Witness } from '../trace/collect.ts'

const top = new URL('../../', import.meta.url)

/**
 * Tests that take seconds each, and together longer than all other tests. They run only if they were changed
 * themselves.
 */
const slow = [
  'test/adapters/peers',
  'test/cli/migrate',
  'test/conformance/',
  'test/devtools/devtools',
  'test/diagrams/cli',
  'test/faults/',
  'test/flows/callback-url',
  'test/flows/races',
  'test/flows/replay',
  'test/guides/',
  'test/oidc/',
  'test/performance/',
  'test/races/',
  'test/site/',
]

/** The inputs of the choice. */
export interface Project {
  /** The importers of each file, as paths from the top. */
  readonly importers: ReadonlyMap<string, readonly string[]>
  readonly witnesses: readonly Witness[]
}

/** Reads the imports of all sources, and the requirements that tests prove. */
export async function readProject(): Promise<Project> {
  return { importers: readImporters(), witnesses: (await collect(top)).witnesses }
}

/**
 * Chooses unit tests for changed files: changed tests, then direct importers of a changed file, then tests of the
 * requirements that mutants of a changed file break, then indirect importers.
 *
 * @param most the maximum number of tests
 * @returns the chosen tests, and how many more import a changed file
 */
export function chooseTests(
  { importers, witnesses }: Project,
  changed: readonly string[],
  most: number,
): { readonly chosen: readonly string[]; readonly others: number } {
  const distances = measure(changed, importers)
  const broken = new Set(mutants.filter(({ file }) => changed.includes(file)).flatMap(({ breaks }) => breaks))
  const witnessing = new Map<string, number>()
  for (const { file, ids } of witnesses) {
    const shared = ids.filter((id) => broken.has(id)).length
    if (shared > 0) witnessing.set(testOf(file), (witnessing.get(testOf(file)) ?? 0) + shared)
  }
  // Direct importers come first, then tests of the most broken requirements, then importers of importers.
  const rank = (file: string) =>
    Math.min(distances.get(file) ?? Infinity, 1 + 1 / (1 + (witnessing.get(file) ?? 0)))
  const reached = [...new Set([...distances.keys(), ...witnessing.keys()])]
    .filter((file) => file.endsWith('.test.ts') && isUnit(file))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  const chosen = reached
    .filter((file) => changed.includes(file) || !slow.some((each) => file.startsWith(each)))
    .slice(0, Math.max(most, changed.filter((file) => file.endsWith('.test.ts')).length))
  return { chosen, others: reached.length - chosen.length }
}

/** The test that runs a witness. Scenarios are data. */
function testOf(file: string): string {
  return file.startsWith('test/flows/scenarios/') ? 'test/flows/scenarios.test.ts' : file
}

function isUnit(file: string): boolean {
  return !/^(test\/(browser|integrations|dropin|bench)|fuzz\/peers)\//.test(file)
}

function readImporters(): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  const files = globSync('{test,fuzz,src,machines,spec,docs/examples/testing}/**/*.ts', {
    cwd: top.pathname,
    exclude: (path) => /node_modules|fuzz\/peers|test\/dropin\/[^/]+\//.test(path),
  })
  for (const file of files) {
    const { importedFiles } = ts.preProcessFile(readFileSync(new URL(file, top), 'utf8'), true, true)
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue
      const imported = join(dirname(file), fileName.split('?')[0] ?? fileName)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  return importers
}

/** The number of imports between each file and the nearest changed one. */
function measure(
  changed: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]))
  // Iterating over a map includes entries that are added in the meantime.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}
