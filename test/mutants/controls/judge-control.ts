import { isForTheOracle } from '../run-oracle.ts'
import { locateAll, type Located } from '../stale.ts'
import { mutants } from '../written/index.ts'
import type { Control, JudgeControl, Way } from './control.ts'
import { judgeOverHttp } from './run-http.ts'
import { judgeInProcess } from './run-library.ts'

export const judges: Readonly<Record<Way, JudgeControl>> = { library: judgeInProcess, http: judgeOverHttp }

/** The mutants that the oracle can judge. */
export const { located } = locateAll(mutants.filter(isForTheOracle))

const mutantOf = new Map(located.map((each) => [each[0].id, each]))

/** Returns the mutants of a control; undefined if one of them does not apply to the sources. */
export function findMutants({ mutant, also }: Pick<Control, 'mutant' | 'also'>): Located[] | undefined {
  const names = also === undefined ? [mutant] : [mutant, also]
  const found = names.map((name) => mutantOf.get(name))
  return found.every((each) => each !== undefined) ? found : undefined
}
