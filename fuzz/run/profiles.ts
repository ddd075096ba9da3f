/** The size of a campaign. */
export interface Profile {
  /** The share of a property's runs. */
  readonly share: number
  /** Milliseconds after which a property starts no new case. */
  readonly limit: number
  /** Whether to test a property on one of its applications, chosen by the seed, or on all. */
  readonly applications: 'one' | 'all'
  /** The number of properties per thread. */
  readonly perThread: number
  /** Whether to reload a target's modules, and so reset their state, for each property. */
  readonly reloads: boolean
}

export const profiles = {
  smoke: { share: 0.1, limit: 30_000, applications: 'one', perThread: 24, reloads: false },
  ci: { share: 1, limit: 30_000, applications: 'all', perThread: 12, reloads: true },
  nightly: { share: 20, limit: 600_000, applications: 'all', perThread: 12, reloads: true },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
