/** Global setup of the browser tests: creates an empty folder for the recorded runs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the recorded runs of each test file. */
    recordedRuns: string
  }
}

export default async function openRunFolder(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'authmachine-runs-'))
  project.provide('recordedRuns', folder)
  return () => rm(folder, { recursive: true, force: true })
}
