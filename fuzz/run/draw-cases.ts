import fc from 'fast-check'
import type { Property } from '../properties/property.ts'
import type { Driver } from '../targets/target.ts'
import { providerNames } from '../world/people.ts'

/** Members of an input that name providers. */
const naming: ReadonlySet<string> = new Set(['provider', 'method', 'from', 'to', 'order'])

/** The number of inputs to look through for one that a target can use. */
const samples = 300

/** The cases of a property for a target: its finite lists, and the generator of further cases. */
export interface Cases {
  readonly listed: readonly unknown[]
  /** Members of inputs, without the others. */
  readonly parts: readonly object[]
  readonly input: fc.Arbitrary<unknown>
}

/**
 * Leaves out the cases about providers that a running application does not have. If no case would be left, it keeps
 * them all, and each reports what is missing.
 */
export function drawCases(
  { cases = [], parts = [], input }: Property,
  { features, providers }: Driver,
): Cases {
  const all = { listed: cases, parts, input }
  if (features.has('setup')) return all
  const fits = (value: unknown) => namesOnly(value, providers)
  if (!fc.sample(input, { numRuns: samples, seed: 1 }).some(fits)) return all
  return { listed: cases.filter(fits), parts: parts.filter(fits), input: input.filter(fits) }
}

/** Returns whether an input names only these providers. */
function namesOnly(value: unknown, providers: ReadonlySet<string>, isName = true): boolean {
  if (typeof value === 'string') return !isName || !known.has(value) || providers.has(value)
  if (Array.isArray(value)) return value.every((each) => namesOnly(each, providers, isName))
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, each]) => namesOnly(each, providers, naming.has(name)))
}

const known: ReadonlySet<string> = new Set(providerNames)

/** Returns the listed cases, and the parts with the other members that a seed decides, in an order that it decides, too. */
export function listCases({ listed, parts, input }: Cases, seed: number): unknown[] {
  const drawn = parts.length === 0 ? [] : fc.sample(input, { numRuns: parts.length, seed })
  const completed = parts.map((part, at) => ({ ...Object(drawn[at]), ...part }))
  return shuffle([...listed, ...completed], seed)
}

/** Returns the list in the order that a seed decides, so that a short run takes others each time. */
export function shuffle(listed: readonly unknown[], seed: number): unknown[] {
  const [shuffled = []] = fc.sample(
    fc.shuffledSubarray([...listed], { minLength: listed.length, maxLength: listed.length }),
    { numRuns: 1, seed },
  )
  return shuffled
}
