/** This library with the edit in its sources that the query of this module's URL contains. */
import { findTarget } from '../../fuzz/targets/find-target.ts'
import type { LibraryTarget } from '../../fuzz/targets/target.ts'
import { editSource, type SourceEdit } from './edit.ts'

const edit = new URL(import.meta.url).searchParams.get('edit')
if (edit === null) throw new Error('Expected the query of the URL to contain an edit')
// `placeOf` wrote it.
editSource(JSON.parse(edit) as SourceEdit)

const ours = findTarget('ours')
if (ours.kind !== 'library') throw new Error('Expected "ours" to be a library')
const { default: target } = (await import(ours.module)) as { readonly default: LibraryTarget }

export default target
