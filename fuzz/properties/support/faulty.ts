import type { RequirementId } from 'authmachine/spec'
import type { Fault } from '../../world/idp/faults.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { consentTo, subjectOf } from './consent.ts'
import { holdUnchanged, isSignedIn, takeStock } from './stock.ts'

/** Signs in at a provider that misbehaves all the while, and is well again afterwards. Is anybody signed in then? */
export async function signInUnder(
  world: World,
  provider: RemoteName,
  ...faults: readonly Fault[]
): Promise<boolean> {
  const browser = world.browser('ada')
  const idp = world.idps[provider]
  idp.misbehave(...faults)
  try {
    const { location } = await browser.start(provider)
    // What leads elsewhere is no sign-in there, and nothing that its users could consent to.
    if (location?.origin !== new URL(idp.issuer).origin) return false
    world.prove(browser, world.people.ada, provider)
    await browser.arrive(await consentTo(world, provider, location, subjectOf(world.people.ada, provider)))
  } finally {
    idp.misbehave()
  }
  return isSignedIn(browser)
}

/** Holds that a sign-in under a fault makes nothing of anybody, and that one without it works. */
export async function holdFaultRefused(
  world: World,
  id: RequirementId,
  provider: RemoteName,
  fault: Fault,
): Promise<void> {
  const watching = world.browser('ada')
  const before = await takeStock(world, watching)
  const opened = await signInUnder(world, provider, fault)
  world.hold(id, !opened, `somebody is signed in at ${provider}, though it misbehaves: ${fault}`)
  await holdUnchanged(world, id, watching, before, `${provider} misbehaves: ${fault}`)
  await world.browser('ada').signIn(provider, world.people.ada)
  world.reach(fault)
}
