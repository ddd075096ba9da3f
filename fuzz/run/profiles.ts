/** How much is done in a campaign. */
export interface Profile {
  /** Of the runs that a property asks for. */
  readonly share: number
  /** Milliseconds after which a property is given no more new cases. */
  readonly limit: number
}

export const profiles = {
  smoke: { share: 0.1, limit: 5_000 },
  ci: { share: 1, limit: 30_000 },
  nightly: { share: 20, limit: 600_000 },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
