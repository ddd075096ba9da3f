import type { Action } from './action.ts'
import { compareMerged, type Difference } from './compare-merged.ts'
import { describeState } from './describe-state.ts'
import { judge } from './judge.ts'
import type { Finding, Promises } from './judge/step.ts'
import { observe, type Seen } from './observe.ts'
import { saveScene, type Scene } from './scene.ts'
import type { Origin, Terms } from './terms.ts'
import type { Truth } from './truth.ts'

/** Seconds that pass before each action, because nobody does two things at the same time. */
export const pace = 1

/** The limits of a search. */
export interface Limits {
  readonly depth: number
  /** The number of transitions after which the search stops, so that it repeats exactly. */
  readonly transitions: number
  /** Whether to stop at the first sequence that breaks a rule. */
  readonly stopsAtFirst?: boolean | undefined
  /** Whether to take every action from both of two merged states, and to compare the results. */
  readonly comparesMerged?: boolean | undefined
}

/** A sequence of actions whose last one breaks a rule. */
export interface Counterexample {
  /** The actions, by their positions in the list. */
  readonly path: readonly number[]
  readonly findings: readonly Finding[]
}

export interface Result {
  /** The last depth at which every sequence was tried. */
  readonly depth: number
  readonly states: number
  readonly transitions: number
  readonly counterexamples: readonly Counterexample[]
  /** The transitions of the charts that were taken, by name. */
  readonly hops: ReadonlySet<string>
  /** The number of pairs of merged states that were compared, and their differences. */
  readonly merged: { readonly pairs: number; readonly differences: readonly Difference[] }
}

/** A state that the search can restore. */
interface State {
  readonly path: readonly number[]
  readonly back: () => void
  readonly truth: Truth
  readonly seen: Seen
  readonly origins: ReadonlyMap<string, Origin>
}

/**
 * Tries all sequences of actions, the shortest first. It restores each state instead of repeating the actions that lead
 * to it. States that behave in the same way are searched once. A sequence that breaks a rule is not continued.
 *
 * @param begin actions before the first state, for example to register a user
 */
export async function search(
  scene: Scene,
  { actions, begin, promises, terms }: Space,
  limits: Limits,
): Promise<Result> {
  const hops = new Set<string>()
  const counterexamples: Counterexample[] = []
  const merged = { pairs: 0, differences: [] as Difference[] }
  let transitions = 0
  let depth = 0
  const first = await openFirst(scene, terms, begin, promises)
  const known = new Map([[first.text, first.state]])
  const conclude = () => ({ depth, states: known.size, transitions, counterexamples, hops, merged })
  if (first.findings.length > 0) {
    counterexamples.push({ path: [], findings: first.findings })
    return conclude()
  }
  const attempt = async (state: State, index: number): Promise<Taken | undefined> => {
    goBack(scene, state, terms)
    const action = actions[index]
    if (!action?.allows(scene)) return undefined
    return take(scene, state, action, { promises, terms })
  }
  let frontier = [first.state]
  while (depth < limits.depth && frontier.length > 0) {
    const next: State[] = []
    for (const state of frontier) {
      for (const [index, { isFirst }] of actions.entries()) {
        if (isFirst && depth > 0) continue
        if (transitions >= limits.transitions) return conclude()
        const taken = await attempt(state, index)
        if (!taken) continue
        transitions++
        for (const hop of taken.hops) hops.add(hop)
        const path = [...state.path, index]
        const reached = { ...taken.state, path }
        const same = known.get(taken.text)
        if (taken.findings.length > 0) {
          counterexamples.push({ path, findings: taken.findings })
          if (limits.stopsAtFirst) return conclude()
        } else if (!same) {
          known.set(taken.text, reached)
          next.push(reached)
        } else if (limits.comparesMerged) {
          merged.pairs++
          merged.differences.push(...(await compareMerged(same, reached, actions.length, attempt)))
        }
      }
    }
    depth++
    frontier = next
  }
  return conclude()
}

export interface Space {
  readonly actions: readonly Action[]
  readonly begin: readonly Action[]
  readonly promises: Promises
  readonly terms: Terms
}

function goBack(scene: Scene, { back, truth, origins }: State, terms: Terms): void {
  terms.begin(origins)
  back()
  scene.truth = structuredClone(truth)
}

interface Taken {
  readonly state: Omit<State, 'path'>
  readonly text: string
  readonly findings: readonly Finding[]
  readonly hops: readonly string[]
}

/** Takes an action from a state, and judges it. */
async function take(
  scene: Scene,
  { truth, seen }: Pick<State, 'truth' | 'seen'>,
  action: Action,
  { promises, terms }: Pick<Space, 'promises' | 'terms'>,
): Promise<Taken> {
  scene.world.clock.advance(pace)
  const claim = await action.run(scene)
  const back = saveScene(scene)
  const after = await observe(scene)
  const findings = judge({ action, claim, before: { seen, truth }, after, scene, promises })
  const hops = [...(scene.world.playback?.hops ?? [])]
  back()
  const { text, origins } = describeState(scene, terms)
  return { state: { back, truth: structuredClone(scene.truth), seen: after, origins }, text, findings, hops }
}

async function openFirst(
  scene: Scene,
  terms: Terms,
  begin: readonly Action[],
  promises: Promises,
): Promise<Pick<Taken, 'text' | 'findings'> & { readonly state: State }> {
  let { truth } = scene
  let seen: Seen = await observe(scene)
  let text = ''
  let state: State = { path: [], back: saveScene(scene), truth, seen, origins: new Map() }
  for (const action of begin) {
    goBack(scene, state, terms)
    if (!action.allows(scene)) throw new Error(`the setup cannot do this: ${action.says}`)
    const taken = await take(scene, { truth, seen }, action, { promises, terms })
    state = { ...taken.state, path: [] }
    ;({ truth, seen } = state)
    text = taken.text
    if (taken.findings.length > 0) return { state, text, findings: taken.findings }
  }
  return { state, text, findings: [] }
}
