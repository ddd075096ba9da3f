import type { ProviderSettings } from '../config/settings.ts'
import type { Feature, FeatureFlow, FeatureRoute } from '../types/feature.ts'
import { type MaybePromise, settle, whenReady } from '../async/maybe-promise.ts'
import { onceLoaded } from '../async/once.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { addGates } from '../extend/gates.ts'
import type { Showing } from '../extend/tools.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import type { Flow, ReplaceFlow } from '../flows/engine/flow.ts'
import { loadFeatures } from '../flows/flows.ts'
import { type Result, show } from '../flows/engine/result.ts'
import { createSiteTools } from '../flows/engine/site-tools.ts'
import type { Observe } from '../flows/engine/run.ts'
import type { World } from '../flows/engine/world.ts'
import { parseCookies } from '../cookies/parse-cookies.ts'
import { csrfOf } from '../flows/shared/csrf-of.ts'
import { pathOfRoute } from '../http/parse-visit.ts'
import type { Visit } from '../http/visit.ts'
import { runFlow } from './run-flow.ts'

export { addGates }

/** The dependencies of a request to a feature, other than its own flow. */
interface Site {
  readonly visit: Visit
  readonly world: World
  readonly replace: ReplaceFlow
  readonly observe: Observe | undefined
  /** The provider in the path. */
  readonly provider: ProviderSettings | undefined
}

/** Runs the flow of a feature's route. */
export function runFeature(feature: Feature, route: FeatureRoute, site: Site): MaybePromise<Result> {
  const { replace, observe, provider } = site
  const served = route.caller === 'server' ? withoutCookies(site) : site
  const { visit, world } = served
  return whenReady(settle(route.flow()), (own) => {
    const flow = addGates(replace(readFlow(own, feature, route)), world.settings)
    return runFlow(flow, visit, provider, { ...world, feature }, { observe, show: showResult(served) })
  })
}

/**
 * Hides the cookies from a route that servers call, and makes setting one an error. Otherwise another site could use those of a
 * browser (FT-28).
 */
function withoutCookies({ visit, world }: Site): Pick<Site, 'visit' | 'world'> {
  const setCookies = () => {
    throw new TypeError('A route that a server calls cannot set cookies')
  }
  return {
    visit: { ...visit, cookies: parseCookies(''), sendsCookies: false },
    world: { ...world, out: { ...world.out, setCookies } },
  }
}

/** Returns a function that completes the result of a flow of a feature, whose outcome may show a page. */
export function showResult(
  site: Pick<Site, 'visit' | 'world'>,
): (result: Result) => Promise<Result> | Result {
  return (result) => (isShowing(result) ? showPage(result, site) : result)
}

/** Loads the pages of features when the first one is shown. */
const loadPages = onceLoaded(() => import('../pages/feature-page.ts'))

/** Creates the page here, so that an error of its author becomes a response. Keeps the other members of the result. */
async function showPage(
  { shows, ...result }: Result & Showing,
  { visit, world }: Pick<Site, 'visit' | 'world'>,
): Promise<Result> {
  const { base, action, origin, request } = visit
  const csrf = world.settings.csrf && visit.sendsCookies ? await csrfOf(visit, world) : undefined
  if (csrf) world.out.setCookies(csrf.cookies)
  const { settings } = world
  const create = async () => {
    const { createFeaturePage } = await loadPages()
    const csrfToken = csrf?.token
    const toolsOf = (feature: Feature) => createSiteTools({ feature, world, visit }, {})
    const route = { base, action: pathOfRoute(visit), origin, csrfToken }
    const shown = { ...shows, ...route, ...(await loadFeatures(settings)), toolsOf }
    return createFeaturePage(shown, settings, request.headers.get('accept-language'))
  }
  const page = await withDeadline(create(), `showing ${action}`, world.platform)
  return { ...result, ...show(page, result.status) }
}

/** Returns the flow of a route. Unless a server sends it, a POST must begin with the CSRF check (FT-05). */
function readFlow(flow: FeatureFlow, { name }: Feature, { methods, caller, providers }: FeatureRoute): Flow {
  if (!isFlow(flow))
    throw new InvalidConfig(
      `A route of the feature "${name}" must return a flow created with \`toolbox().flow\``,
    )
  if (providers !== undefined && Object.hasOwn(flow.steps, 'claimIdentity'))
    throw new InvalidConfig(
      `The flow "${flow.id}" of the feature "${name}" signs users in, so its route cannot have \`providers\``,
    )
  if (caller === 'server' && Object.keys(flow.continues).length > 0)
    throw new InvalidConfig(
      `The flow "${flow.id}" of the feature "${name}" signs users in, so its route cannot have \`caller: 'server'\``,
    )
  const first = flow.chart.states[flow.chart.initial]
  const isChecked = first && 'invoke' in first && first.invoke.src === 'checkCsrf'
  const refused = isChecked ? flow.chart.states[first.on['csrf.mismatched'] ?? ''] : undefined
  const needsCheck = methods.includes('POST') && caller !== 'server'
  if (needsCheck && !(refused && 'type' in refused && refused.meta.ending === 'refusal'))
    throw new InvalidConfig(`The flow "${flow.id}" of the feature "${name}" must begin with \`checkingCsrf\``)
  return flow
}

function isFlow(flow: FeatureFlow): flow is Flow {
  return 'steps' in Object(flow) && 'outcomes' in Object(flow)
}

function isShowing(result: Result): result is Result & Showing {
  return 'shows' in result
}
