import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { top } from '../package/command.ts'

/** Where the applications are prepared: of what one build leaves there, the next one is faster. */
export const cache = join(top, '.cache/dropin')

/**
 * Runs a command in the directory of an application, by npm or from its own packages.
 * @throws Error with what it printed, unless the command does what it should
 */
export function runInApp(directory: string, command: string, args: readonly string[]): string {
  const bins = [join(directory, 'node_modules/.bin'), join(top, 'node_modules/.bin')]
  const PATH = [...bins, process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, TMPDIR: cache }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: directory, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} in ${directory}\n${stdout}\n${stderr}`)
  return stdout
}

/**
 * Installs the packed library into an application, by the name under which that knows it. The lock file says which
 * versions of all others; nothing of it is written, whatever the tarball is.
 */
export function installLibrary(directory: string, name: string, tarball: string): void {
  const lock = readFileSync(join(directory, 'package-lock.json'), 'utf8')
  rmSync(join(directory, 'node_modules', name), { recursive: true, force: true })
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  runInApp(directory, 'npm', ['install', ...quiet, `${name}@file:${tarball}`])
  if (readFileSync(join(directory, 'package-lock.json'), 'utf8') !== lock)
    throw new Error(`${directory}: the lock file was not up to date`)
}
