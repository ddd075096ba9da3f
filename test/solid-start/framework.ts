/**
 * What the example takes from its framework, in the place of all its packages (test/vitest.config.ts): the least that its
 * protected routes need. What SolidStart really does with them is tested in a browser.
 */
import { loadSession as load, type SolidAuthConfig } from '../../src/integrations/solid-start.ts'

/** The library's, each time with a configuration of its own, since tests change what it says. */
export const loadSession: typeof load = (event, config) => load(event, { ...config })

export interface Event {
  readonly request: Request
  readonly response: { readonly headers: Headers }
}

/** The configuration of the application, which is told to it before it is asked anything. */
export const authOptions: SolidAuthConfig = { providers: [] }

const present: { event?: Event } = {}

/** Asks something while a request is answered; its answer may be a redirect that it throws. */
export async function askDuring(event: Event, ask: () => Promise<unknown>): Promise<unknown> {
  present.event = event
  return ask().catch((thrown: unknown) => thrown)
}

export const getRequestEvent = () => present.event
export const query = <Ask>(ask: Ask) => ask
export const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
export const createMiddleware = <Given>(given: Given) => given
