/** The optional features of the library. `docs/architecture.md` names the other lists that contain each of them. */
import { onceLoaded } from '../async/once.ts'
import type { Settings } from '../config/settings.ts'
import { findFeatureRoute, type Route } from '../http/parse-visit.ts'
import type { LibraryFeature } from '../pages/library-feature.ts'
import type { Feature } from '../types/feature.ts'
import { accountPage } from './account-page/feature.ts'
import { backchannelLogout } from './backchannel-logout/feature.ts'
import { emailChange } from './email-change/feature.ts'
import { mailCodes } from './mail-codes/feature.ts'
import { passkeys } from './passkeys/feature.ts'
import { passwords } from './passwords/feature.ts'
import { secondFactor } from './second-factor/feature.ts'

const heads: readonly ((settings: Settings) => LibraryFeature | undefined)[] = [
  accountPage,
  secondFactor,
  emailChange,
  backchannelLogout,
  mailCodes,
  passkeys,
  passwords,
]

/** Returns the optional features that a site has turned on. */
export function listOptional(settings: Settings): readonly LibraryFeature[] {
  return heads.flatMap((head) => head(settings) ?? [])
}

/** Returns the enabled optional feature that has a route at a path, or undefined. */
export function findOptional(route: Route, settings: Settings): Feature | undefined {
  return listOptional(settings).find((feature) => findFeatureRoute(feature, route))
}

const loadGate = onceLoaded(() => import('./second-factor/gate.ts'))

/** Loads the gate of the second factor, which sign-ins and the account policy use without a request to its routes. */
export const loadFactor = async () => (await loadGate()).factorGate

/** Loads what the methods of an instance do. */
export const loadMethods = { removeSecondFactor: async () => (await loadGate()).removal }
