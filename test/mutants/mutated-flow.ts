/** This library with one mutated flow, which the query of this module's URL names. */
import { openOurs } from '../../fuzz/targets/ours.ts'
import { flows } from '../../src/handler/flows.ts'
import { generatedMutants } from './generated.ts'

const id = new URL(import.meta.url).searchParams.get('id')
const mutant = generatedMutants(flows).find((each) => each.id === id)
if (!mutant) throw new Error(`There is no generated mutant "${id}"`)

export default openOurs(mutant.flows)
