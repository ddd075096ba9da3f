/** What every site loads of the optional features: their options, and which of them are on. */
import type { Settings } from '../config/settings.ts'
import type { AuthError } from '../errors/classes.ts'
import { type AuthAction, optionalActions } from '../routes.ts'
import { backchannelLogoutFeature } from './backchannel-logout/options.ts'
import { emailChangeFeature, emailChangeOption } from './email-change/options.ts'
import type { OptionalFeature } from './optional-feature.ts'

/** The options that turn features on. */
export const featureOptions = { emailChange: emailChangeOption } as const

const all: readonly OptionalFeature[] = [emailChangeFeature, backchannelLogoutFeature]

const actions: ReadonlySet<string> = new Set<AuthAction>(optionalActions)

/** Tells whether an action is a route of an optional feature that is on. */
export function isOptionalRoute(action: string, settings: Settings): boolean {
  if (!actions.has(action)) return false
  return all.some(({ name, isOn }) => (action === name || action.startsWith(`${name}-`)) && isOn(settings))
}

/** Returns the fault of an optional feature in a configuration, or undefined. */
export function checkOptional(settings: Settings): AuthError | undefined {
  for (const { check } of all) {
    const fault = check?.(settings)
    if (fault) return fault
  }
  return undefined
}
