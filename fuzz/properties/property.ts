import fc from 'fast-check'
import { requirement, type RequirementId } from 'authmachine/spec'
import type { Severity } from '../causes.ts'
import type { Setup } from '../targets/setup.ts'
import type { Feature } from '../targets/target.ts'
import type { World } from '../world/world.ts'

/**
 * A claim about every application, as data: the same list runs against every target, from the command line and in any
 * test runner.
 */
export interface Property {
  /** The requirements it proves, the main one first. */
  readonly proves: readonly [RequirementId, ...RequirementId[]]
  /** The expected behaviour, in one phrase; unique. */
  readonly name: string
  /** What goes wrong for real people if the property fails. Shown in reports. */
  readonly story: string
  /** The fix to try first if it fails. */
  readonly advice: string
  /** The attacker's gain if the property fails, if it differs from the worst case of its requirements. */
  readonly severity?: Severity
  /** Features of a target beyond requests; a target without them skips the property. @default [] */
  readonly needs?: readonly Feature[]
  /**
   * Whether its cases use only the methods of browsers, so that it also tests applications with custom routes.
   *
   * @default whether it needs a description
   */
  readonly portable?: boolean
  /** The applications to test, by name. Each gets a separate verdict. @default { database: {} } */
  readonly setups?: Readonly<Record<string, Setup>>
  /**
   * The number of cases that profile `ci` runs on each application. `smoke` divides a tenth of them, or at least ten in
   * process, among the applications; `nightly` runs twenty times as many.
   */
  readonly runs: number
  /** Situations that the cases must reach, with minimum counts; if one is missed, the verdict is INCONCLUSIVE. */
  readonly reaches?: Readonly<Record<string, number>>
  /**
   * A finite list of inputs that a run starts with, in an order that its seed decides. A short list, and that of a running
   * application, is never cut.
   *
   * @default []
   */
  readonly cases?: readonly unknown[]
  /**
   * Finite lists of members of the input: a run begins with each of them, and draws the other members. So it reaches every
   * situation that one member decides, whatever chance draws.
   *
   * @default []
   */
  readonly parts?: readonly object[]
  /** Generates the input of a case. */
  readonly input: fc.Arbitrary<unknown>
  /** Runs one case. @throws {Breach} if the target breaks the property, {Unreached} if the case does not apply */
  readonly run: (world: World, input: never) => Promise<void>
}

type Written<Input> = Omit<Property, 'cases' | 'parts' | 'input' | 'run'> & {
  readonly cases?: readonly Input[]
  readonly parts?: readonly Partial<NoInfer<Input>>[]
  /** @default nothing */
  readonly input?: fc.Arbitrary<Input>
  readonly run: (world: World, input: Input) => Promise<void>
}

/** Defines a property. Aliases of requirements are replaced by their ids, so that reports and reasons find one row. */
export function property<Input = undefined>(written: Written<Input>): Property {
  const [first, ...others] = written.proves
  const main = requirement(first).id
  const rest = new Set(others.map((id) => requirement(id).id))
  rest.delete(main)
  return { ...written, proves: [main, ...rest], input: written.input ?? fc.constant(undefined) }
}

/** Returns whether a property needs what only the description of a running application names. */
export function isDescribed({ needs = [] }: Property): boolean {
  return needs.includes('description') || needs.includes('custom-routes')
}

/** Returns whether a property also tests applications with custom routes. */
export function isPortable(each: Property): boolean {
  return each.portable ?? isDescribed(each)
}

/** Both session strategies. */
export const bothStrategies = {
  database: { strategy: 'database' },
  jwt: { strategy: 'jwt' },
} as const satisfies Record<string, Setup>

/** Returns the applications of a property. */
export function setupsOf({ setups }: Property): Readonly<Record<string, Setup>> {
  return setups ?? { database: {} }
}
