import type { Store, StoreKey } from '../../config/settings.ts'
import { makePlaceholder } from '../../text/placeholder-address.ts'
import { isProven, isSameId } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { Account } from '../../types/records.ts'
import { wait } from '../engine/deadline.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { checkChange } from '../../policy/check-change.ts'
import { describeNewcomer, keepAuthentication } from './check-factor.ts'
import { confirmAccount, linkAccount, readOwner, updateAccount } from './link-account.ts'
import { decideLinkFor, findByAddress, hasAccount, saysVerified } from './linking.ts'
import { confirmUser, createUser, releaseAddress, removeUser, revokeAccess } from './store-user.ts'

/** Looks up the user of an account. */
export const findOwner = step({
  needs: ['account'],
  says: { 'owner.sought': ['owner'] },
  async run({ account }, { store }) {
    const owner = store && (await readOwner(account, store))
    return { type: 'owner.sought', owner: owner ?? undefined }
  },
})

/** Decides, by the linking table, which user the account belongs to. */
export const decideLink = step({
  needs: ['candidate', 'account', 'provider', 'checks'],
  may: ['owner', 'currentUser', 'profile', 'addressee'],
  says: {
    'user.unstored': [],
    'owner.returning': ['member', 'linking'],
    'account.taken': ['failure'],
    'address.taken': ['failure', 'addressee'],
    'link.requested': ['member', 'currentUser', 'linking'],
    'session.stale': [],
    'link.allowed': ['member', 'linking'],
    'address.vouched': ['member', 'linking'],
    'user.new': [],
    'address.contested': ['claimant'],
    'address.withheld': ['candidate'],
  },
  async run({ candidate, account, provider, checks, owner, currentUser, profile, addressee }, world) {
    const { store } = world
    if (!store) return { type: 'user.unstored' }
    const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined
    // The session has ended since. A new user would not be the one who requested the link.
    if (checks.isLink && !started && !owner) return { type: 'session.stale' }
    const sought = !owner && !started && !addressee ? candidate.email : undefined
    const found = sought ? await findByAddress(sought, store, world.settings) : {}
    const holder = addressee ?? found.addressee
    const decision = decideLinkFor({
      type: account.type,
      provider,
      profile,
      owner,
      currentUser: started,
      addressee: holder,
    })
    switch (decision.kind) {
      case 'returning':
        return { type: 'owner.returning', member: decision.member, linking: undefined }
      case 'link': {
        const { member } = decision
        // A signed-in user has verified only the account, and keeps everything else.
        if (started)
          return {
            type: 'link.requested',
            member,
            currentUser: started,
            linking: { change: 'link-account', isVouched: false },
          }
        if (saysVerified(profile)) return vouch(account, member, world)
        return { type: 'link.allowed', member, linking: { change: 'link-by-address', isVouched: false } }
      }
      case 'taken':
        return owner || !holder
          ? { type: 'account.taken', failure: decision.failure }
          : { type: 'address.taken', failure: decision.failure, addressee: holder }
      case 'new': {
        const { claimant } = found
        void world.turns.take(identityKey(account), store)
        if (!claimant) return { type: 'user.new' }
        if (saysVerified(profile)) return { type: 'address.contested', claimant }
        // Nobody has verified the address. The new user gets a placeholder, and the other user keeps the address.
        const email = makePlaceholder(candidate.id ?? '')
        return { type: 'address.withheld', candidate: { ...candidate, email } }
      }
    }
  },
})

/**
 * Waits for a concurrent sign-in with the same identity, which may have stored the account already. Otherwise this
 * sign-in would remove the session of the other one together with those from before the verification.
 */
async function vouch(account: Account, member: AdapterUser, world: World) {
  const store = requireStore(world)
  await world.turns.take(identityKey(account), store)
  const owner = await readOwner(account, store)
  if (owner) return { type: 'owner.returning', member: owner, linking: undefined } as const
  const linking = { change: 'link-by-address', isVouched: true } as const
  return { type: 'address.vouched', member, linking } as const
}

/** Milliseconds between attempts to read a row that another process may be storing, which takes two statements. */
const patience = [50, 100, 200, 400]

