import { copyFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { modulesOf, nameOf, top, type Manifest } from './entries.ts'

/** What is built from a source: a module and its declarations, as paths in `dist/`. */
interface Files {
  readonly types: string
  readonly default: string
}

/** How the sources of a package become files of its `dist/`. */
export interface Built {
  readonly files: (subpath: string, source: string) => Files
  readonly bin: string
}

const asDeclaration = (path: string) => path.replace(/\.ts$/, '.d.ts')
const asModule = (path: string) => path.replace(/\.ts$/, '.js')

/** A bundle, and the declarations as their sources lie. */
export const libraryBuilt: Built = {
  files: (subpath, source) => ({
    types: asDeclaration(source.replace('./', './types/')),
    default: `./${nameOf(subpath, source)}.js`,
  }),
  bin: 'cli.js',
}

/** File by file. */
export const oracleBuilt: Built = {
  files: (_, source) => ({ types: asDeclaration(source), default: asModule(source) }),
  bin: 'cli/main.js',
}

/** Members of a package.json that only the repository reads. */
const own = ['private', 'workspaces', 'imports', 'scripts', 'devDependencies', 'allowScripts']

/** Returns the package.json that is published: it names what is built, and no sources. */
export function publishManifest(manifest: Manifest, { files, bin }: Built): object {
  const exports = Object.fromEntries(
    modulesOf(manifest).map(([subpath, source]) => [subpath, files(subpath, source)]),
  )
  const qwik = exports['./qwik']?.default
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !own.includes(name))),
    bin: { [manifest.name]: bin },
    ...(qwik !== undefined && { qwik }),
    exports: { ...exports, './package.json': './package.json' },
  }
}

/** Completes the `dist/` of a package with its package.json and its documents. */
export function completePackage(
  dist: string,
  manifest: Manifest,
  built: Built,
  documents: readonly string[],
): void {
  const published = publishManifest(manifest, built)
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  for (const name of documents) copyFileSync(join(top, name), join(dist, basename(name)))
}
