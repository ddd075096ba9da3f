import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, top } from '../package/command.ts'

/** Copies what a clone of this checkout would have, with the changes that are not committed yet. */
export function copyClone(to: string): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: top, encoding: 'utf8' }).split('\0')
  for (const file of files)
    if (file !== '' && existsSync(join(top, file))) cpSync(join(top, file), join(to, file))
}

/** Does what `npm ci` would do, in no time: links the packages of this checkout. */
export function linkPackages(clone: string): void {
  runCommand('cp', ['-al', join(top, 'node_modules'), join(clone, 'node_modules')])
}
