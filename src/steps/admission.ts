import { asError } from '../as-error.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { OAuthSettings, Store, StoreKey } from '../config/settings.ts'
import { settle, type MaybePromise } from '../crypto/maybe-promise.ts'
import { makePlaceholder } from '../email/unproven-address.ts'
import { decideLinkFor, saysVerified } from '../linking/decide-link.ts'
import { findByAddress } from '../linking/find-by-address.ts'
import { demandUser, isSameId, readUser } from '../session/stored.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { Account, User } from '../types/records.ts'
import { answerInTime } from './answer-in-time.ts'
import { demandStore } from './demand-store.ts'
import type { Grant } from './facts.ts'
import { step, type Given } from './step.ts'
import type { World } from './world.ts'

/** Looks up whose account it is. */
export const findOwner = step({
  needs: ['account'],
  says: { 'owner.found': ['owner'], 'owner.unknown': [], 'owner.unsought': [] },
  run({ account }, { store }) {
    if (!store) return { type: 'owner.unsought' }
    return readOwner(account, store).then((owner) =>
      owner ? { type: 'owner.found', owner } : { type: 'owner.unknown' },
    )
  },
})

/** Decides by the table of linking which user the account goes to. */
export const decideLink = step({
  needs: ['candidate', 'account', 'provider', 'checks'],
  may: ['owner', 'currentUser', 'profile', 'addressee'],
  says: {
    'user.unstored': [],
    'owner.returning': ['member'],
    'account.taken': ['failure'],
    'link.allowed': ['member'],
    'user.new': ['releaseIdentity'],
    'address.contested': ['claimant', 'releaseIdentity'],
    'address.withheld': ['candidate', 'releaseIdentity'],
  },
  async run({ candidate, account, provider, checks, owner, currentUser, profile, addressee }, world) {
    const { store } = world
    if (!store) return { type: 'user.unstored' }
    const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined
    const sought = !owner && !started && !addressee ? candidate.email : undefined
    const found = sought ? await findByAddress(sought, store, world.settings) : {}
    const decision = decideLinkFor({
      type: account.type,
      provider,
      profile,
      owner,
      currentUser: started,
      addressee: addressee ?? found.addressee,
    })
    switch (decision.kind) {
      case 'returning':
        return { type: 'owner.returning', member: decision.member }
      case 'link':
        return { type: 'link.allowed', member: decision.member }
      case 'taken': {
        const late = owner ? null : await awaitOwner(account, store, world)
        if (late) return { type: 'owner.returning', member: late }
        // Whoever had the address could not store the account, and is gone again.
        if (!owner && !(await findByAddress(candidate.email ?? '', store, world.settings)).addressee)
          return { type: 'user.new', releaseIdentity: store.hold(identityKey(account)) }
        return { type: 'account.taken', failure: decision.failure }
      }
      case 'new': {
        const { claimant } = found
        const releaseIdentity = store.hold(identityKey(account))
        if (!claimant) return { type: 'user.new', releaseIdentity }
        if (saysVerified(profile)) return { type: 'address.contested', claimant, releaseIdentity }
        // Nobody has proven it, here or there: the new user comes in, and the address stays where it is.
        const email = makePlaceholder(candidate.id ?? '')
        return { type: 'address.withheld', candidate: { ...candidate, email }, releaseIdentity }
      }
    }
  },
})

/** Milliseconds between looks for what another process may be storing: two of its statements have to fit in. */
const pauses = [50, 100, 200, 400]

/**
 * Another sign-in of the same identity may have stored the user since our first look, and be about to store the account
 * (decision 20): somebody who signs in twice at once is not told that the address is taken. A sign-in of this process
 * holds the identity until it is done (decision 47); for one of another process there are only repeated looks.
 */
async function awaitOwner(account: Account, store: Store, { platform }: World): Promise<AdapterUser | null> {
  await store.inTurn(identityKey(account), () => undefined)
  for (const pause of pauses) {
    const owner = await readOwner(account, store)
    if (owner) return owner
    await new Promise<void>((resolve) => void platform.timer(pause, resolve))
  }
  return readOwner(account, store)
}

/** The reports after which this run goes on storing the identity. */
const keepsIdentity: readonly string[] = ['address.released', 'user.created', 'user.orphaned']

/** Releases the identity after a step, unless its report says that this run goes on storing it. */
function thenRelease<F extends Given<never, 'releaseIdentity'>, R extends { readonly type: string }>(
  run: (facts: F, world: World) => MaybePromise<R>,
): (facts: F, world: World) => Promise<R> {
  return async (facts, world) => {
    let report: R | undefined
    try {
      report = await run(facts, world)
      return report
    } finally {
      if (!report || !keepsIdentity.includes(report.type)) facts.releaseIdentity?.()
    }
  }
}
/** Takes an address from the user who never proved it, for the one who has. */
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

/** Stores a new user. If that fails, another request may have been faster. */
export const createUser = step({
  needs: ['candidate'],
  may: ['releaseIdentity'],
  says: { 'user.created': ['createdUser', 'member'], 'user.conflicting': ['conflict'] },
  run: thenRelease(({ candidate }, world) => storeUser(candidate, world)),
})

