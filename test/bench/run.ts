/**
 * `npm run bench`: every job of the table, by this library, its peers, and the floor, in turn in one process. `--quick`
 * takes under 90 seconds, `--json` prints data, and names of jobs restrict it to those.
 */
import { parseArgs } from 'node:util'
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
import { printTable, type Row } from './print-table.ts'
import { targets } from './targets.ts'

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' } },
  allowPositionals: true,
})
const effort = values.quick ? { warmUp: 400, rounds: 9, slice: 25 } : { warmUp: 1500, rounds: 25, slice: 80 }

// Who calls a provider calls this one, and all of them the same.
globalThis.fetch = answerAsProvider as typeof fetch

const { library } = await loadPeer<{ library: AuthLibrary }>('auth-core')
const { openBetterAuth: open } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
const contestants = [
  await openContestant(ours),
  openFloor(),
  await openContestant(library),
  await openBetterAuth(open, false),
  await openBetterAuth(open, true),
]

const rows: Row[] = []
for (const job of jobs) {
  if (positionals.length > 0 && !positionals.includes(job)) continue
  const able = contestants.filter((each) => each.jobs[job])
  await checkSame(job, able)
  const variants = able.flatMap(({ name, jobs: { [job]: run } }) => (run ? [{ name, run }] : []))
  for (const inFlight of targets.some((each) => each.job === job && each.inFlight === 16) ? [1, 16] : [1])
    rows.push({ job, inFlight, timings: await measure(variants, inFlight, effort) })
  if (!values.json) console.error(`measured: ${job}`)
}
console.log(values.json ? JSON.stringify({ node: process.version, effort, rows }, null, 2) : printTable(rows))
