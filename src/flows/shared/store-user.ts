import { asError } from '../../as-error.ts'
import type { Store } from '../../config/settings.ts'
import { makePlaceholder } from '../../placeholder.ts'
import { type MaybePromise, whenDone } from '../../maybe-promise.ts'
import { demandUser, isProven, readUser } from '../../session/stored.ts'
import type { User } from '../../types/records.ts'
import { readAuthenticators } from '../../webauthn/authenticator.ts'
import { answerInTime } from '../engine/deadline.ts'
import { type Given, step } from '../engine/step.ts'
import { demandStore, type World } from '../engine/world.ts'
import { hasPasswords, saysUnverified } from './linking.ts'

/** The events after which this run still stores the identity. */
const keepsIdentity: readonly string[] = [
  'earlier-access.ended',
  'address.released',
  'user.created',
  'user.unconfirmed',
  'account.unconfirmed',
  'user.orphaned',
]

/** Releases the identity after a step, unless this run still stores it. */
export function thenRelease<F extends Given<never, 'releaseIdentity'>, R extends { readonly type: string }>(
  run: (facts: F, world: World) => MaybePromise<R>,
): (facts: F, world: World) => MaybePromise<R> {
  return (facts, world) =>
    whenDone(
      () => run(facts, world),
      (report) => {
        if (!keepsIdentity.includes(report.type)) facts.releaseIdentity?.()
        return report
      },
      (error) => {
        facts.releaseIdentity?.()
        throw error
      },
    )
}

/** Removes an address from the user who never verified it. */
export const releaseAddress = step({
  needs: ['claimant'],
  may: ['releaseIdentity'],
  says: { 'address.released': [] },
  run: thenRelease(async ({ claimant: { id } }, world) => {
    const answer = await demandStore(world).updateUser({ id, email: makePlaceholder(id) })
    const user = demandUser(answer, 'updateUser')
    world.out.announce({ event: 'updateUser', message: { user } })
    return { type: 'address.released' }
  }),
})

/**
 * Stores a new user of a provider. An address that the provider calls unverified is not stored: its owner would later
 * share the user with the person who claimed it (decision 51).
 */
export const createUser = step({
  needs: ['candidate', 'provider'],
  may: ['profile', 'releaseIdentity'],
  says: { 'user.created': ['createdUser', 'member'], 'user.unconfirmed': ['conflict'] },
  run: thenRelease(({ candidate, provider, profile }, world) => {
    const isWithheld = candidate.email && saysUnverified(profile) && !provider.storeUnverifiedEmail
    return storeUser(
      isWithheld ? { ...candidate, email: makePlaceholder(candidate.id ?? '') } : candidate,
      world,
    )
  }),
})

/** Stores a user whose address, if any, is not verified. */
export async function storeUser(candidate: User, world: World) {
  const store = demandStore(world)
  const create = async () =>
    store.createUser({ ...candidate, emailVerified: null } as Parameters<typeof store.createUser>[0])
  try {
    const answer = await answerInTime(create(), 'createUser', world.platform)
    const createdUser = demandUser(answer, 'createUser')
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
  may: ['releaseIdentity'],
  says: { 'user.created': ['createdUser', 'member'], 'user.conflicting': [] },
  run: thenRelease(async ({ candidate: { id } }, world) => {
    const store = demandStore(world)
    if (id === undefined || !store.has('getUser')) return { type: 'user.conflicting' }
    const made = readUser(await store.getUser(id), 'getUser')
    return made ? { type: 'user.created', createdUser: made, member: made } : { type: 'user.conflicting' }
  }),
})

/** Removes a user whose account could not be stored, unless another sign-in uses it. Needs `deleteUser`. */
export const removeUser = step({
  needs: ['orphan'],
  may: ['releaseIdentity'],
  says: { 'user.removed': [] },
  run: thenRelease(async ({ orphan }, world) => {
    const store = demandStore(world)
    if (store.has('deleteUser') && !(await isJoined(orphan.id, store))) await store.deleteUser(orphan.id)
    return { type: 'user.removed' }
  }),
})

/** Tells whether another sign-in has found the user by the address, by a mailed link or with another account. */
async function isJoined(id: string, store: Store): Promise<boolean> {
  const user = store.has('getUser') ? readUser(await store.getUser(id), 'getUser') : undefined
  if (user && isProven(user)) return true
  return store.has('listAccountsByUserId') && (await store.listAccountsByUserId(id)).length > 0
}

/**
 * Removes the sessions and passkeys of a user, as far as the adapter supports it (decision 39). Before the first
 * verification of an address, they may belong to anyone. Accounts at providers are kept.
 *
 * A request that adds a passkey looks up its session again after it has stored the passkey, and a request that signs in
 * with a passkey looks up the passkey again after it has stored the session. Sessions are therefore removed before the
 * passkeys that they could add, and again after the passkeys that could create them. Whatever a concurrent request
 * stores is removed either here or by that request.
 */
export const revokeAccess = step({
  needs: ['member'],
  may: ['releaseIdentity'],
  says: { 'earlier-access.ended': [] },
  run: thenRelease(({ member }, world) =>
    isProven(member) ? { type: 'earlier-access.ended' } : endAccess(member.id, world),
  ),
})

async function endAccess(userId: string, world: World) {
  const store = demandStore(world)
  if (hasPasswords(world.settings)) await store.deletePassword(userId)
  if (world.settings.secondFactor) await store.deleteFactor(userId)
  await removeSessions(userId, store)
  if (store.has('listAuthenticatorsByUserId') && store.has('deleteAuthenticator')) {
    await removePasskeys(userId, store)
    await removeSessions(userId, store)
  }
  return { type: 'earlier-access.ended' } as const
}

async function removeSessions(userId: string, store: Store): Promise<void> {
  if (store.has('deleteSessionsByUserId')) await store.deleteSessionsByUserId(userId)
}

async function removePasskeys(userId: string, store: Store): Promise<void> {
  const rows = await store.listAuthenticatorsByUserId(userId)
  for (const { credentialID } of readAuthenticators(rows, 'listAuthenticatorsByUserId'))
    await store.deleteAuthenticator(credentialID)
  if (!store.has('listAccountsByUserId') || !store.has('unlinkAccount')) return
  for (const { type, provider, providerAccountId } of await store.listAccountsByUserId(userId))
    if (type === 'webauthn') await store.unlinkAccount({ provider, providerAccountId })
}
