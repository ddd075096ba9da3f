import { json, redirect, type Result } from '../flows/engine/result.ts'
import { createSiteTools, type Site, siteOf } from '../flows/engine/site-tools.ts'
import type { World } from '../flows/engine/world.ts'
import type { Visit } from '../http/visit.ts'
import type { Feature, FeatureResult, FeatureTools, Json, SiteTools } from '../types/feature.ts'

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

/**
 * Returns the feature, the request and the world of the tools of a request.
 * @param name the name of a cookie
 */
export function requestOf(tools: FeatureTools, name: string): Required<Site> {
  const { visit, ...site } = siteOf(tools, name)
  if (visit) return { ...site, visit }
  throw new TypeError('A method has no request, so it cannot use cookies')
}

/** Returns the tools of the feature whose route a request has. */
export function toolsOf(visit: Visit, world: World, callbackUrl?: string): FeatureTools {
  const { feature } = world
  if (!feature) throw new TypeError('A flow of a feature runs only on a route of the feature')
  return createTools(feature, visit, world, callbackUrl)
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
  const { method, origin, base, query, body, duplicates } = visit
  // A gate also sees requests to the routes of the library.
  const provider = feature.routes?.[visit.action]?.providers && visit.providerId
  return createSiteTools<Omit<FeatureTools, keyof SiteTools>>(
    { feature, visit, world },
    {
      request: { method, origin, base, query, body, duplicates, provider },
      show: (page, data = null, status = 200): Showing => ({
        status,
        shows: { feature, page, data, callbackUrl },
      }),
      json,
      redirect: (action, parameters) => {
        const search = new URLSearchParams(parameters).toString()
        return redirect(`${base}/${action}${search && `?${search}`}`)
      },
      goBack: () => redirect(callbackUrl ?? visit.origin),
      pass: (learnt = null, undo): Result => {
        const { name: gate } = feature
        return { status: 302, passes: { gate, learnt: { [gate]: learnt }, undo } }
      },
    },
  )
}
