import type { Limits } from './search.ts'

/** How far to search each configuration. A budget of transitions ends at the same place on every machine. */
export const exploreProfiles = {
  smoke: { depth: 3, transitions: 3_000 },
  ci: { depth: 4, transitions: 30_000 },
  soak: { depth: 12, transitions: 1_000_000 },
} as const satisfies Record<string, Limits>

export function isProfile(name: string): name is keyof typeof exploreProfiles {
  return Object.hasOwn(exploreProfiles, name)
}
