import { AccessDenied } from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { type FactorRecord, readFactor, type StoredFactor } from '../../second-factor/factor-record.ts'
import { isAwaited } from '../../second-factor/held-sign-ins.ts'
import { deviceCookie } from '../../second-factor/remembered-device.ts'
import { addSecondFactor, describeFirstFactor } from '../../session/authentication.ts'
import { isProven } from '../../session/stored.ts'
import type { Stamp } from '../../session/stamp.ts'
import { readStamp } from '../../policy/stamp.ts'
import type { Authentication } from '../../types/second-factor.ts'
import type { World } from '../engine/world.ts'
import { type Arrival, holdSignIn, type Place } from './hold-sign-in.ts'
import { vaultOf } from './vault.ts'

/** Holds the sign-in until the user enters the second factor, if the user has one. */
export async function requireFactor(place: Place, facts: Arrival, world: World) {
  const { visit, account, stamp, passed, approved } = facts
  const { settings, platform } = world
  // The session that approved has passed the second factor, and a change to it would have ended the approval.
  if (approved) return { type: 'factor.unneeded', authentication: approved, stamp } as const
  const stored = settings.secondFactor && (await readFactor(idOf(facts), vaultOf(world)))
  const first = describeFirstFactor(account, passed?.provenAt ?? platform.now(), settings)
  if (passed?.factor) {
    const { method, at } = passed.factor
    if (!isPassed(facts, stored)) return { type: 'user.denied', failure: new AccessDenied(changed) } as const
    return { type: 'factor.unneeded', authentication: addSecondFactor(first, method, at), stamp } as const
  }
  // A remembered browser proves nothing about the person, so it changes nothing: it only signs in.
  const isExempt = async () =>
    stored && !changesAccount(facts) && (await isRemembered(stored.record, stamp, visit, world))
  if (!stored || (await isExempt())) return { type: 'factor.unneeded', authentication: first, stamp } as const
  return hold(stored, place, facts, world)
}

/** Holds a link that the user of a session asked for, until that user enters the second factor. */
export async function holdForSession(place: Place, facts: Arrival, first: Authentication, world: World) {
  const stamp = await readStamp({ id: idOf(facts) }, world)
  const stored = await readFactor(idOf(facts), vaultOf(world))
  if (!stored) throw new AccessDenied('Another request has removed the second factor')
  return hold(stored, place, { ...facts, stamp }, world, first)
}

async function hold(
  { record: { binding } }: StoredFactor,
  place: Place,
  facts: Arrival,
  world: World,
  first?: Authentication,
) {
  await holdSignIn({ gate: 'factor', binding, place, first }, facts, world)
  return { type: 'factor.demanded', gate: 'factor' } as const
}

const changed = 'The second factor or the owner of the identity was changed in the meantime'

/**
 * Returns whether the second factor that the user has entered is still the one of the user who signs in. Only it has
 * this binding.
 */
function isPassed({ passed }: Arrival, stored: StoredFactor | undefined): boolean {
  return stored !== undefined && isAwaited(passed?.factor?.binding, passed?.provenAt ?? 0, stored.record)
}

/** Returns whether this browser was remembered for the user, and no change to the account has ended that. */
async function isRemembered(
  { userId, binding }: FactorRecord,
  stamp: Stamp | undefined,
  visit: Visit,
  world: World,
): Promise<boolean> {
  const bound = { userId: String(userId), binding, stamp: stamp?.value ?? undefined }
  return (await deviceCookie.open(visit, bound, world)) !== undefined
}

/** Returns whether the sign-in links an account, proves an address for the first time, or sets a password. */
function changesAccount({ account, member, linking, passwordProvider, linkToken }: Arrival): boolean {
  if (linking || (passwordProvider && linkToken !== undefined)) return true
  return account.type === 'email' && member !== undefined && !isProven(member)
}

function idOf({ holder, member, candidate }: Arrival): string {
  return (holder ?? member ?? candidate).id ?? ''
}
