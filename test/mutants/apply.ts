import type { Plugin } from 'vite'
import { mutants } from '../../fuzz/zoo/written/index.ts'
import type { Mutant } from '../../fuzz/zoo/mutant.ts'

/** The source with the fault in it. @throws when the text to replace is not there exactly once */
export function applyMutant(source: string, { id, find, replace }: Mutant): string {
  const [before, after, ...more] = source.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${id}: what it replaces is not there exactly once`)
  return `${before}${replace}${after}`
}

/** Puts the fault that `MUTANT` names into the sources of a test run. */
export function mutantPlugin(root: string): Plugin {
  const mutant = mutants.find(({ id }) => id === process.env.MUTANT)
  const isPatched = (path: string) => mutant !== undefined && path.split('?')[0] === `${root}${mutant.file}`
  return {
    name: 'authmachine:mutant',
    enforce: 'pre',
    transform: (source, path) => (mutant && isPatched(path) ? applyMutant(source, mutant) : undefined),
    // Vitest keeps what it transformed between runs: a fault must neither be passed over for that nor stay in there.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (isPatched(id) ? false : undefined))
    },
  }
}
