import { setEnvironmentData } from 'node:worker_threads'
import { beforeAll, expect, it } from 'vitest'
import { listJobs } from '../../fuzz/run/check-conformance.ts'
import { profiles } from '../../fuzz/run/profiles.ts'
import { sizeJobs } from '../../fuzz/run/size-jobs.ts'
import { exportKeys, keysName } from '../../fuzz/world/idp/keys.ts'
import { findBreach } from './hunt.ts'
import { locateAll } from './stale.ts'
import { mutants } from './written/index.ts'

const property = 'accepts each code and each recovery code once'
const [located] = locateAll(mutants.filter(({ id }) => id === 'factor/code-reusable')).located

beforeAll(async () => setEnvironmentData(keysName, await exportKeys()))

it.each([
  ['any row as a match', () => true, { match: { row: 'SF-05', property } }],
  ['a row that is not wanted as another', () => false, { other: { row: 'SF-05', property } }],
])('a hunt reports %s', async (_name, isWanted, found) => {
  if (!located) throw new Error('the mutant does not exist')
  const jobs = sizeJobs(listJobs({}), profiles.smoke, 1).filter((job) => job.property === property)
  const reported = await findBreach(...located, jobs, isWanted)
  expect(reported).toMatchObject(found)
  expect('match' in reported).toBe('match' in found)
})
