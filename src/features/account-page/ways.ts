import type { Settings, Store } from '../../config/settings.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { AdapterError } from '../../errors/classes.ts'
import { isProven, isSameId } from '../../session/stored.ts'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '../../types/adapter.ts'
import { readAuthenticators } from '../../webauthn/authenticator.ts'
import { endOthers } from '../../policy/end-kept.ts'
import { isProvenBySession } from '../../policy/proven-by-session.ts'
import { tell } from '../../policy/tell.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore, type World } from '../../flows/engine/world.ts'
import { hasPasskeys } from '../../flows/shared/linking.ts'
import { cutText } from '../../text/cut-text.ts'

/** A way to sign in that the user can remove: an account at a provider, or a passkey with its account. */
export interface Way {
  /** Identifies it in forms, without the id of the account. */
  readonly id: string
  readonly account: AdapterAccount
  readonly passkey?: AdapterAuthenticator | undefined
}

/** Tells whether the adapter can list and remove accounts, and passkeys if the site has them. */
export function canRemoveWays(settings: Settings): boolean {
  const { store } = settings
  const forPasskeys = ['listAuthenticatorsByUserId', 'deleteAuthenticator'] as const
  const needed = [
    'listAccountsByUserId',
    'unlinkAccount',
    ...(hasPasskeys(settings) ? forPasskeys : []),
  ] as const
  return store !== undefined && needed.every((operation) => store.has(operation))
}

/** Reads the accounts and passkeys of a user. */
export async function readWays(userId: string, store: Store, settings: Settings): Promise<Way[]> {
  const accounts: unknown = await store.listAccountsByUserId(userId)
  if (!Array.isArray(accounts)) throw new AdapterError("The adapter's listAccountsByUserId returned no list")
  const own = (accounts as AdapterAccount[]).filter((account) => isSameId(account.userId, userId))
  const passkeys = hasPasskeys(settings) ? await readPasskeys(userId, store) : []
  return Promise.all(
    own.map(async (account) => ({
      id: await identifyWay(account),
      account,
      ...(account.type === 'webauthn' && {
        passkey: passkeys.find(({ providerAccountId }) => providerAccountId === account.providerAccountId),
      }),
    })),
  )
}

async function readPasskeys(userId: string, store: Store): Promise<AdapterAuthenticator[]> {
  const rows = await store.listAuthenticatorsByUserId(userId)
  return readAuthenticators(rows, 'listAuthenticatorsByUserId').filter((row) => isSameId(row.userId, userId))
}

/** Ids of accounts are short, so the hash covers the user's id, which is not public. */
async function identifyWay({ userId, provider, providerAccountId }: AdapterAccount): Promise<string> {
  return sha256Hex(JSON.stringify([userId, provider, providerAccountId]))
}

/**
 * Tells whether a user can sign in with these accounts and passkeys. A link, code or password needs an address that the
 * user has verified. Sign-ins of `Credentials` do not count, because only the application knows who can use them, and neither
 * do accounts that only a session proves.
 */
function canSignIn(user: AdapterUser, ways: readonly Way[], { providers }: Settings): boolean {
  const kinds = new Set([...providers.values()].map(({ kind }) => kind))
  if (user.email && isProven(user) && (kinds.has('email') || kinds.has('password'))) return true
  return ways.some(({ account, passkey }) => {
    const way = providers.get(account.provider)
    if (way?.kind === 'feature') return !isProvenBySession(way)
    return way?.kind === 'oauth' || (way?.kind === 'webauthn' && passkey !== undefined)
  })
}

/**
 * Finds the chosen account or passkey, and checks whether another way to sign in remains. Other removals of the same
 * user wait until this one is done. Otherwise, two removals could each rely on the way to sign in that the other
 * removes.
 */
export const findWay = step({
  needs: ['currentUser', 'chosen'],
  says: { 'way.spare': ['way'], 'way.last': ['notice'], 'way.unknown': [] },
  async run({ currentUser, chosen }, world) {
    const { settings } = world
    if (!canRemoveWays(settings)) return { type: 'way.unknown' }
    const store = requireStore(world)
    await world.turns.take(['ways', currentUser.id], store)
    const ways = await readWays(currentUser.id, store, settings)
    const way = ways.find(({ id }) => id === chosen)
    if (!way) return { type: 'way.unknown' }
    const others = ways.filter((other) => other !== way)
    const isSpare = canSignIn(currentUser, others, settings)
    return isSpare ? { type: 'way.spare', way } : { type: 'way.last', notice: 'last-way' }
  },
})

/** Ends the classes of the change before the removal. */
export const endForRemoval = { ...endOthers('unlink'), inTurn: true }

/** Unlinks the account. A passkey is removed first, so that a failure leaves no passkey that can still sign in. */
export const removeWay = step({
  needs: ['visit', 'currentUser', 'way'],
  says: { 'way.removed': [] },
  inTurn: true,
  async run({ visit, currentUser: user, way: { account, passkey } }, world) {
    const store = requireStore(world)
    const { provider, providerAccountId } = account
    if (passkey) await store.deleteAuthenticator(passkey.credentialID)
    await store.unlinkAccount({ provider, providerAccountId })
    tell('unlink', { event: 'unlinkAccount', message: { user, account } }, { user, visit }, world.out)
    return { type: 'way.removed' }
  },
})

/** The most characters of a name. */
export const maxName = 100

export function canName({ store }: Pick<World, 'store'>): boolean {
  return store?.has('nameAuthenticator') ?? false
}

/** Stores the name of a passkey, if it is the user's. */
export const namePasskey = step({
  needs: ['visit', 'currentUser', 'chosen'],
  says: { 'passkey.named': [] },
  async run({ visit: { body }, currentUser, chosen }, world) {
    const store = requireStore(world)
    const canChoose = canRemoveWays(world.settings) && canName(world)
    const ways = canChoose ? await readWays(currentUser.id, store, world.settings) : []
    const passkey = ways.find(({ id }) => id === chosen)?.passkey
    const name = typeof body.name === 'string' ? cutText(body.name, maxName) : ''
    if (passkey) await store.nameAuthenticator(passkey.credentialID, name)
    return { type: 'passkey.named' }
  },
})
