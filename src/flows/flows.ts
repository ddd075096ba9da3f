import type { charts } from '../../machines/charts.ts'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { parseRoute } from '../http/parse-visit.ts'
import type { AuthAction } from '../types/config.ts'
import type { Flow } from './engine/flow.ts'
import { onceLoaded } from '../async/once.ts'
import type * as Pages from './pages.ts'
import { sessionFlow } from './session/flow.ts'

/** The name of a flow, which is the id of its machine. */
export type FlowName = keyof typeof charts
/** The name of a function that shows something. */
export type ShowingName = Extract<keyof typeof Pages, `show${string}`>
type Kind = ProviderSettings['kind'] | 'none'

/** One kind of request that the library handles: by a flow, or by showing something. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly action: AuthAction
  /** Types of provider in the path. `none` is a path without a provider. */
  readonly kinds: readonly Kind[]
  /** The option without which the route does not exist. */
  readonly option?: 'secondFactor' | 'emailChange'
  readonly flow?: FlowName
  readonly show?: ShowingName
}

/** Returns the routes of a path that accepts both methods: a page with its form, or a callback. */
function getAndPost(route: Omit<Route, 'method'>): Route[] {
  return (['GET', 'POST'] as const).map((method) => ({ method, ...route }))
}

/** All routes. No other code branches on a provider's type. */
export const routes: readonly Route[] = [
  { method: 'GET', action: 'csrf', kinds: ['none'], show: 'showCsrf' },
  { method: 'GET', action: 'providers', kinds: ['none'], show: 'showProviders' },
  { method: 'GET', action: 'session', kinds: ['none'], flow: 'session' },
  { method: 'POST', action: 'session', kinds: ['none'], flow: 'session' },
  { method: 'GET', action: 'signin', kinds: ['none'], show: 'showSignIn' },
  { method: 'POST', action: 'signin', kinds: ['oauth'], flow: 'sign-in' },
  {
    method: 'POST',
    action: 'signin',
    kinds: ['none', 'credentials', 'password', 'webauthn'],
    show: 'showSignIn',
  },
  ...getAndPost({ action: 'callback', kinds: ['oauth'], flow: 'callback' }),
  { method: 'POST', action: 'signin', kinds: ['email'], flow: 'email-request' },
  ...getAndPost({ action: 'callback', kinds: ['email'], flow: 'email-verification' }),
  { method: 'POST', action: 'callback', kinds: ['credentials', 'password'], flow: 'credentials' },
  { method: 'GET', action: 'password', kinds: ['password'], show: 'showPassword' },
  { method: 'POST', action: 'password', kinds: ['password'], flow: 'password-request' },
  ...getAndPost({ action: 'password-reset', kinds: ['password'], flow: 'password-reset' }),
  { method: 'GET', action: 'password-change', kinds: ['password'], show: 'showPassword' },
  { method: 'POST', action: 'password-change', kinds: ['password'], flow: 'password-change' },
  ...getAndPost({ action: 'factor', kinds: ['none'], option: 'secondFactor', flow: 'factor' }),
  ...getAndPost({
    action: 'factor-enrolment',
    kinds: ['none'],
    option: 'secondFactor',
    flow: 'factor-enrolment',
  }),
  { method: 'GET', action: 'webauthn-options', kinds: ['webauthn'], flow: 'webauthn-options' },
  { method: 'GET', action: 'webauthn-options', kinds: ['none'], show: 'showScript' },
  { method: 'POST', action: 'callback', kinds: ['webauthn'], flow: 'webauthn' },
  { method: 'GET', action: 'signout', kinds: ['none'], show: 'showSignOut' },
  { method: 'POST', action: 'signout', kinds: ['none'], flow: 'sign-out' },
  ...getAndPost({ action: 'account', kinds: ['none'], flow: 'account' }),
  ...getAndPost({ action: 'email-change', kinds: ['none'], option: 'emailChange', flow: 'email-change' }),
  ...getAndPost({
    action: 'email-change-confirm',
    kinds: ['none'],
    option: 'emailChange',
    flow: 'email-change-confirm',
  }),
  { method: 'POST', action: 'backchannel-logout', kinds: ['none'], flow: 'backchannel-logout' },
  { method: 'GET', action: 'error', kinds: ['none'], show: 'showError' },
  { method: 'GET', action: 'verify-request', kinds: ['none'], show: 'showVerifyRequest' },
]

