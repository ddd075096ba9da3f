/** This library with the edits in its sources that the query of this module's URL contains. */
import { findTarget } from '../../fuzz/targets/find-target.ts'
import type { LibraryTarget } from '../../fuzz/targets/target.ts'
import { editSources, type SourceEdit } from './edit.ts'

const edits = new URL(import.meta.url).searchParams.get('edits')
if (edits === null) throw new Error('Expected the query of the URL to contain edits')
// `placeWith` wrote them.
editSources(JSON.parse(edits) as SourceEdit[])

const ours = findTarget('ours')
if (ours.kind !== 'library') throw new Error('Expected "ours" to be a library')
const { default: target } = (await import(ours.module)) as { readonly default: LibraryTarget }

export default target
