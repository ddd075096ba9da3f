/** How much is done in a campaign. */
export interface Profile {
  /** Of the runs that a property asks for. */
  readonly share: number
  /** Milliseconds after which a property is given no more new cases. */
  readonly limit: number
  /** On how many of its applications a property is judged: on the one that the seed names, or on all. */
  readonly applications: 'one' | 'all'
  /** Properties that share a thread. */
  readonly perThread: number
  /** Are the modules of a target loaded anew for each property, with all that they keep? */
  readonly anew: boolean
}

export const profiles = {
  smoke: { share: 0.1, limit: 30_000, applications: 'one', perThread: 24, anew: false },
  ci: { share: 1, limit: 30_000, applications: 'all', perThread: 12, anew: true },
  nightly: { share: 20, limit: 600_000, applications: 'all', perThread: 12, anew: true },
} as const satisfies Record<string, Profile>

export type ProfileName = keyof typeof profiles
