import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Target } from '../targets/find-target.ts'

/**
 * Returns the file of a repository in which readers of SARIF show the failures of a target: its description, or its
 * module. The path is relative to the repository.
 *
 * @param description the file of `--target`
 * @returns nothing if the target has no file in this repository
 */
export function findSource(target: Target, description: string | undefined): string | undefined {
  const file = target.kind === 'library' ? fileURLToPath(target.module) : description && resolve(description)
  if (!file) return undefined
  const path = relative(findRepository(process.cwd()), file)
  const isOutside = path.startsWith('..') || isAbsolute(path) || path.split(sep).includes('node_modules')
  return isOutside ? undefined : path.split(sep).join('/')
}

/** Returns the folder above that is a Git repository, or else the folder itself. */
function findRepository(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return start
  }
}
