/**
 * `npm run bench`: every job by this library, its peers and the floor, in turn in one process. `--quick` takes under 90
 * seconds, `--json` prints data, and names select jobs.
 */
import { answerAsProvider } from './application.ts'
import { checkSame } from './check-same.ts'
import {
  jobs,
  openBetterAuth,
  openContestant,
  ours,
  type AuthLibrary,
  type OpenBetterAuth,
} from './contestants.ts'
import { openFloor } from './floor.ts'
import { loadPeer } from './load-peer.ts'
import { measure } from './measure.ts'
import { present, type Asked, type Table } from './present.ts'
import { targets } from './targets.ts'
import { describeRows, type Row } from './timing-rows.ts'

async function timeJobs({ isQuick, names }: Asked): Promise<Table[]> {
  // Libraries that call a provider all call this mock.
  globalThis.fetch = answerAsProvider
  const effort = isQuick ? { warmUp: 400, rounds: 9, slice: 25 } : { warmUp: 3000, rounds: 25, slice: 80 }
  const { library } = await loadPeer<{ library: AuthLibrary }>('auth-core')
  const { openBetterAuth: open } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
  const contestants = [
    await openContestant(ours),
    openFloor(),
    await openContestant(library),
    await openBetterAuth(open),
    await openBetterAuth(open, 'jwe'),
  ]
  const rows: Row[] = []
  for (const job of jobs.filter((name) => names.length === 0 || names.includes(name))) {
    const able = contestants.filter((each) => each.jobs[job])
    await checkSame(job, able)
    const variants = able.flatMap(({ name, jobs: { [job]: run } }) => (run ? [{ name, run }] : []))
    for (const inFlight of targets.some((each) => each.job === job && each.inFlight === 16) ? [1, 16] : [1])
      rows.push({ job, inFlight, timings: await measure(variants, inFlight, effort) })
    console.error(`measured: ${job}`)
  }
  return [describeRows(rows)]
}

await present(timeJobs)
