/** A file of the build, and its modules. */
export interface BuiltChunk {
  readonly fileName: string
  readonly moduleIds: readonly string[]
}

/** Finds modules that several files of the build contain. Each would have its own state. */
export function findTwiceBuilt(chunks: readonly BuiltChunk[]): string[] {
  const holders = new Map<string, string[]>()
  for (const { fileName, moduleIds } of chunks)
    for (const id of moduleIds) holders.set(id, [...(holders.get(id) ?? []), fileName])
  if (holders.size === 0) throw new Error('Expected modules in the build, got none')
  return [...holders].flatMap(([id, files]) =>
    files.length > 1 ? [`${id} is in ${files.join(' and ')}`] : [],
  )
}
