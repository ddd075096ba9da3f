import { flows } from '../../src/handler/flows.ts'
import { openOurs } from '../targets/ours.ts'
import { generatedMutants } from './generated.ts'

/** This library with the one broken flow that the query of this module's URL names. */
const id = new URL(import.meta.url).searchParams.get('id')
const mutant = generatedMutants(flows).find((each) => each.id === id)
if (!mutant) throw new Error(`There is no generated mutant "${id}"`)

export default openOurs(mutant.flows)
