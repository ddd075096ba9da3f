/**
 * `npm run bench:profile`: where the time of a request goes, by samples of the processor, for ours and for the floor in
 * turn. Names of jobs restrict it to those.
 */
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { answerAsProvider } from './application.ts'
import { openContestant, ours, requestJobs, type Job } from './contestants.ts'
import { openFloor } from './floor.ts'
import { present, type Asked, type Table } from './present.ts'

/** Microseconds between two samples. One that comes much later counts as three: another process had the processor. */
const interval = 100

/**
 * What a frame of the stack belongs to, by its file and function. The innermost frame that belongs to something decides;
 * what is in no row, such as the runtime's cryptography and its timers, is part of what called it.
 */
const places: readonly (readonly [name: string, frame: RegExp])[] = [
  ['new Request', /undici _?Request$/],
  ['new Response', /undici (_?Response|json)$/],
  ['tokens, sealed and opened', /\/src\/token\/|\/floor\.ts (seal|open|sign)$/],
  ['CSRF tokens', /\/(http\/csrf|session\/csrf-cookie|steps\/check-csrf)\.ts|\/floor\.ts (demand|open)Csrf$/],
  ['cookies, read and written', /\/src\/cookies\/|\/floor\.ts (cookieOf|setSession)$/],
  ['requests to the provider', /\/src\/oauth\/|\/oauth4webapi\//],
  ['drawing', /\/src\/(pages|markup)\/|\/preact/],
  ['the request read, the answer written', /\/src\/http\//],
  ['the driver of the charts, with deadlines', /\/src\/flows\//],
  ['steps', /\/src\/(steps|session|linking|email|config|routes)\//],
  ['handler', /\/src\/(handler\/|index\.ts)/],
  ['straight code', /\/bench\/floor\.ts/],
  ['browser and provider', /\/bench\//],
]
const rest = 'the rest, with the garbage collection'

/** Microseconds by place, of so many runs. */
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

/** Runs both in turn, a slice each, and samples what they do. */
async function profile(
  runs: readonly (() => unknown)[],
  slices: number,
  session: Session,
): Promise<Ledger[]> {
  const ledgers = runs.map((): Ledger => ({ runs: 0, spent: new Map() }))
  for (let slice = 0; slice < slices; slice++)
    for (const [index, run] of runs.entries()) {
      const ledger = ledgers[index] as Ledger
      const until = performance.now() + 250
      // What runs first runs uncompiled.
      const isWarm = slice >= slices / 2
      if (isWarm) await session.post('Profiler.start')
      for (; performance.now() < until; ledger.runs += isWarm ? 1 : 0) await run()
      if (isWarm) enter((await session.post('Profiler.stop')).profile, ledger)
    }
  return ledgers
}

const total = ({ spent }: Ledger) => [...spent.values()].reduce((sum, each) => sum + each, 0)

/** Each place's time in a run, in hundredths of what the floor takes in all; or ours, where there is no floor. */
function describe(job: Job, ledgers: readonly Ledger[]): string[][] {
  const base = ledgers.at(-1) as Ledger
  const show = (time: number, { runs }: Ledger) =>
    ((time / runs / (total(base) / base.runs)) * 100).toFixed(0)
  const ranked = [...places.map(([name]) => name), rest]
    .map((place) => [place, ...ledgers.map((each) => show(each.spent.get(place) ?? 0, each))] as const)
    .filter(([, ...shares]) => shares.some((share) => share !== '0'))
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
  const contestants = [await openContestant(ours), openFloor()]
  const rows: string[][] = []
  for (const job of requestJobs.filter((name) => names.length === 0 || names.includes(name))) {
    const runs = contestants.flatMap(({ jobs }) => jobs[job] ?? [])
    rows.push(...describe(job, await profile(runs, isQuick ? 12 : 60, session)))
    console.error(`profiled: ${job}`)
  }
  session.disconnect()
  return [
    {
      title: 'Where the time goes',
      about:
        'One run by what its time is spent on, in hundredths of the time that the floor takes in all, or of its own where ' +
        'there is no floor. Samples of the processor; cryptography counts to what asks for it.',
      head: ['job', 'what', 'ours', 'floor'],
      rows,
    },
  ]
}

await present(profileJobs)
