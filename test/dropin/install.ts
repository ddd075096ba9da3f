import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, once } from '../integrations/once.ts'
import { run } from '../integrations/run.ts'
import { top } from '../package/command.ts'
import type { Dropin } from './apps.ts'

/** Where the applications are prepared. */
export const cache = join(top, '.cache/dropin')

/** Files that the package manager and the builds generate in an application's folder. */
const generated = new Set([
  'node_modules',
  'dist',
  'server',
  'build',
  'tmp',
  '.next',
  '.svelte-kit',
  '.astro',
  'next-env.d.ts',
])

/**
 * Installs the packed library into an application in place of `@auth/core`, with the packages of the application's lock
 * file, which stays unchanged. @returns whether it was missing or outdated
 */
export function installLibrary(directory: string, tarball: string, library: string): Promise<boolean> {
  const key = fingerprint(directory, ['package.json', 'package-lock.json']) + library
  return once(join(directory, 'node_modules/.installed'), key, async () => {
    const lock = () => readFileSync(join(directory, 'package-lock.json'), 'utf8')
    const before = lock()
    rmSync(join(directory, 'node_modules/@auth/core'), { recursive: true, force: true })
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    await run(directory, 'npm', ['install', ...quiet, `@auth/core@file:${tarball}`])
    if (lock() !== before)
      throw new Error(`${directory}: npm changed the lock file. Update it with npm install`)
  })
}

/** Builds an application and compiles it. @returns whether anything changed since the last time */
export function buildDropin(directory: string, app: Dropin, library: string): Promise<boolean> {
  const key = `${fingerprint(directory, ['.'], generated)} ${JSON.stringify(app)} ${library}`
  return once(join(directory, 'node_modules/.built'), key, async () => {
    for (const [command, ...args] of [...(app.build ?? []), app.check]) await run(directory, command, args)
  })
}
