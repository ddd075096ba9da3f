/** One kind of request that the library handles: by a flow, or by showing something. */
interface Row {
  readonly method: 'GET' | 'POST'
  /** The first segment of the path under the base path. */
  readonly action: string
  /** Types of provider in the path. `none` is a path without a provider. */
  readonly kinds: readonly string[]
  readonly flow?: string
  /** The flow belongs to an optional feature, which lists these providers in its routes. */
  readonly isOptional?: true
  readonly show?: string
}

/** Returns the routes of a path that accepts both methods: a page with its form, or a callback. */
function getAndPost<const R extends Omit<Row, 'method'>>(route: R) {
  return [
    { method: 'GET', ...route },
    { method: 'POST', ...route },
  ] as const
}

/**
 * All routes. No other code branches on a provider's type. This is data without imports, from which the lowest layers
 * derive the actions; `flows/flows.ts` binds the names in it to flows and pages.
 */
export const routes = [
  { method: 'GET', action: 'csrf', kinds: ['none'], show: 'showCsrf' },
  { method: 'GET', action: 'providers', kinds: ['none'], show: 'showProviders' },
  { method: 'GET', action: 'signin', kinds: ['none'], show: 'showSignIn' },
  { method: 'POST', action: 'signin', kinds: ['oauth'], flow: 'sign-in' },
  {
    method: 'POST',
    action: 'signin',
    kinds: ['none', 'credentials', 'password', 'webauthn', 'feature'],
    show: 'showSignIn',
  },
  ...getAndPost({ action: 'callback', kinds: ['oauth'], flow: 'callback' }),
  { method: 'POST', action: 'signin', kinds: ['email'], flow: 'email-request' },
  ...getAndPost({ action: 'callback', kinds: ['email'], flow: 'email-verification' }),
  { method: 'POST', action: 'callback', kinds: ['credentials', 'password'], flow: 'credentials' },
  { method: 'GET', action: 'webauthn-options', kinds: ['webauthn'], isOptional: true },
  { method: 'GET', action: 'webauthn-options', kinds: ['none'], show: 'showScript' },
  { method: 'POST', action: 'callback', kinds: ['webauthn'], isOptional: true },
  ...getAndPost({ action: 'session', kinds: ['none'], flow: 'session' }),
  { method: 'GET', action: 'signout', kinds: ['none'], show: 'showSignOut' },
  { method: 'POST', action: 'signout', kinds: ['none'], flow: 'sign-out' },
  { method: 'GET', action: 'error', kinds: ['none'], show: 'showError' },
  { method: 'GET', action: 'verify-request', kinds: ['none'], show: 'showVerifyRequest' },
] as const satisfies readonly Row[]

/** A route of an optional feature, whose methods and flow are in `features/<name>/`. */
interface OptionalRoute {
  /** The option that turns the route on. A provider turns the others on. */
  readonly option?: string
  /** Whether the id of a provider follows the action. */
  readonly takesProvider?: boolean
}

const optionalRoutes = {
  account: { option: 'accountPage' },
  factor: { option: 'secondFactor' },
  'factor-enrolment': { option: 'secondFactor' },
  'email-change': { option: 'emailChange' },
  'email-change-confirm': { option: 'emailChange' },
  'backchannel-logout': { option: 'backChannelLogout' },
  password: { takesProvider: true },
  'password-reset': { takesProvider: true },
  'password-change': { takesProvider: true },
} as const satisfies Readonly<Record<string, OptionalRoute>>

export const optionalActions = Object.keys(optionalRoutes) as readonly (keyof typeof optionalRoutes)[]

/** Returns whether an action is a route of an optional feature, whether the feature is on or not. */
export function isOptionalAction(action: string): action is keyof typeof optionalRoutes {
  return Object.hasOwn(optionalRoutes, action)
}

/** Returns the row of an optional feature's route, or nothing for other actions. */
export function optionalRouteOf(action: string): OptionalRoute {
  return isOptionalAction(action) ? optionalRoutes[action] : {}
}

/** The first segment of a path under the base path. */
export type AuthAction = (typeof routes)[number]['action'] | (typeof optionalActions)[number]
