import type { Lasting } from './find-lasting-objects.ts'

/** A row of the record of objects that outlive a request: a file and the names of variables, each with wildcards. */
export interface ListedObjects {
  readonly file: string
  readonly names: readonly string[]
}

/** Reads the first column of the tables: a path, and the names of variables, all as code. */
export function readListedObjects(record: string): ListedObjects[] {
  return record.split('\n').flatMap((line) => {
    const [file, ...names] = [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, code = '']) => code,
    )
    return file === undefined ? [] : [{ file, names }]
  })
}

/** Compares the record with the sources, in both directions. */
export function compareWithRecord(found: readonly Lasting[], listed: readonly ListedObjects[]): string[] {
  const covers = (row: ListedObjects, name: string, { file, name: own }: Lasting) =>
    matches(row.file, file) && matches(name, own)
  const unlisted = found.filter(
    (each) => !listed.some((row) => row.names.some((name) => covers(row, name, each))),
  )
  const stale = listed.flatMap((row) =>
    row.names
      .filter((name) => !found.some((each) => covers(row, name, each)))
      .map((name) => `${row.file} has no ${name} that outlives a request: remove it from the record`),
  )
  return [
    ...unlisted.map(({ file, name }) => `${file} keeps ${name}: remove it, or add it to the record`),
    ...stale,
  ]
}

/** `*` stands for any text in one part of a path or name, and `**` for any text. */
function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^${escaped.replaceAll('**', '\0').replaceAll('*', '[^/]*').replaceAll('\0', '.*')}$`,
  ).test(text)
}
