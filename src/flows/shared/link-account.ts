import { asError } from '../../errors/as-error.ts'
import type { Store } from '../../config/settings.ts'
import { isSameId, readUser, withoutPlaceholder } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { Account } from '../../types/records.ts'
import { respondInTime } from '../engine/deadline.ts'
import { step } from '../engine/step.ts'
import { requireStore } from '../engine/world.ts'
import { tell } from '../../policy/tell.ts'
import { keepTokens } from './keep-tokens.ts'

/** Looks up the user of an account. */
export async function readOwner(
  { provider, providerAccountId }: Account,
  store: Store,
): Promise<AdapterUser | null> {
  return readUser(await store.getUserByAccount({ provider, providerAccountId }), 'getUserByAccount')
}

/** Stores the account, and then announces the events of the stored changes. */
export const linkAccount = step({
  needs: ['visit', 'account', 'candidate', 'member', 'provider', 'grant'],
  may: ['createdUser', 'linking'],
  says: { 'account.linked': [], 'account.unconfirmed': ['conflict'] },
  inTurn: true,
  async run({ visit, account, candidate, member, provider, grant, createdUser, linking }, world) {
    const store = requireStore(world)
    const link = async () => {
      const row = toRow(account, await keepTokens(provider, grant.tokens), member)
      await store.linkAccount(row as Parameters<typeof store.linkAccount>[0])
      return row
    }
    try {
      const stored = await respondInTime(link(), 'linkAccount', world.platform)
      if (createdUser === member) world.out.announce({ event: 'createUser', message: { user: member } })
      const message = { user: member, account: stored, profile: withoutPlaceholder(candidate) }
      const announcement = { event: 'linkAccount', message } as const
      if (linking) tell(linking.change, announcement, { user: member, visit }, world.out)
      else world.out.announce(announcement)
      return { type: 'account.linked' }
    } catch (error) {
      return { type: 'account.unconfirmed', conflict: asError(error) }
    }
  },
})

/**
 * Looks up the account after the store failed. It may be stored all the same: the response was lost, or another sign-in
 * found our user by its address.
 */
export const confirmAccount = step({
  needs: ['account', 'member'],
  may: ['createdUser'],
  says: { 'account.linked': [], 'account.conflicting': [], 'user.orphaned': ['orphan'] },
  inTurn: true,
  async run({ account, member, createdUser }, world) {
    const madeNow = createdUser === member ? createdUser : undefined
    const isLinked = isSameId((await readOwner(account, requireStore(world)))?.id, member.id)
    if (!isLinked)
      return madeNow ? { type: 'user.orphaned', orphan: madeNow } : { type: 'account.conflicting' }
    if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })
    return { type: 'account.linked' }
  },
})

/** Returns the row of the account with the tokens to keep. */
export function toRow(
  { provider, providerAccountId, type }: Account,
  kept: object,
  { id }: AdapterUser,
): Account {
  return { ...kept, provider, providerAccountId, type, userId: id }
}

/** Stores the tokens of this sign-in in its account. Tokens that the provider did not send again are kept. */
export const updateAccount = step({
  needs: ['account', 'provider', 'grant'],
  says: { 'tokens.kept': [] },
  async run({ account, provider, grant }, world) {
    const store = requireStore(world)
    if (!store.has('updateAccount')) return { type: 'tokens.kept' }
    const kept = await keepTokens(provider, grant.tokens)
    const key = { provider: account.provider, providerAccountId: account.providerAccountId }
    await store.updateAccount({ ...kept, ...key })
    return { type: 'tokens.kept' }
  },
})
