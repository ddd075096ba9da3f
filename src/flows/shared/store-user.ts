import { asError } from '../../errors/as-error.ts'
import type { Store } from '../../config/settings.ts'
import { makePlaceholder } from '../../text/placeholder-address.ts'
import type { Stamp } from '../../session/stamp.ts'
import { endKept } from '../../policy/end-kept.ts'
import { requireCurrentUser, isProven, readUser } from '../../session/stored.ts'
import type { User } from '../../types/records.ts'
import { respondInTime } from '../engine/deadline.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { saysUnverified } from './linking.ts'

/** Removes an address from the user who never verified it. */
export const releaseAddress = step({
  needs: ['claimant'],
  says: { 'address.released': [] },
  inTurn: true,
  run: async ({ claimant: { id } }, world) => release(id, world),
})

/** The same, if there is such a user. */
export const releaseClaim = step({
  may: ['claimant'],
  says: { 'address.released': [] },
  run: ({ claimant }, world) => (claimant ? release(claimant.id, world) : { type: 'address.released' }),
})

async function release(id: string, world: World) {
  const answer = await requireStore(world).updateUser({ id, email: makePlaceholder(id) })
  const user = requireCurrentUser(answer, 'updateUser')
  world.out.announce({ event: 'updateUser', message: { user } })
  return { type: 'address.released' } as const
}

/**
 * Stores a new user of a provider. An address that the provider calls unverified is not stored: its owner would later
 * share the user with the person who claimed it (decision 51).
 */
export const createUser = step({
  needs: ['candidate', 'provider'],
  may: ['profile'],
  says: { 'user.created': ['createdUser', 'member'], 'user.unconfirmed': ['conflict'] },
  inTurn: true,
  run({ candidate, provider, profile }, world) {
    const isWithheld = candidate.email && saysUnverified(profile) && !provider.storeUnverifiedEmail
    return storeUser(
      isWithheld ? { ...candidate, email: makePlaceholder(candidate.id ?? '') } : candidate,
      world,
    )
  },
})

/** Stores a user whose address, if any, is not verified. */
export async function storeUser(candidate: User, world: World) {
  const store = requireStore(world)
  const create = async () =>
    store.createUser({ ...candidate, emailVerified: null } as Parameters<typeof store.createUser>[0])
  try {
    const answer = await respondInTime(create(), 'createUser', world.platform)
    const createdUser = requireCurrentUser(answer, 'createUser')
    return { type: 'user.created', createdUser, member: createdUser } as const
  } catch (error) {
    return { type: 'user.unconfirmed', conflict: asError(error) } as const
  }
}

/**
 * Looks up the user with an id that nobody else can know. If it exists, only the response of the store was lost.
 * Otherwise another request may have been faster.
 */
export const confirmUser = step({
  needs: ['candidate'],
  says: { 'user.created': ['createdUser', 'member'], 'user.conflicting': [] },
  inTurn: true,
  async run({ candidate: { id } }, world) {
    const store = requireStore(world)
    if (id === undefined || !store.has('getUser')) return { type: 'user.conflicting' }
    const made = readUser(await store.getUser(id), 'getUser')
    return made ? { type: 'user.created', createdUser: made, member: made } : { type: 'user.conflicting' }
  },
})

/** Removes a user whose account could not be stored, unless another sign-in uses it. Needs `deleteUser`. */
export const removeUser = step({
  needs: ['orphan'],
  says: { 'user.removed': [] },
  inTurn: true,
  async run({ orphan }, world) {
    const store = requireStore(world)
    if (store.has('deleteUser') && !(await isJoined(orphan.id, store))) await store.deleteUser(orphan.id)
    return { type: 'user.removed' }
  },
})

/** Returns whether another sign-in has found the user by the address, by a mailed link or with another account. */
async function isJoined(id: string, store: Store): Promise<boolean> {
  const user = store.has('getUser') ? readUser(await store.getUser(id), 'getUser') : undefined
  if (user && isProven(user)) return true
  return store.has('listAccountsByUserId') && (await store.listAccountsByUserId(id)).length > 0
}

/**
 * Ends the classes that the first proof of an address ends. Until then, anyone may have created the sessions, the
 * password and the passkeys of its user. Accounts at providers stay, and so does the second factor.
 */
export const revokeAccess = step({
  needs: ['member'],
  may: ['stamp'],
  says: { 'earlier-access.ended': ['stamp'] },
  inTurn: true,
  run: ({ member, stamp }, world) =>
    isProven(member) ? { type: 'earlier-access.ended', stamp } : endAccess(member.id, stamp, world),
})

async function endAccess(userId: string, held: Stamp | undefined, world: World) {
  const stamp = await endKept('first-proof', userId, world, undefined, held)
  return { type: 'earlier-access.ended', stamp } as const
}
