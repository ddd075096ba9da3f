/** The size of a campaign. */
export interface Profile {
  /** The share of a property's cases. */
  readonly share: number
  /** The number of cases that a property runs even if its share is smaller, or all if it has fewer. */
  readonly least: number
  /** Milliseconds after which a property starts no new case. */
  readonly limit: number
  /** Whether to divide the cases of a property among its applications, or to run all of them on each. */
  readonly spreads: boolean
  /** The number of properties per thread. */
  readonly perThread: number
  /** Whether to reload a target's modules, and so reset their state, for each property. */
  readonly reloads: boolean
}

export const profiles = {
  smoke: { share: 0.1, least: 10, limit: 30_000, spreads: true, perThread: 48, reloads: false },
  ci: { share: 1, least: 1, limit: 30_000, spreads: false, perThread: 12, reloads: true },
  nightly: { share: 20, least: 1, limit: 600_000, spreads: false, perThread: 12, reloads: true },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
