/**
 * Write features for your site: routes, pages, and gates that every sign-in passes, on the same machines as the library's
 * own. Experimental: the contract may change in a minor version.
 */
import type { Feature } from './types/feature.ts'

export { chart, does } from '../machines/chart.ts'
export { faulted } from '../machines/endings.ts'
export { anonymous, openingHeldSignIn } from '../machines/feature.ts'
export { checkingCsrf, refused, resolvingCallbackUrl } from '../machines/opening.ts'
export { nobody, recognition, somebody } from '../machines/recognition.ts'
export {
  type FeatureCookie,
  featureCookie,
  type StoredValue,
  type UserRecord,
  userRecord,
} from './extend/sealed.ts'
export { type SharedFacts, type Toolbox, toolbox } from './extend/toolbox.ts'
export type {
  AnyFeature,
  Feature,
  FeatureFlow,
  FeatureRequest,
  FeatureResult,
  FeatureRoute,
  FeatureTools,
  Gate,
  GateDecision,
  GateSubject,
  Json,
  PageKit,
  View,
  ViewField,
  ViewPart,
} from './types/feature.ts'

/**
 * Declares a feature, and infers the type of its options.
 *
 * @example
 * const terms = (options: { version: string }) =>
 *   defineFeature({ name: 'terms', title: 'Terms of service', options, routes: { … }, gate: { … } })
 *
 * createAuth({ providers: [GitHub], adapter, features: [terms({ version: '2026-11' })] })
 */
export function defineFeature<Options>(feature: Feature<Options>): Feature<Options> {
  return feature
}
