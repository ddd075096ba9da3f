import { setImmediate as nextTurn } from 'node:timers/promises'
import { requirement, type RequirementId } from 'authmachine/spec'
import { isEdge } from '../charts/is-edge.ts'
import type { Property } from '../properties/property.ts'
import type { Setup } from '../targets/setup.ts'
import type { Driver } from '../targets/target.ts'
import { Absent, Breach, Unreached } from '../world/breach.ts'
import type { ProviderName } from '../world/people.ts'
import { openWorld, type World } from '../world/world.ts'

/** The last failing case: the smallest one, once shrinking ends. */
export interface Failure {
  readonly error: unknown
  readonly world: World | undefined
}

type Counts = Record<string, number>

/** The tally of the cases of one property on one application. */
export interface Tally {
  runs: number
  /** Cases that finished, and checked a requirement. */
  proper: number
  /** Cases that an honest step stopped, and why the last of them stopped. */
  unreached: { times: number; why: string }
  /** Cases about something that the application lacks. */
  absent: { times: number; why: string }
  /** A requirement that failed before, and that a case broke again. */
  repeated: RequirementId | undefined
  failure: Failure | undefined
  /** The providers at whose sign-in routes cases sent requests. */
  readonly attempts: Set<ProviderName>
  /** How often cases reached each situation. */
  readonly spread: Counts
  /** How often cases checked each requirement, by its id and not an alias. */
  readonly checks: Counts
  readonly points: Counts
  readonly errors: Counts
  readonly hops: Counts
}

export function openTally(): Tally {
  const counts = (): Counts => Object.create(null)
  return {
    runs: 0,
    proper: 0,
    unreached: { times: 0, why: '' },
    absent: { times: 0, why: '' },
    repeated: undefined,
    failure: undefined,
    attempts: new Set(),
    spread: counts(),
    checks: counts(),
    points: counts(),
    errors: counts(),
    hops: counts(),
  }
}

/**
 * Runs one case, and adds it to the tally.
 *
 * @throws the value that breaks the property, for fast-check to shrink
 */
export async function runCase(
  property: Property,
  driver: Driver,
  setup: Setup,
  tally: Tally,
  [salt, input]: readonly [number, unknown],
  broken: readonly RequirementId[] = [],
): Promise<void> {
  tally.runs += 1
  let world: World | undefined
  let hasChecked = false
  const check = (id: RequirementId) => {
    hasChecked = true
    count(tally.checks, requirement(id).id)
  }
  try {
    world = await openWorld(driver, setup, salt, {
      check,
      reach: (situation) => count(tally.spread, situation),
      attempt: (provider) => void tally.attempts.add(provider),
    })
    // The input of a property is what its own arbitrary generates.
    await expectHandled(property.run(world, input as never))
    if (hasChecked) tally.proper += 1
    const { charts } = world
    const strange = world.playback?.hops.find((hop) => !isEdge(hop, charts))
    if (strange !== undefined)
      throw new Breach('MD-02', `the machine took a transition that its chart does not have: ${strange}`)
  } catch (error) {
    if (error instanceof Unreached) return noteUnreached(tally, error)
    const id = error instanceof Breach ? rowOf(property, error) : undefined
    if (id !== undefined && broken.includes(id)) {
      tally.repeated = id
      return
    }
    tally.failure = { error, world }
    throw error
  } finally {
    for (const hop of world?.playback?.hops ?? []) count(tally.hops, hop)
    for (const name of world?.plan.passed ?? []) count(tally.points, name)
    for (const { name } of world?.recorded.errors ?? []) count(tally.errors, name)
    await world?.close()
  }
}

/** Returns the requirement that a case broke. */
export function rowOf(property: Property, { id = property.proves[0] }: Breach): RequirementId {
  return requirement(id).id
}

function noteUnreached(tally: Tally, error: Unreached): void {
  const noted = error instanceof Absent ? tally.absent : tally.unreached
  noted.times += 1
  noted.why = error.message
}

/** @throws {Breach} for a rejection that nobody handles, which ends a Node process */
async function expectHandled(work: Promise<void>): Promise<void> {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    await work
    // A rejection is reported one turn of the event loop after it happens.
    await nextTurn()
  } finally {
    process.off('unhandledRejection', note)
  }
  if (unhandled.length > 0)
    throw new Breach('FI-12', `the target left a rejection unhandled: ${String(unhandled[0])}`)
}

function count(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
