import type { charts } from '../../machines/by-id.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { findFeatureRoute, parseRoute, type Route as ParsedRoute } from '../http/parse-visit.ts'
import { type AuthAction, isOptionalAction, routes as table } from '../routes.ts'
import type { SiteFeatures } from '../pages/library-feature.ts'
import type { Feature } from '../types/feature.ts'
import type { Flow } from './engine/flow.ts'
import { onceLoaded } from '../async/once.ts'
import type * as Pages from './pages.ts'
import { sessionFlow } from './session/flow.ts'

/** The name of a flow that every site has, which is the id of its machine. */
export type FlowName = keyof typeof flows
/** The name of a function that shows a page or other data. */
export type ShowingName = Extract<keyof typeof Pages, `show${string}`>
type Kind = ProviderSettings['kind'] | 'none'

/** A row of the table of routes, with only the names of existing flows and functions. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly action: AuthAction
  readonly kinds: readonly Kind[]
  readonly flow?: FlowName
  readonly isOptional?: true
  readonly show?: ShowingName
}

/** The table of routes. Assigning it to this type checks the names in it. */
export const routes: readonly Route[] = table

type Rows = Partial<Record<Kind, Route[]>>
const rowsOf = new Map<string, Rows>()
for (const route of routes) {
  const rows = rowsOf.get(route.action) ?? {}
  for (const kind of route.kinds) rows[kind] = [...(rows[kind] ?? []), route]
  rowsOf.set(route.action, rows)
}

/** Returns the rows of a path. Their methods are those that the path allows. */
export function findRoutes(action: string, kind: Kind): readonly Route[] {
  return rowsOf.get(action)?.[kind] ?? []
}

/** Returns whether the library or a feature of the site has a route at a path, with this configuration. */
export async function isRoute(pathname: string, settings: Settings): Promise<boolean> {
  const route = parseRoute(pathname, settings.basePath, settings.features)
  if (!route) return false
  const isOptional = isOptionalAction(route.action)
  const optional = isOptional ? (await loadOptional()).listOptional(settings) : []
  return listMethods(route, [...optional, ...settings.features], settings).length > 0
}

/** Returns the methods of a route: of one of these features, or of the library with this configuration. */
export function listMethods(
  route: ParsedRoute,
  features: readonly Feature[],
  settings: Settings,
): readonly string[] {
  const { action, providerId } = route
  if (providerId !== undefined && !settings.providers.has(providerId)) return []
  // A feature has the route of an action of the library for its own providers only.
  const [own] = features.flatMap((feature) => findFeatureRoute(feature, route) ?? [])
  if (own) return own.methods
  const kind = providerId === undefined ? 'none' : settings.providers.get(providerId)?.kind
  return kind === undefined ? [] : findRoutes(action, kind).map(({ method }) => method)
}

/** Loads the optional features, which most sites do not have. */
export const loadOptional = onceLoaded(() => import('../features/all.ts'))

/** Returns the features of a site, and its routes. */
export function loadFeatures(settings: Settings): MaybePromise<SiteFeatures> {
  return whenReady(loadOptional(), ({ listOptional }) => describeFeatures(listOptional(settings), settings))
}

function describeFeatures(optional: SiteFeatures['optional'], settings: Settings): SiteFeatures {
  const features = [...optional, ...settings.features]
  return {
    optional,
    features,
    hasRoute(method, path) {
      const route = parseRoute(`/${path}`, '', features)
      return route !== undefined && listMethods(route, features, settings).includes(method)
    },
  }
}

const loadPages = onceLoaded(() => import('./pages.ts'))

/**
 * Returns a function that shows a page or other data. The first request for any of these functions loads all of them.
 */
export function findShowing(name: ShowingName): MaybePromise<Pages.Showing> {
  return whenReady(loadPages(), (pages) => pages[name])
}

/** Every flow of the library, by name. */
export type Flows = { readonly [Name in keyof typeof charts]: Flow<Name> }

/** Most requests only read a session. Any other flow is loaded by the first request that runs it. */
const flows = {
  'sign-in': onceLoaded(async () => (await import('./oauth/flow.ts')).signInFlow),
  callback: onceLoaded(async () => (await import('./oauth/flow.ts')).callbackFlow),
  'email-request': onceLoaded(async () => (await import('./email/flow.ts')).emailRequestFlow),
  'email-verification': onceLoaded(async () => (await import('./email/flow.ts')).emailVerificationFlow),
  credentials: onceLoaded(async () => (await import('./credentials/flow.ts')).credentialsFlow),
  session: () => sessionFlow,
  'sign-out': onceLoaded(async () => (await import('./sign-out/flow.ts')).signOutFlow),
  refresh: onceLoaded(async () => (await import('./refresh/flow.ts')).refreshFlow),
} satisfies { readonly [Name in keyof Flows]?: () => MaybePromise<Flow<Name>> }

/** Returns whether every site has the flow. All others belong to a feature. */
export function isFlowName(name: string): name is FlowName {
  return Object.hasOwn(flows, name)
}

/** Returns a flow, at once if it is loaded. */
export function findFlow(name: FlowName): MaybePromise<Flow> {
  return flows[name]()
}
