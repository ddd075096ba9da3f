import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listJobs } from '../../fuzz/run/check-conformance.ts'
import { runThread, type Renewal } from '../../fuzz/run/run-thread.ts'
import { findTarget, type LibraryPlace } from '../../fuzz/targets/find-target.ts'
import { readToken, writeToken } from '../../fuzz/run/replay.ts'
import { checkConformance, exitCodeOf, replayCase, type ConformanceReport } from '../../fuzz/index.ts'

const unbound = fileURLToPath(new URL('unbound.ts', import.meta.url))
const options = { only: ['TX-05'], threads: 1 } as const

describe('a campaign against a library that does not bind callbacks to a sign-in', () => {
  let report: ConformanceReport

  beforeAll(async () => {
    report = await checkConformance(unbound, { ...options, seed: 1 })
  }, 120_000)

  it('detects it, and shows the steps in words, without requests that nobody could send', () => {
    expect(exitCodeOf(report)).toBe(1)
    const failed = report.judgements.filter(({ verdict }) => verdict === 'FAIL')
    expect(failed.map(({ broken }) => broken)).toContain('TX-05')
    for (const { finding } of failed) {
      expect(finding?.trace.length).toBeGreaterThan(1)
      expect(finding?.commands).toEqual([])
      expect(finding?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it('reproduces a failure from its token at the first attempt, with an identical result in another thread', async () => {
    const failed = report.judgements.find(({ verdict }) => verdict === 'FAIL')
    const again = await replayCase(unbound, failed?.finding?.replay ?? '')
    const elsewhere = { ...readToken(failed?.finding?.replay ?? ''), setup: '__proto__' }
    expect(await replayCase(unbound, writeToken(elsewhere))).toMatchObject({ verdict: 'ERROR' })
    expect(again).toMatchObject({ verdict: 'FAIL', broken: failed?.broken, runs: 1 })
    expect(again.finding).toEqual(failed?.finding)
  }, 120_000)
})

describe('a campaign', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'authmachine-target-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each([
    ['throws when it is loaded', `throw new Error('it does not load')`, 'it does not load'],
    ['exports no target', 'export default 1', 'expected a default export with a function "open", got number'],
  ])(
    'reports ERROR, and fails, for a module that %s',
    async (_, source, complaint) => {
      const module = join(folder, `${complaint.length}.mjs`)
      await writeFile(module, source)
      // Only one property on one application.
      const report = await checkConformance(module, { ...options, only: ['IL-07'] })
      expect(new Set(report.judgements.map(({ verdict }) => verdict))).toEqual(new Set(['ERROR']))
      expect(report.judgements[0]?.reason).toContain(complaint)
      expect(exitCodeOf(report)).toBe(2)
    },
    120_000,
  )

  it('does not fail a target because of state from earlier cases', async () => {
    const module = join(folder, 'forgetful.mjs')
    const source = `import { unbound } from ${JSON.stringify(new URL('broken-targets.ts', import.meta.url).href)}
      import ours from ${JSON.stringify(new URL('../../fuzz/targets/ours.ts', import.meta.url).href)}
      let opened = 0
      export default { ...unbound, open: (config) => ((opened += 1) > 1 ? unbound : ours).open(config) }`
    await writeFile(module, source)
    const report = await checkConformance(module, { ...options, seed: 1 })
    expect(report.judgements.map(({ verdict }) => verdict)).not.toContain('FAIL')
    const reasons = report.judgements.map(({ verdict, reason }) => `${verdict}: ${reason}`)
    const why = 'INCONCLUSIVE: a case failed after others, but not on its own'
    expect(reasons.filter((each) => each.startsWith(why))).not.toEqual([])
  }, 120_000)

  it('starts no property after the time limit, and says so', async () => {
    const report = await checkConformance(unbound, { ...options, time: 0 })
    expect(report.judgements[0]).toMatchObject({
      verdict: 'INCONCLUSIVE',
      reason: 'the campaign’s time limit was reached',
    })
    expect(exitCodeOf(report)).toBe(3)
  })
})

describe('a worker thread', () => {
  it('reloads a target’s modules for each property, or after an uncertain result, if it can', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'authmachine-target-'))
    await writeFile(join(folder, 'kept.mjs'), 'export const kept = []')
    const source = `import { kept } from './kept.mjs'
      export default { capabilities: [], open() { throw new Error('opened ' + kept.push(1)) } }`
    await writeFile(join(folder, 'target.mjs'), source)
    const url = pathToFileURL(folder).href
    const place: LibraryPlace = { kind: 'library', name: 'counting', module: `${url}/target.mjs` }
    const [job] = listJobs({ only: ['TX-05'] }).map((each) => ({
      ...each,
      seed: 1,
      share: 0.01,
      limit: 30_000,
    }))
    const reasonsOf = async (target: LibraryPlace, renewal?: Renewal) => {
      const reasons: (string | undefined)[] = []
      await runThread(
        target,
        job ? [job, job] : [],
        ({ reason }) => void reasons.push(reason?.split('\n')[0]),
        renewal,
      )
      return reasons
    }
    const renewable = { ...place, renewable: [`${url}/`] }
    const kept = ['Error: opened 3', 'Error: opened 6']
    const reopened = ['Error: opened 3', 'Error: opened 3']
    expect(await reasonsOf(place)).toEqual(kept)
    expect(await reasonsOf(renewable)).toEqual(reopened)
    // The second property runs with the state that the first one left behind, fails, and is judged again.
    expect(await reasonsOf(renewable, 'doubtful')).toEqual(reopened)
    expect(await reasonsOf(renewable, 'never')).toEqual(kept)
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  it('reports nothing after it was stopped', async () => {
    const jobs = listJobs({ only: ['IL-07', 'IL-08', 'RD-01'], profile: 'smoke' }).map((job) => ({
      ...job,
      seed: 1,
      share: 0.01,
      limit: 30_000,
    }))
    expect(jobs.length).toBeGreaterThan(2)
    const received: string[] = []
    await runThread(findTarget('ours') as LibraryPlace, jobs, ({ property }) => {
      received.push(property)
      // Gives the thread time to continue before the stop message arrives.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
      return false
    })
    expect(received).toEqual([jobs[0]?.property])
  }, 60_000)
})
