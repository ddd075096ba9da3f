/**
 * An action with different effects in two states that the search merged: the description of the states is incomplete.
 */
export interface Difference {
  /** The two sequences, by the positions of their actions. */
  readonly paths: readonly [readonly number[], readonly number[]]
  /** The position of the action. */
  readonly action: number
  readonly says: string
}

/** The result of an action. */
interface Effect {
  readonly text: string
  readonly findings: readonly { readonly says: string }[]
}

/** Takes an action from a state. Returns undefined if the action is not allowed in this state. */
type Try<State> = (state: State, action: number) => Promise<Effect | undefined>

/** Takes every action from two states that were merged. */
export async function compareMerged<State extends { readonly path: readonly number[] }>(
  one: State,
  other: State,
  count: number,
  take: Try<State>,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (let action = 0; action < count; action++) {
    const says = tellApart(await take(one, action), await take(other, action))
    if (says !== undefined) differences.push({ paths: [one.path, other.path], action, says })
  }
  return differences
}

function tellApart(one: Effect | undefined, other: Effect | undefined): string | undefined {
  if (!one || !other) return one === other ? undefined : 'only one of them allows it'
  const [first, second] = [one, other].map(({ findings }) => findings.map(({ says }) => says).join('; '))
  if (first !== second) return `it breaks "${first}" in one, and "${second}" in the other`
  return one.text === other.text
    ? undefined
    : `it leads to different states: ${firstDifference(one.text, other.text)}`
}

/** Quotes both texts where they first differ. */
function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const [first, second] = [one, other].map((text) => text.slice(Math.max(0, at - 60), at + 60))
  return `"${first}" and "${second}"`
}
