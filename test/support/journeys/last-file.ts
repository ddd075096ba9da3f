import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs the file that checks the runs of all browsers after those that record them. */
export class RecordsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is not the sort of an array
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
  }
}

function isLast({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith('test/browser/journeys.test.ts')
}
