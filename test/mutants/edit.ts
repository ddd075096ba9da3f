import module from 'node:module'

/** A fragment of a source, and its replacement in the mutated source. */
export interface Edit {
  readonly start: number
  readonly was: string
  readonly replace: string
}

/** An edit of a source file, by its path from the repository root. */
export interface SourceEdit extends Edit {
  readonly file: string
}

/** Returns the source with an edit. @throws Error when the text to replace is missing */
export function applyEdit(source: string, { start, was, replace }: Edit): string {
  if (!source.startsWith(was, start))
    throw new Error(`Expected ${JSON.stringify(was)} at ${start}: the source has changed since it was read`)
  return source.slice(0, start) + replace + source.slice(start + was.length)
}

const edited = new Set<string>()

/** Applies edits to source files whenever this thread loads them, from now on. */
export function editSources(edits: readonly SourceEdit[]): void {
  for (const file of new Set(edits.map((edit) => edit.file)))
    editFile(
      file,
      edits.filter((edit) => edit.file === file),
    )
}

function editFile(file: string, edits: readonly Edit[]): void {
  if (edited.has(file)) return
  edited.add(file)
  // From the end, because an edit moves what follows it.
  const backwards = edits.toSorted((a, b) => b.start - a.start)
  const url = new URL(`../../${file}`, import.meta.url).href
  module.registerHooks({
    load(each, context, next) {
      const loaded = next(each, context)
      if (each.split('?', 1)[0] !== url || loaded.source === undefined || loaded.source === null)
        return loaded
      const source =
        typeof loaded.source === 'string'
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, source: backwards.reduce(applyEdit, source) }
    },
  })
}
