/** Tests features that are written with `authmachine/extend`, in any test runner. */
export { type FeatureReport, testFeature } from './tools/feature-test/test-feature.ts'
