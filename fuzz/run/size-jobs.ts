import { findProperty } from '../properties/index.ts'
import { setupsOf } from '../properties/property.ts'
import type { Job } from './job.ts'
import type { Profile } from './profiles.ts'

/**
 * Decides how many cases each property runs on each of its applications. Each application gets different cases. Some
 * profiles divide the cases of a property among its applications.
 */
export function sizeJobs(
  jobs: readonly Pick<Job, 'property' | 'setup'>[],
  { share, least, limit, spreads }: Pick<Profile, 'share' | 'least' | 'limit' | 'spreads'>,
  seed: number,
): Job[] {
  return jobs.map(({ property: name, setup }) => {
    const property = findProperty(name)
    const setups = Object.keys(setupsOf(property))
    const cases = Math.max(property.runs * share, Math.min(property.runs, least))
    const own = spreads ? cases / setups.length : cases
    return { property: name, setup, seed: seed + setups.indexOf(setup), share: own / property.runs, limit }
  })
}
