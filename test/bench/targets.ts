/** The target for one job, compared with another measurement of the same run. */
export interface Target {
  readonly job: string
  /** The measurement of which the value is a multiple, or its unit. */
  readonly unit: string
  /** @default 1 */
  readonly inFlight?: number
  readonly atMost?: number
  readonly atLeast?: number
  /** A value beyond the target. */
  readonly stretch?: number
}

const bare = 'of the bare floor'
const guarded = 'of the protected floor'
const core = 'times @auth/core'
const signIn = { unit: guarded, atMost: 1.4, stretch: 1.25 }

/**
 * A ratio to the floors compares times, so a smaller one is better. A ratio to a peer compares speeds, so a larger one
 * is better.
 */
export const targets: readonly Target[] = [
  { job: 'getSession (JWT)', unit: 'decodes', atMost: 1.6, stretch: 1.3 },
  { job: 'getSession (none)', unit: 'decodes', atMost: 0.15, stretch: 0.1 },
  { job: 'getSession (store)', unit: 'decodes more than the adapter call', atMost: 0.5 },
  { job: 'session (JWT)', unit: bare, atMost: 1.35, stretch: 1.25 },
  { job: 'session (none)', unit: bare, atMost: 1.3, stretch: 1.2 },
  { job: 'session (database)', unit: bare, atMost: 1.5, stretch: 1.35 },
  { job: 'OAuth sign-in', unit: bare, atMost: 2.1, stretch: 1.9 },
  { job: 'OAuth sign-in', inFlight: 16, unit: bare, atMost: 1.8, stretch: 1.6 },
  { job: 'credentials sign-in', unit: bare, atMost: 2.1, stretch: 1.9 },
  { job: 'OAuth sign-in', ...signIn },
  { job: 'OAuth sign-in', inFlight: 16, ...signIn },
  { job: 'credentials sign-in', ...signIn },
  { job: 'mailed link', ...signIn },
  { job: 'passkey sign-in', ...signIn },
  { job: 'sign-out', ...signIn },
  { job: 'sign-in page', unit: core, atLeast: 8 },
  { job: 'sign-in page, 10 providers', unit: core, atLeast: 10 },
  ...[16, 256].flatMap((inFlight) => [
    { job: 'authmachine/node', inFlight, unit: 'times @auth/express', atLeast: 6.5 },
    { job: 'authmachine/node', inFlight, unit: 'times the direct floor', atLeast: 0.7, stretch: 0.8 },
    { job: 'authmachine/node, p99', inFlight, unit: 'of the direct floor', atMost: 1.5 },
  ]),
  { job: 'cold start', unit: 'of @auth/core', atMost: 0.62, stretch: 0.55 },
  { job: 'cold start, modules of authmachine', unit: 'modules', atMost: 4 },
  { job: 'Next.js middleware, edge bundle', unit: 'kB of gzip', atMost: 180 },
  { job: 'hostile inputs above their limit', unit: 'inputs', atMost: 0 },
]

/** A target and the value that was measured. */
export interface Verdict extends Target {
  readonly value: number
  readonly isMet: boolean
}

/** @throws Error if there is no such target */
export function judge(job: string, unit: string, value: number, inFlight?: number): Verdict {
  const target = targets.find(
    (each) => each.job === job && each.unit === unit && (each.inFlight ?? 1) === (inFlight ?? 1),
  )
  if (!target) throw new Error(`There is no target for ${job} in ${unit}`)
  const { atMost = Infinity, atLeast = -Infinity } = target
  return { ...target, value, isMet: value <= atMost && value >= atLeast }
}

/** Writes the limit of a target. */
export function limitOf({ atMost, atLeast }: Target): string {
  return atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`
}

/** Writes whether a target was met. */
export function tell(verdict: Verdict): string {
  return `${verdict.isMet ? 'met' : 'missed'} (${limitOf(verdict)})`
}
