import type { Arrival, Browser } from '../../world/browser.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'

/** The providers that a browser is sent away to. */
export const remotes = ['alpha', 'beta', 'plain'] as const satisfies readonly RemoteName[]

/** Starts a sign-in, and stops before the provider. @throws {Unreached} when the browser is not sent there */
export async function startAt(
  world: World,
  browser: Browser,
  provider: RemoteName,
  form?: Readonly<Record<string, string>>,
): Promise<URL> {
  const { location, status } = await browser.start(provider, form)
  world.demand(
    location !== undefined && location.origin !== world.origin,
    `the sign-in at ${provider} did not lead to it (${status} ${location?.href ?? ''})`,
  )
  return location ?? new URL(world.origin)
}

/** Consents to an authorization request as somebody, once more if need be, and is given a new code for it. */
export async function consentTo(world: World, provider: RemoteName, url: URL, sub: string): Promise<Arrival> {
  const idp = world.idps[provider]
  idp.choose(sub)
  const { parameters, mode } = await idp.authorize(url.href)
  return { provider, parameters, mode }
}

/** What a person is to a provider. */
export function subjectOf(person: Person, provider: RemoteName): string {
  return `${person.name}-at-${provider}`
}

/** The same answer with other parameters. */
export function withParameters(arrival: Arrival, change: (parameters: URLSearchParams) => void): Arrival {
  const parameters = new URLSearchParams(arrival.parameters)
  change(parameters)
  return { ...arrival, parameters }
}