/**
 * Waits for another sign-in with the same identity, which may have stored the user but not the account yet (decision
 * 20). Without this, a user who signs in twice at the same time would get an error that the address is taken. Within
 * this process, the other sign-in holds the identity until it is done (decision 47). For other processes, repeated
 * reads are the only way, unless the user is older than this sign-in.
 */
export const awaitTurn = step({
  needs: ['account', 'addressee'],
  says: { 'turn.reached': ['pauses'] },
  async run({ account, addressee }, world) {
    const store = requireStore(world)
    await store.turn(identityKey(account), () => undefined)
    const pauses = (await isSettled(addressee, store)) ? [] : patience
    return { type: 'turn.reached', pauses }
  },
})

/**
 * Returns whether another sign-in has finished creating the user. While a sign-in creates a user, it stores neither a
 * verified address nor a second account.
 */
async function isSettled(user: AdapterUser, store: Store): Promise<boolean> {
  return isProven(user) || (store.has('listAccountsByUserId') && (await hasAccount(user.id, store)))
}

/** Looks up the user of an account that another process may have stored. */
export const seekOwner = step({
  needs: ['account'],
  says: { 'owner.returning': ['member', 'linking'], 'owner.missing': [] },
  async run({ account }, world) {
    const member = await readOwner(account, requireStore(world))
    return member ? { type: 'owner.returning', member, linking: undefined } : { type: 'owner.missing' }
  },
})

/** Waits once, unless it has waited long enough. */
export const pause = step({
  needs: ['pauses'],
  says: { 'pause.over': ['pauses'], 'pauses.exhausted': [] },
  async run({ pauses: [next, ...pauses] }, { platform }) {
    if (next === undefined) return { type: 'pauses.exhausted' }
    await wait(next, platform)
    return { type: 'pause.over', pauses }
  },
})

/** Looks up the address again. The user who had it may have been removed, because the account could not be stored. */
export const recheckAddress = step({
  needs: ['account', 'candidate', 'failure'],
  says: { 'account.taken': ['failure'], 'user.new': [] },
  async run({ account, candidate, failure }, world) {
    const store = requireStore(world)
    const { addressee } = await findByAddress(candidate.email ?? '', store, world.settings)
    if (addressee) return { type: 'account.taken', failure }
    void world.turns.take(identityKey(account), store)
    return { type: 'user.new' }
  },
})

/** Reads account and address again after a failed write. */
export const rereadOwner = step({
  needs: ['account', 'candidate', 'conflict', 'checks'],
  may: ['member', 'currentUser'],
  says: {
    'owner.returning': ['member', 'owner', 'linking'],
    'account.taken': ['failure'],
    'address.owned': ['addressee'],
    'conflict.unexplained': ['fault'],
  },
  async run({ account, candidate, conflict, checks, member, currentUser }, world) {
    const store = requireStore(world)
    const owner = await readOwner(account, store)
    if (owner) {
      const started = isSameId(checks.startedBy, currentUser?.id) ? currentUser : undefined
      const never = { allowDangerousEmailAccountLinking: false }
      const decision = decideLinkFor({ type: account.type, provider: never, owner, currentUser: started })
      if (decision.kind === 'taken') return { type: 'account.taken', failure: decision.failure }
      return { type: 'owner.returning', owner, member: owner, linking: undefined }
    }
    // If there was a user to link to, the address cannot be the reason.
    const sought = member ? undefined : candidate.email
    const { addressee } = sought ? await findByAddress(sought, store, world.settings) : {}
    if (addressee) return { type: 'address.owned', addressee }
    return { type: 'conflict.unexplained', fault: conflict }
  },
})

function identityKey({ provider, providerAccountId }: Account): StoreKey {
  return ['identity', provider, providerAccountId]
}

/** The steps of `admission`. */
export const admissionSteps = {
  findOwner,
  decideLink,
  awaitTurn,
  seekOwner,
  pause,
  recheckAddress,
  releaseAddress,
  createUser,
  confirmUser,
  linkAccount,
  confirmAccount,
  removeUser,
  rereadOwner,
  updateAccount,
  revokeAccess,
  checkSession: checkChange('link-account'),
  keepAuthentication,
  describeNewcomer,
}
