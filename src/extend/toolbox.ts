import { stepNames, writtenOf } from '../../machines/chart.ts'
import { admitting } from '../../machines/feature.ts'
import type { Chart, CompoundState } from '../../machines/states.ts'
import type { Facts } from '../flows/engine/facts.ts'
import type { Checked, Ending, FinalNames } from '../flows/engine/check-types.ts'
import { flow, type Flow } from '../flows/engine/flow.ts'
import type { AnyStep, Fact } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import type { FeatureFlow, FeatureResult, FeatureTools } from '../types/feature.ts'
import { admissionOutcomes, admissionStepsAt, coreOutcomes, coreSteps } from './core-steps.ts'
import { toolsOf } from './tools.ts'

/**
 * The facts that features share with the library: the approved callback URL, the signed-in user, the user of a held
 * sign-in, a proven identity, an approval, an attempt that the site may refuse, an expected failure, and an exception.
 */
export type SharedFacts = Pick<
  Facts,
  'callbackUrl' | 'currentUser' | 'subject' | 'identity' | 'approval' | 'attempt' | 'failure' | 'fault'
>

type Admitted = keyof typeof admissionOutcomes

type Keys<T> = keyof T & string
type Says<F> = { readonly [event: string]: readonly (keyof F)[] }
type Given<F, N extends keyof F, M extends keyof F> = Pick<F, N> & { readonly [K in M]?: F[K] | undefined }
type Report<F, S extends Says<F>> = {
  [E in Keys<S>]: { readonly type: E } & Pick<F, S[E][number]>
}[Keys<S>]

/** Declares the steps, outcomes and flows of one feature, typed with its own facts and options. */
export interface Toolbox<F, Options> {
  /**
   * Declares a step: the facts that it needs, those that it may use, and the events that it reports, with the facts that
   * each brings. An exception becomes the event `fault`.
   */
  step<const S extends Says<F>, const N extends keyof F = never, const M extends keyof F = never>(d: {
    readonly needs?: readonly N[]
    readonly may?: readonly M[]
    readonly says: S
    run(facts: Given<F, N, M>, tools: FeatureTools<Options>): MaybePromise<Report<F, S>>
  }): Omit<AnyStep, 'says'> & { readonly says: S }
  /** Declares the response of a final state. */
  outcome<const N extends keyof F = never, const M extends keyof F = never>(d: {
    readonly needs?: readonly N[]
    readonly may?: readonly M[]
    answer(facts: Given<F, N, M>, tools: FeatureTools<Options>): FeatureResult
  }): Ending
  /**
   * Combines a chart with its steps and outcomes. The compiler reports a missing step, an event that no state handles, an
   * edge that no step takes, and a missing outcome. The states that `authmachine/extend` exports bring theirs.
   */
  flow<const C extends Chart, const St>(d: {
    readonly chart: C &
      Checked<C, St & typeof coreSteps & Omit<ReturnType<typeof admissionStepsAt>, keyof St>>
    readonly steps: St
    readonly outcomes: {
      readonly [S in Exclude<FinalNames<C['states']>, keyof typeof coreOutcomes | Admitted>]: object
    } & { readonly [S in Admitted]?: object }
  }): FeatureFlow
}

/** Says in the errors of the compiler which facts have names of the library. */
interface RenameTheseFacts<Names> {
  readonly 'the library has these facts, so give them other names': Names
}

/**
 * Returns the helpers for the flows of a feature. Its facts are private to it: another feature may have others of the same
 * name. A fact of the library's name does not compile: the result then has no members.
 *
 * @returns functions that declare steps, outcomes and flows
 * @example const { step, outcome, flow } = toolbox<{ answer: string }, { url: string }>()
 */
export function toolbox<Own extends object = object, Options = undefined>(): keyof Own &
  keyof Facts extends never
  ? Toolbox<SharedFacts & Own, Options>
  : RenameTheseFacts<keyof Own & keyof Facts>
