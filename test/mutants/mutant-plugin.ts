import type { Plugin } from 'vite'
import { applyEdit } from './edit.ts'
import { mutants } from './written/index.ts'

/** Applies the mutant that the environment variable `MUTANT` names to the sources of a test run. */
export function mutantPlugin(root: string): Plugin {
  const id = process.env.MUTANT
  const mutant = mutants.find((each) => each.id === id)
  if (id !== undefined && !mutant) throw new Error(`MUTANT: unknown written mutant "${id}"`)
  const isMutated = (path: string) => mutant !== undefined && path.split('?')[0] === `${root}${mutant.file}`
  return {
    name: 'authmachine:mutant',
    enforce: 'pre',
    async transform(source, path) {
      if (!mutant || !isMutated(path)) return undefined
      const { locate } = await import('./locate.ts')
      const edit = locate(source, mutant)
      if ('stale' in edit) throw new Error(`${mutant.id}: ${edit.stale}`)
      return applyEdit(source, edit)
    },
    // Vitest caches transformed modules between runs. The cache must neither hide a mutant nor keep it for a later run.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id: path }) => (isMutated(path) ? false : undefined))
    },
  }
}
