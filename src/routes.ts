/** One kind of request that the library handles: by a flow, or by showing something. */
interface Row {
  readonly method: 'GET' | 'POST'
  /** The first segment of the path under the base path. */
  readonly action: string
  /** Types of provider in the path. `none` is a path without a provider. */
  readonly kinds: readonly string[]
  /** The option without which the route does not exist. */
  readonly option?: string
  readonly flow?: string
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
  { method: 'GET', action: 'password', kinds: ['password'], show: 'showPassword' },
  { method: 'POST', action: 'password', kinds: ['password'], flow: 'password-request' },
  ...getAndPost({ action: 'password-reset', kinds: ['password'], flow: 'password-reset' }),
  { method: 'GET', action: 'password-change', kinds: ['password'], show: 'showPassword' },
  { method: 'POST', action: 'password-change', kinds: ['password'], flow: 'password-change' },
  { method: 'GET', action: 'webauthn-options', kinds: ['webauthn'], flow: 'webauthn-options' },
  { method: 'GET', action: 'webauthn-options', kinds: ['none'], show: 'showScript' },
  { method: 'POST', action: 'callback', kinds: ['webauthn'], flow: 'webauthn' },
  ...getAndPost({ action: 'factor', kinds: ['none'], option: 'secondFactor', flow: 'factor' }),
  ...getAndPost({
    action: 'factor-enrolment',
    kinds: ['none'],
    option: 'secondFactor',
    flow: 'factor-enrolment',
  }),
  ...getAndPost({ action: 'session', kinds: ['none'], flow: 'session' }),
  { method: 'GET', action: 'signout', kinds: ['none'], show: 'showSignOut' },
  { method: 'POST', action: 'signout', kinds: ['none'], flow: 'sign-out' },
  { method: 'GET', action: 'error', kinds: ['none'], show: 'showError' },
  { method: 'GET', action: 'verify-request', kinds: ['none'], show: 'showVerifyRequest' },
] as const satisfies readonly Row[]

/** The option that turns on each route of the optional features, whose methods and flows are in `features/<name>/`. */
const optionalRoutes = {
  account: 'accountPage',
  'email-change': 'emailChange',
  'email-change-confirm': 'emailChange',
  'backchannel-logout': 'backChannelLogout',
} as const

export const optionalActions = Object.keys(optionalRoutes) as readonly (keyof typeof optionalRoutes)[]

/** Tells whether an action is a route of an optional feature, whether the feature is on or not. */
export function isOptionalAction(action: string): action is keyof typeof optionalRoutes {
  return Object.hasOwn(optionalRoutes, action)
}

/** Returns the option that turns on a route of an optional feature. */
export function optionOf(action: string): string | undefined {
  return isOptionalAction(action) ? optionalRoutes[action] : undefined
}

/** The first segment of a path under the base path. */
export type AuthAction = (typeof routes)[number]['action'] | (typeof optionalActions)[number]
