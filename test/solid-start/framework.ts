/**
 * Mocks the parts of the framework that the example's protected routes use (test/vitest.config.ts). Browser tests cover
 * the real SolidStart.
 */
import { loadSession as load, type SolidAuthConfig } from '../../src/integrations/solid-start.ts'

/** The library with a separate configuration for each call, since tests change it. */
export const loadSession: typeof load = (event, config) => load(event, { ...config })

export interface Event {
  readonly request: Request
  readonly response: { readonly headers: Headers }
}

/** The application's configuration. Set it before the first request. */
export const authOptions: SolidAuthConfig = { providers: [] }

const present: { event?: Event } = {}

/** Runs a function during a request. It may throw a redirect as its response. */
export async function askDuring(event: Event, ask: () => Promise<unknown>): Promise<unknown> {
  present.event = event
  return ask().catch((thrown: unknown) => thrown)
}

export const getRequestEvent = () => present.event
export const query = <Ask>(ask: Ask) => ask
export const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
export const createMiddleware = <Given>(given: Given) => given
