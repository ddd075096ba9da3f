import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, once } from './once.ts'
import { cache, run, top } from './run.ts'

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'] as const

/** Says which library it is. */
export const libraryKey = fingerprint(
  top,
  ['package.json', 'tsconfig.json', 'test/config', 'src', 'machines', 'spec', 'fuzz'],
  new Set(['peers']),
)

async function pack(directory: string, to: string): Promise<string> {
  mkdirSync(to, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to]
  const [packed] = JSON.parse(await run(directory, 'npm', args)) as { filename: string }[]
  if (!packed) throw new Error('npm pack named no file')
  return join(to, packed.filename)
}

/** Builds and packs the library. */
export const buildLibrary = () =>
  once(join(cache, 'library/key'), libraryKey, async () => {
    await run(top, 'npm', ['run', '--silent', 'build'])
    cpSync(await pack(top, join(cache, 'library')), join(cache, 'library.tgz'))
  })

/**
 * A package with nothing but the library's package.json: that is all that npm looks at, and can be installed while the
 * library is being built.
 * @returns its tarball
 */
export async function promiseLibrary(): Promise<string> {
  const directory = join(cache, 'promise')
  mkdirSync(directory, { recursive: true })
  cpSync(join(top, 'package.json'), join(directory, 'package.json'))
  return pack(directory, join(cache, 'promised'))
}

/** Installs the packages of a lock file, and a promise of the library. The lock file says which versions, and stays as it is. */
export function install(directory: string, promise: string): Promise<boolean> {
  const lock = () => readFileSync(join(directory, 'package-lock.json'), 'utf8')
  const before = lock()
  const key =
    fingerprint(directory, ['package.json', 'package-lock.json']) + fingerprint(top, ['package.json'])
  return once(join(directory, 'node_modules/.installed'), key, async () => {
    rmSync(join(directory, 'node_modules/authmachine'), { recursive: true, force: true })
    await run(directory, 'npm', ['install', '--no-save', ...quiet, promise])
    if (lock() !== before) throw new Error(`${directory}: the lock file was not up to date`)
  })
}

/** Puts the library where its promise is, beside the packages that it has there for itself. */
export function unpackLibrary(directory: string): Promise<boolean> {
  const place = join(directory, 'node_modules/authmachine')
  return once(join(place, '.unpacked'), libraryKey, async () => {
    const old = readdirSync(place).filter((name) => name !== 'node_modules')
    for (const name of old) rmSync(join(place, name), { recursive: true })
    await run(directory, 'tar', ['-xzf', join(cache, 'library.tgz'), '-C', place, '--strip-components=1'])
  })
}

/** Installs the packages of a lock file. */
export function installLocked(directory: string): Promise<boolean> {
  const key = fingerprint(directory, ['package.json', 'package-lock.json', '.npmrc'])
  return once(join(directory, 'node_modules/.installed'), key, () => run(directory, 'npm', ['ci', ...quiet]))
}
