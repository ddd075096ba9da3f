import fc from 'fast-check'
import type { RequirementId } from 'authmachine/spec'
import type { Setup } from '../targets/setup.ts'
import type { Feature } from '../targets/target.ts'
import type { World } from '../world/world.ts'

/**
 * A statement over all worlds, as data: the same list runs against every target, from the command line and in any test
 * runner.
 */
export interface Property {
  /** The invariants that it is about, the one that it is about first in front. */
  readonly proves: readonly [RequirementId, ...RequirementId[]]
  /** What holds, in one sentence; unique. */
  readonly name: string
  /** Who could do what, if it did not hold; for whoever reads a report. */
  readonly story: string
  /** What to look at first, when it fails. */
  readonly advice: string
  /** What it asks of a target beyond requests; one without it is not judged. @default [] */
  readonly needs?: readonly Feature[]
  /** The applications that it is about, by name; each is judged on its own. @default { database: {} } */
  readonly setups?: Readonly<Record<string, Setup>>
  /** How many cases have to be run at profile `ci`, at least; `smoke` runs a tenth, `nightly` twenty times as many. */
  readonly runs: number
  /** Situations that these cases have to come to, and how often at least; one not met makes the verdict INCONCLUSIVE. */
  readonly reaches?: Readonly<Record<string, number>>
  /** Something else about its cases: input, and what is done with it. */
  readonly input: fc.Arbitrary<unknown>
  /** @throws {Breach} where the target breaks the statement, {Unreached} where the case did not come to it */
  readonly run: (world: World, input: never) => Promise<void>
}

type Written<Input> = Omit<Property, 'input' | 'run'> & {
  /** @default nothing */
  readonly input?: fc.Arbitrary<Input>
  readonly run: (world: World, input: Input) => Promise<void>
}

/** Writes a property down. */
export function property<Input = undefined>(written: Written<Input>): Property {
  return { ...written, input: written.input ?? fc.constant(undefined) }
}

/** Both ways to keep sessions. */
export const bothStrategies = {
  database: { strategy: 'database' },
  jwt: { strategy: 'jwt' },
} as const satisfies Record<string, Setup>

/** The applications of a property. */
export function setupsOf({ setups }: Property): Readonly<Record<string, Setup>> {
  return setups ?? { database: {} }
}
