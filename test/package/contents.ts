/** The maximum unpacked size of the library in bytes. */
export const limit = 2_800_000

/** Whether the library is larger than allowed. An unknown size counts as too large. */
export function isTooLarge(unpackedSize: number): boolean {
  return !(unpackedSize <= limit)
}

/** The files of a package that users do not need: sources, tests, documentation. */
export function findStrays(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => /(?<!\.d)\.ts$|\.test\.|\/(test|docs|peers|mutants)\//.test(path))
}
