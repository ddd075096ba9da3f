import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, top } from '../package/command.ts'

/** Copies the files that a clone of this checkout would contain, including uncommitted changes. */
export function copyClone(to: string): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: top, encoding: 'utf8' }).split('\0')
  for (const file of files)
    if (file !== '' && existsSync(join(top, file))) cpSync(join(top, file), join(to, file))
}

/** Links the packages of this checkout, which is faster than `npm ci`. */
export function linkPackages(clone: string): void {
  runCommand('cp', ['-al', join(top, 'node_modules'), join(clone, 'node_modules')])
}
