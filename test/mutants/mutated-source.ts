import { fileURLToPath } from 'node:url'
import { applyEdit } from './edit.ts'
import { locate } from './locate.ts'
import { mutants } from './written/index.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Returns the text of a source file with the mutant that the environment variable `MUTANT` names. For tests that compile
 * sources instead of importing them.
 */
export function mutatedSource(path: string, source: string): string {
  const mutant = mutants.find(({ id }) => id === process.env.MUTANT)
  if (!mutant || path !== top + mutant.file) return source
  const edit = locate(source, mutant)
  if ('stale' in edit) throw new Error(`${mutant.id}: ${edit.stale}`)
  return applyEdit(source, edit)
}
