import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, once } from './once.ts'
import { readManifest } from '../../.ci/entries.ts'
import { libraryBuilt, oracleBuilt, publishManifest } from '../../.ci/publish.ts'
import { cache, run, top } from './run.ts'

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'] as const

/** Identifies the build of the library. */
export const libraryKey = fingerprint(
  top,
  ['package.json', 'tsconfig.json', '.ci', 'src', 'machines', 'spec', 'fuzz'],
  new Set(['peers', 'dist', 'node_modules']),
)

async function pack(directory: string, to: string): Promise<string> {
  mkdirSync(to, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to]
  const [packed] = JSON.parse(await run(directory, 'npm', args)) as { filename: string }[]
  if (!packed) throw new Error('npm pack printed no file name')
  return join(to, packed.filename)
}

/** Our packages: the folder of each, and how its package.json becomes the published one. */
const packages = [
  { name: 'authmachine', directory: top, built: libraryBuilt },
  { name: 'authmachine-conformance', directory: join(top, 'fuzz'), built: oracleBuilt },
]

/** Our packages on which an application depends. */
function packagesOf(directory: string) {
  const { dependencies } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  return packages.filter(({ name }) => name in dependencies)
}

/** Builds and packs both packages. */
export const buildLibrary = () =>
  once(join(cache, 'library/key'), libraryKey, async () => {
    await run(top, 'npm', ['run', '--silent', 'build'])
    for (const { name, directory } of packages)
      cpSync(await pack(join(directory, 'dist'), join(cache, 'library')), join(cache, `${name}.tgz`))
  })

/**
 * Packs placeholders with only our package.json files. npm reads nothing else, so that applications can install them
 * while the real packages are being built.
 * @returns their tarballs, by package name
 */
export async function promiseLibrary(): Promise<ReadonlyMap<string, string>> {
  const promised = new Map<string, string>()
  for (const { name, directory, built } of packages) {
    const promise = join(cache, 'promise', name)
    mkdirSync(promise, { recursive: true })
    const manifest = publishManifest(readManifest(directory), built)
    writeFileSync(join(promise, 'package.json'), JSON.stringify(manifest))
    promised.set(name, await pack(promise, join(cache, 'promised')))
  }
  return promised
}

/**
 * Installs the packages of a lock file, with placeholders for ours. Does not change the lock file, which determines the
 * versions.
 */
export function install(directory: string, promised: ReadonlyMap<string, string>): Promise<boolean> {
  const lock = () => readFileSync(join(directory, 'package-lock.json'), 'utf8')
  const before = lock()
  const key =
    fingerprint(directory, ['package.json', 'package-lock.json']) +
    fingerprint(top, ['package.json', 'fuzz/package.json'])
  return once(join(directory, 'node_modules/.installed'), key, async () => {
    const names = packagesOf(directory).map(({ name }) => name)
    for (const name of names) rmSync(join(directory, 'node_modules', name), { recursive: true, force: true })
    const tarballs = names.map((name) => promised.get(name) ?? name)
    await run(directory, 'npm', ['install', '--no-save', ...quiet, ...tarballs])
    if (lock() !== before)
      throw new Error(`${directory}: npm changed the lock file. Update it with npm install`)
  })
}

/** Replaces the placeholders with our packages, and keeps the dependencies installed below them. */
export async function unpackLibrary(directory: string): Promise<void> {
  for (const { name } of packagesOf(directory)) {
    const place = join(directory, 'node_modules', name)
    await once(join(place, '.unpacked'), libraryKey, async () => {
      const old = readdirSync(place).filter((file) => file !== 'node_modules')
      for (const file of old) rmSync(join(place, file), { recursive: true })
      await run(directory, 'tar', ['-xzf', join(cache, `${name}.tgz`), '-C', place, '--strip-components=1'])
    })
  }
}

/** Installs the packages of a lock file. */
export function installLocked(directory: string): Promise<boolean> {
  const key = fingerprint(directory, ['package.json', 'package-lock.json', '.npmrc'])
  return once(join(directory, 'node_modules/.installed'), key, () => run(directory, 'npm', ['ci', ...quiet]))
}