/** Stores a user whose address, if there is one, is not proven. */
export async function storeUser(candidate: User, world: World) {
  const store = demandStore(world)
  const create = async () =>
    store.createUser({ ...candidate, emailVerified: null } as Parameters<typeof store.createUser>[0])
  try {
    const answer = await answerInTime(create(), 'createUser', world.platform)
    const createdUser = demandUser(answer, 'createUser')
    return { type: 'user.created', createdUser, member: createdUser } as const
  } catch (error) {
    const made = await readMade(candidate.id, store)
    if (made) return { type: 'user.created', createdUser: made, member: made } as const
    return { type: 'user.conflicting', conflict: asError(error) } as const
  }
}

/** The user under an id that nobody else can know: there after a failure, when only the answer got lost. */
async function readMade(id: string | undefined, store: Store): Promise<AdapterUser | null> {
  if (id === undefined || !store.has('getUser')) return null
  return readUser(await store.getUser(id), 'getUser')
}

/** Stores the account with its user, and announces what is then committed. */
export const linkAccount = step({
  needs: ['account', 'candidate', 'member', 'provider', 'grant'],
  may: ['createdUser', 'releaseIdentity'],
  says: {
    'account.linked': [],
    'account.conflicting': ['conflict'],
    'user.orphaned': ['conflict', 'orphan'],
  },
  run: thenRelease(async ({ account, candidate, member, provider, grant, createdUser }, world) => {
    const madeNow = createdUser === member ? createdUser : undefined
    const store = demandStore(world)
    const link = async () => {
      const row = toRow(account, await keptOf(provider, grant), member)
      await store.linkAccount(row as Parameters<typeof store.linkAccount>[0])
      return row
    }
    const stored = await answerInTime(link(), 'linkAccount', world.platform).catch(asError)
    const failure = stored instanceof Error ? stored : undefined
    // It may be there all the same: the answer got lost, or another sign-in found our user by its address.
    if (failure && !isSameId((await readOwner(account, store))?.id, member.id))
      return madeNow
        ? { type: 'user.orphaned', conflict: failure, orphan: madeNow }
        : { type: 'account.conflicting', conflict: failure }
    if (madeNow) world.out.announce({ event: 'createUser', message: { user: madeNow } })
    if (!(stored instanceof Error))
      world.out.announce({
        event: 'linkAccount',
        message: { user: member, account: stored, profile: candidate },
      })
    return { type: 'account.linked' }
  }),
})

/** Keeps the tokens of this sign-in with its account; what the provider did not send again stays as it was. */
export const updateAccount = step({
  needs: ['account', 'provider', 'grant'],
  says: { 'account.updated': [], 'account.unchanged': [] },
  async run({ account, provider, grant }, world) {
    const store = demandStore(world)
    if (!store.has('updateAccount')) return { type: 'account.unchanged' }
    const kept = withoutUndefined(await keptOf(provider, grant))
    const key = { provider: account.provider, providerAccountId: account.providerAccountId }
    const updated = await store.updateAccount({ ...kept, ...key })
    return { type: updated ? 'account.updated' : 'account.unchanged' }
  },
})

/** Removes the user again whose account could not be stored, if the adapter can. */
export const removeUser = step({
  needs: ['orphan'],
  may: ['releaseIdentity'],
  says: { 'user.removed': [] },
  run: thenRelease(async ({ orphan }, world) => {
    const store = demandStore(world)
    if (store.has('deleteUser')) await store.deleteUser(orphan.id)
    return { type: 'user.removed' }
  }),
})

/** Reads again, after storing failed: whose account, or address, is it now? */
export const rereadOwner = step({
  needs: ['account', 'candidate', 'conflict', 'checks'],
  may: ['member', 'currentUser'],
  says: {
    'owner.returning': ['member', 'owner'],
    'account.taken': ['failure'],
    'address.owned': ['addressee'],
    'conflict.unexplained': ['fault'],
  },
  async run({ account, candidate, conflict, checks, member, currentUser }, world) {
    const store = demandStore(world)
    const owner = await readOwner(account, store)
    if (owner) {
      const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined
      const never = { allowDangerousEmailAccountLinking: false }
      const decision = decideLinkFor({ type: account.type, provider: never, owner, currentUser: started })
      if (decision.kind === 'taken') return { type: 'account.taken', failure: decision.failure }
      return { type: 'owner.returning', owner, member: owner }
    }
    // Once there was a user to link to, an address explains nothing any more.
    const sought = member ? undefined : candidate.email
    const { addressee } = sought ? await findByAddress(sought, store, world.settings) : {}
    if (addressee) return { type: 'address.owned', addressee }
    return { type: 'conflict.unexplained', fault: conflict }
  },
})

function identityKey({ provider, providerAccountId }: Account): StoreKey {
  return ['identity', provider, providerAccountId]
}

async function readOwner(
  { provider, providerAccountId }: Account,
  store: Store,
): Promise<AdapterUser | null> {
  return readUser(await store.getUserByAccount({ provider, providerAccountId }), 'getUserByAccount')
}

/** The part of the tokens that the provider's account callback keeps. */
async function keptOf(provider: OAuthSettings, grant: Grant): Promise<object> {
  return (await settle(provider.account(grant.tokens))) ?? {}
}

/** The part of the tokens that is kept, and whose account it is, which nothing in that part can change. */
function toRow({ provider, providerAccountId, type }: Account, kept: object, { id }: AdapterUser): Account {
  return { ...withoutUndefined(kept), provider, providerAccountId, type, userId: id }
}
