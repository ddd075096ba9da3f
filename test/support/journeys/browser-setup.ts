/** Setup of every browser test: takes what its browsers did through the journey, and keeps it for the last file. */
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { recordedBrowsers } from './browsers.ts'
import { findRefusal } from './check.ts'

afterAll(async () => {
  const { runs, unrecorded } = recordedBrowsers()
  const file = basename(expect.getState().testPath ?? '')
  await writeFile(join(inject('recordedRuns'), `${file}.json`), JSON.stringify(runs))
  expect(unrecorded, 'requests whose flows are not recorded: wrap the logger in `recordFlows`').toEqual([])
  expect(runs.flatMap((run) => findRefusal(run) ?? [])).toEqual([])
})
