/**
 * `npm run bench -- profile`: samples the processor to show where requests spend their time, for this library and the
 * floors in turn. Names select jobs.
 */
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { answerAsProvider } from './application.ts'
import { openContestant, ours, jobs as allJobs, type Job } from './contestants.ts'
import { openFloor } from './floors/open.ts'
import { openOwnFlows } from './own-flows.ts'
import { present, type Asked, type Table } from './present.ts'

/**
 * Microseconds between two samples. A longer gap counts as three at most, because another process had the processor.
 */
const interval = 100

/**
 * Maps a stack frame to a place by its file and function. The innermost matching frame decides. Frames that match no
 * row, such as the runtime's cryptography and timers, count as part of their caller.
 */
const places: readonly (readonly [name: string, frame: RegExp])[] = [
  ['new Request', /undici _?Request$/],
  ['new Response', /undici (_?Response|json)$/],
  ['sealing and opening tokens', /\/src\/token\/|\/floors\/codec\.ts (seal|open|sign)$/],
  ['CSRF tokens', /\/(http\/csrf|shared\/check-csrf)\.ts|\/floors\/\w+\.ts (demand|open|renew)Csrf$/],
  [
    'reading and writing cookies',
    /\/src\/cookies\/|\/floors\/\w+\.ts (cookie|cookieOf|findCookie|sessionCookie|readCookies)$/,
  ],
  ['requests to the provider', /\/src\/oauth\/|\/oauth4webapi\/|\/guards\.ts fetchJson$/],
  ['verifying passkeys', /\/@simplewebauthn\/|\/src\/webauthn\//],
  ['rendering', /\/src\/pages\/|\/preact/],
  ['reading the request, writing the response', /\/src\/http\/|\/guards\.ts read|\/protected\.ts answer$/],
  ['engine, with deadlines', /\/src\/flows\/engine\//],
  ['steps', /\/src\/(flows|session|config)\//],
  ['handler', /\/src\/(handler\/|create-auth\.ts|index\.ts)/],
  ['straight-line code', /\/bench\/floors\//],
  ['browser and provider', /\/bench\//],
]
const rest = 'the rest, with garbage collection'

/** Microseconds by place, over a number of runs. */
interface Ledger {
  runs: number
  readonly spent: Map<string, number>
}

function enter({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, { spent }: Ledger): void {
  const nodesById = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const placeOf = (id: number | undefined): string => {
    const frame = id === undefined ? undefined : nodesById.get(id)?.callFrame
    if (id === undefined || !frame) return rest
    const text = `${frame.url} ${frame.functionName}`
    return places.find(([, pattern]) => pattern.test(text))?.[0] ?? placeOf(parents.get(id))
  }
  const known = new Map(nodes.map(({ id }) => [id, placeOf(id)]))
  samples.forEach((id, index) => {
    const place = known.get(id) ?? rest
    const took = Math.max(0, Math.min(timeDeltas[index] ?? 0, 3 * interval))
    spent.set(place, (spent.get(place) ?? 0) + took)
  })
}

/** Runs both in turn, one slice each, and samples them. */
async function profile(
  runs: readonly ((() => unknown) | undefined)[],
  slices: number,
  session: Session,
): Promise<Ledger[]> {
  const ledgers = runs.map((): Ledger => ({ runs: 0, spent: new Map() }))
  for (let slice = 0; slice < slices; slice++)
    for (const [index, run] of runs.entries()) {
      if (!run) continue
      const ledger = ledgers[index] as Ledger
      const until = performance.now() + 250
      // The first run is not compiled yet.
      const isWarm = slice >= slices / 2
      if (isWarm) await session.post('Profiler.start')
      do {
        await run()
        if (isWarm) ledger.runs++
      } while (performance.now() < until)
      if (isWarm) enter((await session.post('Profiler.stop')).profile, ledger)
    }
  return ledgers
}

const total = ({ spent }: Ledger) => [...spent.values()].reduce((sum, each) => sum + each, 0)

/** The jobs that handle requests. */
const profiled = allJobs.filter((job) => !/code/.test(job))

/** The time of each place per run, in percent of the bare floor's total; without a floor, of the library's own total. */
function describe(job: Job, ledgers: readonly Ledger[]): string[][] {
  const base = ledgers.findLast(({ runs }) => runs > 0) as Ledger
  const show = (time: number, { runs }: Ledger) =>
    runs === 0 ? '' : ((time / runs / (total(base) / base.runs)) * 100).toFixed(0)
  const ranked = [...places.map(([name]) => name), rest]
    .map((place) => [place, ...ledgers.map((each) => show(each.spent.get(place) ?? 0, each))] as const)
    .filter(([, ...shares]) => shares.some((share) => share !== '0' && share !== ''))
    .toSorted(([, a], [, b]) => Number(b) - Number(a))
  const all = ['all', ...ledgers.map((each) => show(total(each), each))]
  return [all, ...ranked].map((cells, index) => [index === 0 ? job : '', ...cells])
}

async function profileJobs({ isQuick, names }: Asked): Promise<Table[]> {
  globalThis.fetch = answerAsProvider
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval })
  const mine = await openContestant(ours)
  const contestants = [
    { name: 'ours', jobs: { ...mine.jobs, ...(await openOwnFlows()) } },
    await openFloor('protected floor'),
    await openFloor('bare floor'),
  ]
  const rows: string[][] = []
  for (const job of profiled.filter((name) => names.length === 0 || names.includes(name))) {
    const runs = contestants.map(({ jobs }) => jobs[job])
    rows.push(...describe(job, await profile(runs, isQuick ? 6 : 16, session)))
    console.error(`profiled: ${job}`)
  }
  session.disconnect()
  return [
    {
      title: 'Where the time goes',
      about:
        'Where one run spends its time, in percent of the total time of the bare floor, or of the job’s total time if ' +
        'there is no floor. CPU samples; cryptography is counted under its caller.',
      head: ['job', 'what', 'ours', 'protected floor', 'bare floor'],
      rows,
    },
  ]
}

await present(profileJobs)