type Rows = Partial<Record<Kind, Route[]>>
const rowsOf = new Map<AuthAction, Rows>()
for (const route of routes) {
  const rows = rowsOf.get(route.action) ?? {}
  for (const kind of route.kinds) rows[kind] = [...(rows[kind] ?? []), route]
  rowsOf.set(route.action, rows)
}

/** Returns the rows of a path. Their methods are those that the path allows. */
export function findRoutes(
  action: AuthAction,
  kind: Kind,
  settings: Pick<Settings, 'secondFactor' | 'emailChange'>,
): readonly Route[] {
  const rows = rowsOf.get(action)?.[kind] ?? []
  return rows.filter(({ option }) => option === undefined || settings[option] !== undefined)
}

/** Tells whether the library has a route at a path, with this configuration. */
export function isRoute(pathname: string, settings: Settings): boolean {
  const route = parseRoute(pathname, settings.basePath)
  // While the account page is off, its flow answers 404.
  if (!route || (route.action === 'account' && !settings.accountPage)) return false
  const { action, providerId } = route
  const kind = providerId === undefined ? 'none' : settings.providers.get(providerId)?.kind
  return kind !== undefined && findRoutes(action, kind, settings).length > 0
}

const loadPages = onceLoaded(() => import('./pages.ts'))

/** Returns the function that shows something. It is loaded by the first request for any of them. */
export function findShowing(name: ShowingName): MaybePromise<Pages.Showing> {
  return whenReady(loadPages(), (pages) => pages[name])
}

/** Every flow of the library, by name. */
export type Flows = Readonly<Record<FlowName, Flow>>
export type FindFlow = (name: FlowName) => MaybePromise<Flow>

/** Most requests only read a session. Any other flow is loaded by the first request that runs it. */
const flows: Readonly<Record<FlowName, () => MaybePromise<Flow>>> = {
  'sign-in': onceLoaded(async () => (await import('./oauth/flow.ts')).signInFlow),
  callback: onceLoaded(async () => (await import('./oauth/flow.ts')).callbackFlow),
  'email-request': onceLoaded(async () => (await import('./email/flow.ts')).emailRequestFlow),
  'email-verification': onceLoaded(async () => (await import('./email/flow.ts')).emailVerificationFlow),
  credentials: onceLoaded(async () => (await import('./credentials/flow.ts')).credentialsFlow),
  'password-request': onceLoaded(async () => (await import('./password/flow.ts')).passwordRequestFlow),
  'password-reset': onceLoaded(async () => (await import('./password/flow.ts')).passwordResetFlow),
  'password-change': onceLoaded(async () => (await import('./password/flow.ts')).passwordChangeFlow),
  'webauthn-options': onceLoaded(async () => (await import('./passkey/flow.ts')).webauthnOptionsFlow),
  webauthn: onceLoaded(async () => (await import('./passkey/flow.ts')).webauthnFlow),
  factor: onceLoaded(async () => (await import('./factor/flow.ts')).factorFlow),
  'factor-enrolment': onceLoaded(async () => (await import('./factor/flow.ts')).factorEnrolmentFlow),
  session: () => sessionFlow,
  'sign-out': onceLoaded(async () => (await import('./sign-out/flow.ts')).signOutFlow),
  account: onceLoaded(async () => (await import('./account/flow.ts')).accountFlow),
  'email-change': onceLoaded(async () => (await import('./email-change/flow.ts')).emailChangeFlow),
  'email-change-confirm': onceLoaded(
    async () => (await import('./email-change/flow.ts')).emailChangeConfirmFlow,
  ),
  'backchannel-logout': onceLoaded(
    async () => (await import('./backchannel-logout/flow.ts')).backchannelLogoutFlow,
  ),
  refresh: onceLoaded(async () => (await import('./refresh/flow.ts')).refreshFlow),
}

/** Returns a flow, at once if it is loaded. */
export function findFlow(name: FlowName): MaybePromise<Flow> {
  return flows[name]()
}
