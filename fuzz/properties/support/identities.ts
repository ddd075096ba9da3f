import type { Observed } from '../../observations.ts'
import type { Arrival, Browser } from '../../world/browser.ts'
import type { IdpUser } from '../../world/idp/contract.ts'
import { usersOf, type Person, type RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { consentTo, startAt } from './consent.ts'

/** Starts a sign-in, and consents at the provider as one of its accounts. */
export async function consentAs(
  world: World,
  browser: Browser,
  provider: RemoteName,
  sub: string,
): Promise<Arrival> {
  const arrival = await consentTo(world, provider, await startAt(world, browser, provider), sub)
  world.history.say(`${browser.name} consents at ${provider} as ${sub}`)
  return arrival
}

/** Options of providers with these accounts in addition to those of the people. */
export function withAccounts(accounts: readonly IdpUser[]) {
  const known = (provider: RemoteName) => ({ users: [...usersOf(provider), ...accounts] })
  return { alpha: known('alpha'), beta: known('beta'), plain: known('plain') }
}

/**
 * Returns what an attacker gained from an account that was linked to the user of a victim: the session of the victim,
 * or only a row in the store.
 */
export async function weighLink(
  world: World,
  attacker: Browser,
  provider: RemoteName,
  victim: Person = world.people.ada,
): Promise<{ readonly observed: Observed }> {
  // The check after this reports the session, with the account that opened it.
  world.prove(attacker, victim, provider)
  const shown = await attacker.whoAmI()
  return { observed: shown === victim.name ? 'another user' : 'a session' }
}