export function toolbox<Own extends object, Options>(): object {
  const made: Toolbox<SharedFacts & Own, Options> = {
    step: (d) => ({ ...makeStep<Options>(d), says: d.says }),
    outcome: (d) => makeOutcome<Options>(d),
    flow: (d) => composeFlow(d),
  }
  return made
}

/**
 * A step or an outcome without the types of its facts, which the feature has already checked. The engine treats all
 * facts alike.
 */
interface Declared {
  readonly needs?: readonly PropertyKey[]
  readonly may?: readonly PropertyKey[]
}
interface DeclaredStep<Options> extends Declared {
  run(facts: object, tools: FeatureTools<Options>): MaybePromise<{ readonly type: string }>
}
interface DeclaredOutcome<Options> extends Declared {
  answer(facts: object, tools: FeatureTools<Options>): FeatureResult
}

function namesOf({ needs = [], may = [] }: Declared) {
  return { needs: needs as readonly Fact[], may: may as readonly Fact[] }
}

function makeStep<Options>(d: DeclaredStep<Options>): Omit<AnyStep, 'says'> {
  return { ...namesOf(d), run: (facts, world) => d.run(facts, toolsFor<Options>(facts, world)) }
}

function makeOutcome<Options>(d: DeclaredOutcome<Options>): Ending {
  return { ...namesOf(d), answer: (facts, world) => d.answer(facts, toolsFor<Options>(facts, world)) }
}

/** The facts of a feature are not those of the library's type, but the engine treats all alike. */
function composeFlow(d: { readonly chart: Chart; readonly steps: unknown; readonly outcomes: object }): Flow {
  const { chart } = d
  const own = d.steps as Readonly<Record<string, AnyStep>>
  const at = findAdmitting(chart)
  const place = at === undefined ? undefined : { flow: chart.id, at, facts: factsOfIdentity }
  const admission = place && admissionStepsAt(place)
  if (place && admission) requireOnlyAdmission(chart, place.at, own, admission)
  const composed = {
    chart,
    begins: ['visit'],
    // Those of the library count, so that no feature replaces the CSRF check (FT-05).
    steps: { ...own, ...admission, ...coreSteps },
    outcomes: { ...coreOutcomes, ...admissionOutcomes, ...d.outcomes },
    continues: place ? { [place.at]: place } : {},
  } as const
  return (flow as (given: typeof composed) => Flow)(composed)
}

/** The facts about the identity that a held sign-in keeps. The library reads all others again. */
const factsOfIdentity: readonly Fact[] = ['identity', 'candidate', 'callbackUrl', 'stamp']

/** Returns the name of the state that is `admitting`, whose exits a feature may handle itself. */
function findAdmitting(chart: Chart): string | undefined {
  const { states: admission, initial }: CompoundState = admitting
  const found = Object.entries(writtenOf(chart).states).filter(
    ([, state]) => 'states' in state && state.states === admission && state.initial === initial,
  )
  const names = found.map(([name]) => name)
  if (names.length > 1) throw new TypeError(`A chart has one state \`admitting\`, got ${names.join(' and ')}`)
  return names[0]
}

/** No other state runs the steps that issue sessions, and no step of the feature takes the place of one (FT-08). */
function requireOnlyAdmission(chart: Chart, at: string, own: object, admission: object): void {
  if (writtenOf(chart) === chart) throw new TypeError('Declare a chart with `admitting` with `featureChart`')
  const others = Object.entries(chart.states).filter(([name]) => name !== at)
  const names = [...stepNames(Object.fromEntries(others)), ...Object.keys(own)]
  const taken = names.find((name) => Object.hasOwn(admission, name) && !Object.hasOwn(coreSteps, name))
  if (taken !== undefined)
    throw new TypeError(`Only \`admitting\` has the step "${taken}". Rename the step of the feature`)
}

function toolsFor<Options>({ visit, callbackUrl }: Partial<Facts>, world: World): FeatureTools<Options> {
  if (!visit) throw new TypeError('A flow of a feature runs only on a request')
  return toolsOf(visit, world, callbackUrl) as FeatureTools<Options>
}
