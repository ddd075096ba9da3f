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
  type OpenBetterAuth,
} from './contestants.ts'
import { openAuthenticator } from '../../fuzz/world/webauthn/authenticator.ts'
import { openFloor } from './floors/open.ts'
import { loadPeer } from './load-peer.ts'
import { measure } from './measure.ts'
import { openOwnFlows } from './own-flows.ts'
import { present, type Asked, type Table } from './present.ts'
import { targets } from './targets.ts'
import { authenticatorAlone, describePrices, describeRows, type Row } from './timing-rows.ts'

async function timeJobs({ isQuick, names }: Asked): Promise<Table[]> {
  // Libraries that call a provider all call this mock.
  globalThis.fetch = answerAsProvider
  const effort = isQuick ? { warmUp: 400, rounds: 9, slice: 25 } : { warmUp: 1500, rounds: 25, slice: 80 }
  const { library } = await loadPeer<{ library: AuthLibrary }>('auth-core')
  const { openBetterAuth: open } = await loadPeer<{ openBetterAuth: OpenBetterAuth }>('better-auth')
  await checkFloors()
  const mine = await openContestant(ours)
  const contestants: readonly Contestant[] = [
    { ...mine, jobs: { ...mine.jobs, ...(await openOwnFlows()) } },
    await openFloor('protected floor'),
    await openFloor('bare floor'),
    openAuthenticatorAlone(),
    await openContestant(library),
    await openBetterAuth(open),
    await openBetterAuth(open, 'jwe'),
  ]
  const rows: Row[] = []
  for (const job of jobs.filter((name) => names.length === 0 || names.includes(name))) {
    const able = contestants.filter((each) => each.jobs[job])
    if (mine.jobs[job])
      await checkSame(
        job,
        able.filter(({ name }) => !name.endsWith('floor')),
      )
    const variants = able.flatMap(({ name, jobs: { [job]: run } }) => (run ? [{ name, run }] : []))
    for (const inFlight of targets.some((each) => each.job === job && each.inFlight === 16) ? [1, 16] : [1])
      rows.push({ job, inFlight, timings: await measure(variants, inFlight, effort) })
    console.error(`measured: ${job}`)
  }
  return [describeRows(rows), describePrices(rows)]
}

/** Signs a challenge as the user's device does, to tell its time from that of the servers. */
function openAuthenticatorAlone(): Contestant {
  const authenticator = openAuthenticator(origin)
  const options = { challenge: 'c'.repeat(43), rpId: 'app.test' }
  authenticator.create({ ...options, rp: { id: options.rpId }, user: { id: 'a user', name: '' } })
  return { name: authenticatorAlone, jobs: { 'passkey sign-in': () => authenticator.get(options) } }
}

await present(timeJobs)
