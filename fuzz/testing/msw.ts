/**
 * Returns msw handlers for the mock identity provider. They are a separate entry point because nothing else in the
 * testing kit needs msw.
 *
 * @example
 * const server = setupServer(...mswHandlers(provider))
 */
export { mswHandlers } from '../world/idp/msw.ts'
