/**
 * The identity provider behind msw; apart from the rest of the testing kit, since nothing else of that needs msw.
 *
 * @example
 * const server = setupServer(...mswHandlers(provider))
 */
export { mswHandlers } from '../world/idp/msw.ts'
