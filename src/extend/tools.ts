import { redirect, type Result } from '../flows/engine/result.ts'
import { requireStore, type World } from '../flows/engine/world.ts'
import type { Visit } from '../http/visit.ts'
import type { Feature, FeatureResult, FeatureTools, Json } from '../types/feature.ts'

/** What the tools of a feature are made of. */
interface Site {
  readonly feature: Feature
  readonly visit: Visit
  readonly world: World
}

/** The result of an outcome that shows a page. */
export interface Showing extends FeatureResult {
  readonly shows: {
    readonly feature: Feature
    readonly page: string
    readonly data: Json
    /** The approved target, which forms of the page pass on. */
    readonly callbackUrl: string | undefined
  }
}

const sites = new WeakMap<FeatureTools, Site>()

/** Returns the feature, the request and the world of some tools, which features do not see. */
export function siteOf(tools: FeatureTools): Site {
  const site = sites.get(tools)
  if (site) return site
  throw new TypeError('Pass the tools unchanged, as the step, the gate or the outcome got them')
}

/**
 * Creates the tools of a feature for one request.
 * @param callbackUrl the approved target, to which `goBack` leads. Without one, it leads to the site
 */
export function createTools(
  feature: Feature,
  visit: Visit,
  world: World,
  callbackUrl?: string,
): FeatureTools {
  const { platform, logger } = world
  const { method, origin, base, query, body, duplicates } = visit
  const tools: FeatureTools = {
    options: feature.options,
    request: { method, origin, base, query, body, duplicates },
    now: platform.now,
    randomBytes: platform.randomBytes,
    fetch: platform.fetch,
    get store() {
      return requireStore(world)
    },
    log: (error) => logger.error(error),
    show: (page, data = null, status = 200): Showing => ({
      status,
      shows: { feature, page, data, callbackUrl },
    }),
    redirect: (action, parameters) => {
      const search = new URLSearchParams(parameters).toString()
      return redirect(`${base}/${action}${search && `?${search}`}`)
    },
    goBack: () => redirect(callbackUrl ?? visit.origin),
    pass: (learnt = null, undo): Result => {
      const { name: gate } = feature
      return { status: 302, passes: { gate, learnt: { [gate]: learnt }, undo } }
    },
  }
  sites.set(tools, { feature, visit, world })
  return tools
}
