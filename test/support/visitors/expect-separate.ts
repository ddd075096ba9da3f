import { mixVisitors } from './mix-visitors.ts'
import type { Site } from './requests.ts'

/** Faults in a message. */
const shown = 12

/**
 * Expects that no response of a running site contains anything of another request. Each run uses another seed.
 * `VISITORS_SEED` repeats that of a failure.
 * @throws Error with the seed and the first faults
 */
export async function expectSeparate(site: Site): Promise<void> {
  const seed = Number(process.env.VISITORS_SEED ?? Date.now() % 1_000_000)
  const { requests, faults } = await mixVisitors(site, seed)
  if (faults.length === 0 && requests >= 200) return
  const lines = faults.slice(0, shown).join('\n')
  throw new Error(
    `${faults.length} faults in ${requests} requests; VISITORS_SEED=${seed} repeats them:\n${lines}`,
  )
}
