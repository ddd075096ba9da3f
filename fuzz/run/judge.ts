import fc from 'fast-check'
import { isDrawn } from '../charts/drawn.ts'
import { setupsOf, type Property } from '../properties/property.ts'
import type { Driver } from '../targets/target.ts'
import { Absent, Breach, Unreached } from '../world/breach.ts'
import { openWorld, type World } from '../world/world.ts'
import { writeToken } from './replay.ts'
import type { Judgement } from './verdict.ts'
import { whyNot } from './why-not.ts'

/** How a property is to be run. */
export interface JudgeOptions {
  readonly seed: number
  /** Of the runs that it asks for; 1 at profile `ci`. */
  readonly share: number
  /** Milliseconds after which no new case is begun. */
  readonly limit: number
  /** Only the case at this place. */
  readonly path?: string | undefined
  /** Is the first case that fails enough? It is not made smaller then. @default false */
  readonly endOnFailure?: boolean
}

/** The last case that failed: when shrinking is over, the smallest one. */
interface Failure {
  readonly error: unknown
  readonly world: World | undefined
}

const { performance } = globalThis

/** Judges one property on one application of a target, in this thread. */
export async function judge(
  property: Property,
  setup: string,
  driver: Driver,
  options: JudgeOptions,
): Promise<Judgement> {
  const started = performance.now()
  const spread: Record<string, number> = Object.create(null)
  const points: Record<string, number> = Object.create(null)
  const errors: Record<string, number> = Object.create(null)
  const hops: Record<string, number> = Object.create(null)
  let runs = 0
  /** Cases that came to their end: one that the limit cut short is none. */
  let proper = 0
  let failure: Failure | undefined
  let unreached = { times: 0, why: '' }
  let absent = { times: 0, why: '' }
  const about = { property: property.name, setup, proves: property.proves }
  const report = (rest: Pick<Judgement, 'verdict' | 'broken' | 'finding' | 'reason'>): Judgement => ({
    ...about,
    ...rest,
    runs,
    spread,
    points,
    errors,
    ...(driver.takeHops && { hops }),
    took: Math.round(performance.now() - started),
  })

  const application = setupsOf(property)[setup]
  if (!application) throw new Error(`${property.name} has no application called ${setup}`)
  const excuse = whyNot(property, application, driver)
  if (excuse) return report(excuse)

  const wanted = Math.max(1, Math.ceil(property.runs * options.share))
  const reach = (situation: string) => count(spread, situation)
  const noteHops = (): readonly string[] => {
    const taken = driver.takeHops?.() ?? {}
    for (const [hop, times] of Object.entries(taken)) hops[hop] = (hops[hop] ?? 0) + times
    return Object.keys(taken)
  }
  const runCase = async (salt: number, input: unknown) => {
    // From the place of a replay fast-check would go on to what is next to it.
    if (options.path !== undefined && runs > 0) return
    runs += 1
    let world: World | undefined
    try {
      world = await openWorld(driver, application, salt, reach)
      await property.run(world, input as never)
      proper += 1
      const strange = noteHops().find((hop) => !isDrawn(hop))
      if (strange !== undefined)
        throw new Breach('MD-02', `the machine went a way that is not drawn: ${strange}`)
    } catch (error) {
      if (error instanceof Absent) {
        absent = { times: absent.times + 1, why: error.message }
        return
      }
      if (error instanceof Unreached) {
        unreached = { times: unreached.times + 1, why: error.message }
        return
      }
      failure = { error, world }
      throw error
    } finally {
      noteHops()
      if (world) for (const name of world.plan.passed) count(points, name)
      for (const { name } of world?.told.errors ?? []) count(errors, name)
      await world?.close()
    }
  }
  const details = await fc.check(fc.asyncProperty(fc.nat(), property.input, runCase), {
    seed: options.seed,
    numRuns: wanted,
    ...(options.path !== undefined && { path: options.path }),
    endOnFailure: options.endOnFailure ?? options.path !== undefined,
    interruptAfterTimeLimit: options.limit,
    markInterruptAsFailure: false,
  })

  if (details.failed && failure) {
    const { error, world } = failure
    const veil = world?.history.veil ?? String
    const says = veil(error instanceof Error ? error.message : String(error))
    const finding = {
      says,
      trace: world?.history.words ?? [],
      commands: world?.history.commands ?? [],
      input: veil(fc.stringify(details.counterexample?.[1])),
      replay: writeToken({ ...about, seed: options.seed, path: details.counterexamplePath ?? '' }),
    }
    if (error instanceof Breach)
      return report({ verdict: 'FAIL', broken: error.id ?? property.proves[0], finding })
    const stack = error instanceof Error ? error.stack?.split('\n').slice(0, 6).join('\n') : undefined
    return report({ verdict: 'ERROR', finding, reason: veil(stack ?? says) })
  }
  if (options.path !== undefined) return report({ verdict: 'PASS' })
  if (absent.times === runs) return report({ verdict: 'SKIP', reason: absent.why })
  if (proper < Math.ceil((wanted - absent.times) / 2)) {
    const why =
      unreached.times > 0 ? `, the others stopped because ${unreached.why}` : ', then the time was up'
    return report({
      verdict: 'INCONCLUSIVE',
      reason: `${proper} of ${wanted} cases came to what this is about${why}`,
    })
  }
  for (const [situation, least] of Object.entries(property.reaches ?? {})) {
    const reached = spread[situation] ?? 0
    // Few cases may miss a situation by luck, and are no evidence of anything.
    if (options.share >= 1 && reached < least)
      return report({
        verdict: 'INCONCLUSIVE',
        reason: `"${situation}" was reached ${reached} times, and has to be reached ${least} times`,
      })
  }
  return report({ verdict: 'PASS' })
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
