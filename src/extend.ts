/**
 * Write features for your site: routes, pages, gates that every sign-in passes, and ways to sign in, on the same machines as
 * the library's own. Experimental: the contract may change in a minor version.
 */
import { findFeatureFault } from './extend/find-fault.ts'
import type { Feature, FeatureDefinition, MethodDefinitions } from './types/feature.ts'
import { findFault } from './types/symbols.ts'

export { approving } from '../machines/approval.ts'
export { faulted } from '../machines/endings.ts'
export {
  admitted,
  admitting,
  anonymous,
  challenged,
  checkingRateLimit,
  checkingSession,
  denied,
  featureChart,
  final,
  lapsed,
  openingHeldSignIn,
  working,
} from '../machines/feature.ts'
export { checkingCsrf, refused, resolvingCallbackUrl } from '../machines/opening.ts'
export { nobody, recognition, somebody } from '../machines/recognition.ts'
export { type KeyedRecord, keyedRecord, type StoredKeyedValue } from './extend/keyed-record.ts'
export { type AwaitedCode, type OneTimeCode, oneTimeCode, type UsedCode } from './extend/one-time-code.ts'
export {
  type FeatureCookie,
  featureCookie,
  type StoredValue,
  type UserRecord,
  userRecord,
} from './extend/sealed.ts'
export { type SharedFacts, type Toolbox, toolbox } from './extend/toolbox.ts'
export type {
  ApprovedIdentity,
  Feature,
  FeatureAttempt,
  FeatureDefinition,
  FeatureEnds,
  FeatureFlow,
  FeatureMethods,
  FeaturePages,
  FeatureRequest,
  FeatureResult,
  FeatureRoute,
  FeatureTools,
  FeatureWords,
  Gate,
  GateDecision,
  GateSubject,
  Json,
  MethodDefinitions,
  ProvenAccount,
  ProvenIdentity,
  ShowPage,
  SignInForm,
  SignInWay,
  SiteTools,
} from './types/feature.ts'
export type { PageKit, SectionKit, View, ViewField, ViewPart } from './types/feature-page.ts'

/**
 * Declares a feature.
 *
 * @param definition its name, routes, gate, way to sign in, methods and pages. It is checked with the configuration, at the start of the site
 * @typeParam Methods the methods, which the compiler infers
 * @returns the feature, for `features` of the configuration
 * @example
 * const terms = (options: TermsOptions) =>
 *   defineFeature({ name: 'terms', title: 'Terms of service', options, routes, gate, pages, texts })
 *
 * createAuth({ providers: [GitHub], adapter, features: [terms({ version: '2026-11', url: '/terms' })] })
 */
export function defineFeature<
  Options,
  Key extends string = string,
  const Methods extends MethodDefinitions<Options> = MethodDefinitions<Options>,
>(definition: FeatureDefinition<Options, Key, Methods>): Feature<Methods> {
  const defined: FeatureDefinition<unknown, string, Methods> = definition
  return { ...defined, [findFault]: (site) => findFeatureFault(defined, site) }
}
