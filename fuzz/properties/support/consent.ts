import type { Arrival, Browser } from '../../world/browser.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'

/** The providers that redirect a browser. */
export const remotes = ['alpha', 'beta', 'plain'] as const satisfies readonly RemoteName[]

/** Starts a sign-in, and stops before the provider. @throws {Unreached} if the browser is not redirected there */
export async function startAt(
  world: World,
  browser: Browser,
  provider: RemoteName,
  form?: Readonly<Record<string, string>>,
): Promise<URL> {
  const { location, status } = await browser.start(provider, form)
  world.assume(
    location !== undefined && location.origin !== world.origin,
    `the sign-in at ${provider} did not redirect there (${status} ${location?.href ?? ''})`,
  )
  return location ?? new URL(world.origin)
}

/** Consents to an authorization request as a user, and returns a new code each time. */
export async function consentTo(world: World, provider: RemoteName, url: URL, sub: string): Promise<Arrival> {
  const idp = world.idps[provider]
  idp.choose(sub)
  const { parameters, mode } = await idp.authorize(url.href)
  return { provider, parameters, mode }
}

/** Returns a person's subject at a provider. */
export function subjectOf(person: Person, provider: RemoteName): string {
  return `${person.name}-at-${provider}`
}

/** Returns the same response with other parameters. */
export function withParameters(arrival: Arrival, change: (parameters: URLSearchParams) => void): Arrival {
  const parameters = new URLSearchParams(arrival.parameters)
  change(parameters)
  return { ...arrival, parameters }
}
