import type { RequirementId } from 'authmachine/spec'
import type { Meaning } from '../../world/breach.ts'
import { describeFault } from '../../world/idp/describe-fault.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { consentTo, subjectOf } from './consent.ts'
import { checkUnchanged, isSignedIn, takeSnapshot } from './snapshot.ts'

/** Signs in while the provider misbehaves, and returns whether somebody is signed in afterwards. */
export async function signInUnder(
  world: World,
  provider: RemoteName,
  ...faults: readonly Fault[]
): Promise<boolean> {
  return signInAs(world.people.ada, world, provider, faults)
}

/** Signs two users in while the provider misbehaves, of whom the second must not get the session of the first. */
export async function signInBothUnder(world: World, provider: RemoteName, fault: Fault): Promise<void> {
  const { ada, bob } = world.people
  for (const person of [ada, bob]) await signInAs(person, world, provider, [fault])
}

async function signInAs(
  person: Person,
  world: World,
  provider: RemoteName,
  faults: readonly Fault[],
): Promise<boolean> {
  const browser = world.browser(person.name)
  const idp = world.idps[provider]
  idp.misbehave(...faults)
  try {
    const { location } = await browser.start(provider)
    // After a redirect elsewhere, there is no consent page.
    if (location?.origin !== new URL(idp.issuer).origin) return false
    world.prove(browser, person, provider)
    await browser.arrive(await consentTo(world, provider, location, subjectOf(person, provider)))
  } finally {
    idp.misbehave()
  }
  return isSignedIn(browser)
}

/**
 * Checks that a sign-in under a fault signs nobody in, and that one without it works.
 *
 * @param meaning if no attacker can choose the fault
 */
export async function checkFaultRefused(
  world: World,
  id: RequirementId,
  provider: RemoteName,
  fault: Fault,
  meaning?: Partial<Meaning>,
): Promise<void> {
  const watching = world.browser('ada')
  const before = await takeSnapshot(world, watching)
  const opened = await signInUnder(world, provider, fault)
  const says = `a sign-in at ${provider} succeeds, although ${describeFault(fault)}`
  world.check(id, !opened, says, { observed: 'a session', ...meaning })
  await checkUnchanged(world, id, watching, before, `although ${describeFault(fault)}`)
  await world.browser('ada').signIn(provider, world.people.ada)
  world.reach(fault)
}
