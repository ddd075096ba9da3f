/**
 * `npm run bench`: every job by this library, its peers and the floors, in turn in one process. `--quick` takes under 90
 * seconds, `--json` prints data, and names select jobs.
 */
import { answerAsProvider, origin } from './application.ts'
import { checkFloors } from './check-floors.ts'
import { checkSame } from './check-same.ts'
import {
  jobs,
  openBetterAuth,
  openContestant,
  ours,
  type AuthLibrary,
  type Contestant,
  type Job,
  type OpenBetterAuth,
} from './contestants.ts'
import { openAuthenticator } from '../../fuzz/world/webauthn/authenticator.ts'
import { openFloor } from './floors/open.ts'
import { loadPeer } from './load-peer.ts'
import { fullEffort, measure, quickEffort } from './measure.ts'
import { openOwnFlows } from './own-flows.ts'
import { present, type Asked, type Table } from './present.ts'
import { targets } from './targets.ts'
import { authenticatorAlone, describePrices, describeRows, type Row } from './timing-rows.ts'

async function timeJobs(asked: Asked): Promise<Table[]> {
  // Libraries that call a provider all call this mock.
  globalThis.fetch = answerAsProvider
  await checkFloors()
  const opened = await openContestant(ours)
  const mine = { ...opened, jobs: { ...opened.jobs, ...(await openOwnFlows()) } }
  // Before any peer is loaded. An application contains one library, and functions of the runtime that several libraries
  // call in different ways become slower.
  const besideFloors = await timeBeside(
    mine,
    [await openFloor('protected floor'), await openFloor('bare floor'), openAuthenticatorAlone()],
    asked,
  )
  const besidePeers = await timeBeside(mine, await openPeers(), asked, (job, able) =>
    able.includes(mine) ? checkSame(job, able) : undefined,
  )
  return [
    describeRows('Requests, beside the floors', besideFloors),
    describePrices(besideFloors),
    describeRows('Requests, beside other libraries', besidePeers),
  ]
}

async function openPeers(): Promise<readonly Contestant[]> {
  const { library } = await loadPeer<{ library: AuthLibrary }>('auth-core')
  const { openBetterAuth: open } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
  return [await openContestant(library), await openBetterAuth(open), await openBetterAuth(open, 'jwe')]
}

/** Times each job by this library and the others that support it. */
async function timeBeside(
  mine: Contestant,
  others: readonly Contestant[],
  { isQuick, names }: Asked,
  check?: (job: Job, able: readonly Contestant[]) => unknown,
): Promise<readonly Row[]> {
  const effort = isQuick ? quickEffort : fullEffort
  const rows: Row[] = []
  for (const job of jobs.filter((name) => names.length === 0 || names.includes(name))) {
    const able = [mine, ...others].filter((each) => each.jobs[job])
    if (able.every((each) => each === mine)) continue
    await check?.(job, able)
    const variants = able.flatMap(({ name, jobs: { [job]: run } }) => (run ? [{ name, run }] : []))
    for (const inFlight of targets.some((each) => each.job === job && each.inFlight === 16) ? [1, 16] : [1])
      rows.push({ job, inFlight, timings: await measure(variants, inFlight, effort) })
    console.error(`measured: ${job}`)
  }
  return rows
}

/** Signs a challenge as the user's device does, to tell its time from that of the servers. */
function openAuthenticatorAlone(): Contestant {
  const authenticator = openAuthenticator(origin)
  const options = { challenge: 'c'.repeat(43), rpId: 'app.test' }
  authenticator.create({ ...options, rp: { id: options.rpId }, user: { id: 'a user', name: '' } })
  return { name: authenticatorAlone, jobs: { 'passkey sign-in': () => authenticator.get(options) } }
}

await present(timeJobs)
