import type { ProviderSettings } from '../config/settings.ts'
import type { AuthAction } from '../types/config.ts'
import {
  showCsrf,
  showError,
  showProviders,
  showScript,
  showSignIn,
  showSignOut,
  showVerifyRequest,
} from './showings.ts'
import type { Showing } from './showings.ts'

export type FlowName =
  | 'sign-in'
  | 'callback'
  | 'email-request'
  | 'email-verification'
  | 'credentials'
  | 'webauthn-options'
  | 'webauthn'
  | 'session'
  | 'sign-out'
type Kind = ProviderSettings['kind'] | 'none'

/** One row of what the library answers: a flow to run, or something to show. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly action: AuthAction
  /** Kinds of provider in the path; `none` is a path without one. */
  readonly kinds: readonly Kind[]
  readonly flow?: FlowName
  readonly show?: Showing
}

/** Everything the library answers. Nothing else branches on a provider's type. */
export const routes: readonly Route[] = [
  { method: 'GET', action: 'csrf', kinds: ['none'], show: showCsrf },
  { method: 'GET', action: 'providers', kinds: ['none'], show: showProviders },
  { method: 'GET', action: 'session', kinds: ['none'], flow: 'session' },
  { method: 'POST', action: 'session', kinds: ['none'], flow: 'session' },
  { method: 'GET', action: 'signin', kinds: ['none'], show: showSignIn },
  { method: 'POST', action: 'signin', kinds: ['oauth'], flow: 'sign-in' },
  { method: 'POST', action: 'signin', kinds: ['none', 'credentials', 'webauthn'], show: showSignIn },
  { method: 'GET', action: 'callback', kinds: ['oauth'], flow: 'callback' },
  { method: 'POST', action: 'callback', kinds: ['oauth'], flow: 'callback' },
  { method: 'POST', action: 'signin', kinds: ['email'], flow: 'email-request' },
  { method: 'GET', action: 'callback', kinds: ['email'], flow: 'email-verification' },
  { method: 'POST', action: 'callback', kinds: ['email'], flow: 'email-verification' },
  { method: 'POST', action: 'callback', kinds: ['credentials'], flow: 'credentials' },
  { method: 'GET', action: 'webauthn-options', kinds: ['webauthn'], flow: 'webauthn-options' },
  { method: 'GET', action: 'webauthn-options', kinds: ['none'], show: showScript },
  { method: 'POST', action: 'callback', kinds: ['webauthn'], flow: 'webauthn' },
  { method: 'GET', action: 'signout', kinds: ['none'], show: showSignOut },
  { method: 'POST', action: 'signout', kinds: ['none'], flow: 'sign-out' },
  { method: 'GET', action: 'error', kinds: ['none'], show: showError },
  { method: 'GET', action: 'verify-request', kinds: ['none'], show: showVerifyRequest },
]

const byPath = new Map<string, Route[]>()
for (const route of routes) {
  for (const kind of route.kinds) {
    const path = nameOf(route.action, kind)
    byPath.set(path, [...(byPath.get(path) ?? []), route])
  }
}

/** The rows of a path; their methods are what the path allows. */
export function findRoutes(action: AuthAction, kind: Kind): readonly Route[] {
  return byPath.get(nameOf(action, kind)) ?? []
}

function nameOf(action: AuthAction, kind: Kind): string {
  return `${action} ${kind}`
}
