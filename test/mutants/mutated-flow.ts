/** This library with one mutated flow, named by the query of this module's URL. */
import { openOurs } from '../../fuzz/targets/ours.ts'
import { flows } from '../../src/instrumented.ts'
import { generatedMutants } from './generated.ts'

const id = new URL(import.meta.url).searchParams.get('id')
const mutant = generatedMutants(flows).find((each) => each.id === id)
if (!mutant) throw new Error(`Unknown generated mutant "${id}"`)

export default openOurs(mutant.flows)
