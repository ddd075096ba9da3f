import type { Settings, Store } from '../config/settings.ts'
import { AdapterError } from '../errors.ts'
import { readUser } from '../session/stored.ts'
import type { AdapterUser } from '../types/adapter.ts'
import { readAuthenticators } from '../webauthn/authenticator.ts'

/** Whom an address identifies, and who merely has it. At most one of the two is there. */
export interface Addressed {
  /** The user whom the address identifies. */
  readonly addressee?: AdapterUser
  /** The user whose row has the address, though they came by a passkey alone and never proved it. */
  readonly claimant?: AdapterUser
}

/**
 * Looks up whose address it is, for every flow that asks. An address with which a passkey was registered identifies
 * nobody until it is proven (decision 39): earlier versions, and other libraries, have stored it.
 */
export async function findByAddress(address: string, store: Store, settings: Settings): Promise<Addressed> {
  const user = readUser(await store.getUserByEmail(address), 'getUserByEmail')
  if (!user) return {}
  return (await isUnproven(user, store, settings)) ? { claimant: user } : { addressee: user }
}

/**
 * Has this user an address from registering a passkey? Auth.js creates users of providers with `emailVerified: null` too,
 * so that their accounts have to tell. Where the store cannot list accounts, whoever has a passkey counts as unproven.
 */
async function isUnproven({ id, emailVerified }: AdapterUser, store: Store, settings: Settings) {
  if (emailVerified || !hasPasskeys(settings) || !store.has('listAuthenticatorsByUserId')) return false
  const rows = await store.listAuthenticatorsByUserId(id)
  if (readAuthenticators(rows, 'listAuthenticatorsByUserId').length === 0) return false
  if (!store.has('listAccountsByUserId')) return true
  const accounts: unknown = await store.listAccountsByUserId(id)
  if (!Array.isArray(accounts)) throw new AdapterError("The adapter's listAccountsByUserId returned no list")
  return accounts.every((account: { readonly type?: unknown } | null) => account?.type === 'webauthn')
}

/** Without such a provider, an adapter may offer the operation over tables that are not there. */
function hasPasskeys({ providers }: Settings): boolean {
  return [...providers.values()].some(({ kind }) => kind === 'webauthn')
}
