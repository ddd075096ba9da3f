import type { Visit } from '../../http/visit.ts'
import type { Feature, SiteTools } from '../../types/feature.ts'
import { requireStore, type World } from './world.ts'

/** The internals of the tools of a feature. */
export interface Site {
  readonly feature: Feature
  readonly world: World
  /** The request. Methods have none. */
  readonly visit?: Visit
}

const sites = new WeakMap<SiteTools, Site>()

/**
 * Returns the feature and the world behind the tools. Features cannot access them.
 * @param name the name of a cookie or record, which begins with that of its feature (FT-06)
 */
export function siteOf(tools: SiteTools, name?: string): Site {
  const site = sites.get(tools)
  if (!site) throw new TypeError('Pass the same `tools` object that your function received')
  const { feature } = site
  if (name === undefined || name === feature.name || name.startsWith(`${feature.name}-`)) return site
  throw new TypeError(
    `The feature "${feature.name}" cannot use "${name}". Begin the name with "${feature.name}-"`,
  )
}

/**
 * Creates the tools of a feature.
 * @param more the tools that only a request has
 */
export function createSiteTools<More extends object>(site: Site, more: More): SiteTools & More {
  const { feature, world } = site
  const { platform, logger } = world
  const tools = {
    ...more,
    options: feature.options,
    now: platform.now,
    randomBytes: platform.randomBytes,
    fetch: platform.fetch,
    get store() {
      return requireStore(world)
    },
    log: (error: Error) => logger.error(error),
  }
  sites.set(tools, site)
  return tools
}
