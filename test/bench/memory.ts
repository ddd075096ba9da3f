/** `npm run bench -- memory`: the heap growth of each flow. Restarts itself with `--expose-gc`. */
import { spawnSync } from 'node:child_process'
import { answerAsProvider } from './application.ts'
import { openContestant, ours, requestJobs } from './contestants.ts'
import { openOwnFlows, ownFlows } from './own-flows.ts'
import { present, show, type Asked, type Table } from './present.ts'

const kinds = [...requestJobs, ...ownFlows] as const

/** Bytes in use after garbage collection. Some memory is freed only by a second collection. */
async function readHeap(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}

async function measureHeap({ isQuick, names }: Asked): Promise<Table[]> {
  globalThis.fetch = answerAsProvider
  const jobs = { ...(await openContestant(ours)).jobs, ...(await openOwnFlows()) }
  const flows = isQuick ? 5000 : 30_000
  const rows: string[][] = []
  for (const kind of kinds.filter((name) => names.length === 0 || names.includes(name))) {
    const run = jobs[kind] ?? (() => undefined)
    for (let flow = 0; flow < 2_000; flow++) await run()
    const before = await readHeap()
    for (let flow = 0; flow < flows; flow++) await run()
    const kept = (await readHeap()) - before
    rows.push([
      kind,
      show(flows),
      show(kept / 1000),
      (kept / flows).toFixed(2),
      kept / flows <= 16 ? 'met (16)' : 'missed (16)',
    ])
    console.error(`measured: ${kind}`)
  }
  return [
    {
      title: 'Memory',
      about:
        'Growth of the heap, after garbage collection, during the given number of flows and after a warm-up of 2,000. A negative value means that the heap shrank.',
      head: ['flow', 'flows', 'growth in kB', 'bytes per flow', 'target'],
      rows,
    },
  ]
}

if (globalThis.gc) await present(measureHeap)
else {
  const [program = '', ...args] = process.argv.slice(1)
  process.exitCode =
    spawnSync(process.execPath, ['--expose-gc', program, ...args], { stdio: 'inherit' }).status ?? 1
}
