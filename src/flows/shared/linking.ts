import type { OAuthSettings, Settings, Store } from '../../config/settings.ts'
import { isSameAddress } from '../../text/email-address.ts'
import {
  AccountNotLinked,
  AdapterError,
  type AuthError,
  OAuthAccountNotLinked,
} from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { readEvenly } from '../../crypto/read-evenly.ts'
import { isProven, isSameId, readUser } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { AccountType, Profile } from '../../types/records.ts'
import { readAuthenticators } from '../../webauthn/authenticator.ts'

/**
 * Returns whether a mail may add its address to the signed-in user: only if the form asks for it, because another person
 * may be signing in with the same browser. Only users who registered with a passkey have no address.
 */
export function asksToAddAddress(visit: Visit, settings: Settings): boolean {
  return hasPasskeys(settings) && asksToLink(visit)
}

/** Returns whether a sign-in form requests linking the identity or address to the signed-in user (decision 38). */
export function asksToLink({ body }: Visit): boolean {
  return body.link === 'true' || body.link === true
}

export type LinkDecision =
  | { readonly kind: 'returning'; readonly member: AdapterUser }
  | { readonly kind: 'link'; readonly member: AdapterUser }
  | { readonly kind: 'new' }
  | { readonly kind: 'taken'; readonly failure: AuthError }

export interface LinkQuestion {
  /** That of a provider of OAuth or OpenID Connect, or of a feature. Other sign-ins find their users in other ways. */
  readonly type: AccountType
  readonly provider: Pick<OAuthSettings, 'allowDangerousEmailAccountLinking'>
  readonly profile?: Profile
  /** The user of the account. */
  readonly owner?: AdapterUser
  /** The signed-in user, if also signed in at the start. */
  readonly currentUser?: AdapterUser
  /** The user with the same e-mail address. */
  readonly addressee?: AdapterUser
}

/** Decides which user an account belongs to (decision 19). The address counts only if the account belongs to nobody. */
export function decideLinkFor(question: LinkQuestion): LinkDecision {
  const { owner, currentUser, addressee, type } = question
  const Refusal = type === 'feature' ? AccountNotLinked : OAuthAccountNotLinked
  if (owner) {
    if (!currentUser || isSameId(owner.id, currentUser.id)) return { kind: 'returning', member: owner }
    return { kind: 'taken', failure: new Refusal('The account is linked to another user') }
  }
  if (currentUser) return { kind: 'link', member: currentUser }
  if (!addressee) return { kind: 'new' }
  if (mayLink(question)) return { kind: 'link', member: addressee }
  return { kind: 'taken', failure: new Refusal('Another user has the same e-mail address') }
}

function mayLink({ provider, profile }: LinkQuestion): boolean {
  return provider.allowDangerousEmailAccountLinking && !saysUnverified(profile)
}

/** Returns whether the provider says that the address is verified. A missing claim counts as not verified. */
export function saysVerified(profile: Profile | undefined): boolean {
  const verified: unknown = profile?.email_verified
  return verified === true || verified === 'true'
}

/**
 * Returns whether the provider says that the address is not verified. Many providers do not send the claim, and some
 * send it as text. Any other value counts as not verified.
 */
export function saysUnverified(profile: Profile | undefined): boolean {
  return profile?.email_verified !== undefined && !saysVerified(profile)
}

/** The user whom an address identifies, or the user who only claims the address. At most one of them is present. */
export interface Addressed {
  /** The user identified by the address. */
  readonly addressee?: AdapterUser
  /** A user with this address who registered with a passkey and never verified it. */
  readonly claimant?: AdapterUser
}

/**
 * Finds the user of an address that the visitor has proven, or that a provider has sent. An address from a passkey
 * registration identifies nobody until it is verified (decision 39).  Earlier versions and other libraries have stored
 * such addresses.
 */
export async function findByAddress(address: string, store: Store, settings: Settings): Promise<Addressed> {
  const user = readUser(await store.getUserByEmail(address), 'getUserByEmail')
  // A database that ignores accents finds `ann@corp.example` for `änn@corp.example`.
  if (!user || !isSameAddress(address, user.email)) return {}
  return (await isUnproven(user, store, settings)) ? { claimant: user } : { addressee: user }
}

/**
 * Like `findByAddress`, for an address that anyone can type. Calls the same operations for every address, so that the
 * time reveals neither whether it has a user nor how that user can sign in.
 */
export function findTypedAddress(address: string, store: Store, settings: Settings): Promise<Addressed> {
  return listsPasskeys(store, settings) ? findEvenly(address, store) : findByAddress(address, store, settings)
}

async function findEvenly(address: string, store: Store): Promise<Addressed> {
  const found = readUser(await store.getUserByEmail(address), 'getUserByEmail')
  const user = found && isSameAddress(address, found.email) ? found : undefined
  const holdsPasskeys = await readEvenly(user, (id) => hasPasskey(id, store))
  const holdsOnlyPasskeys = await readEvenly(user, (id) => hasNoOtherAccount(id, store))
  if (!user) return {}
  return !isProven(user) && holdsPasskeys && holdsOnlyPasskeys ? { claimant: user } : { addressee: user }
}

/**
 * Returns whether a user registered with a passkey and has no verified address. Auth.js also creates the users of
 * providers with `emailVerified: null`, so only the accounts distinguish them. If the adapter cannot list accounts,
 * every user with a passkey counts as unverified.
 */
export async function isUnproven(user: AdapterUser, store: Store, settings: Settings): Promise<boolean> {
  return !isProven(user) && listsPasskeys(store, settings) && hasOnlyPasskeys(user.id, store)
}

async function hasOnlyPasskeys(id: string, store: Store): Promise<boolean> {
  return (await hasPasskey(id, store)) && (await hasNoOtherAccount(id, store))
}

async function hasPasskey(id: string, store: Store): Promise<boolean> {
  const rows = await store.listAuthenticatorsByUserId(id)
  return readAuthenticators(rows, 'listAuthenticatorsByUserId').length > 0
}

async function hasNoOtherAccount(id: string, store: Store): Promise<boolean> {
  if (!store.has('listAccountsByUserId')) return true
  return (await listAccounts(id, store)).every((account) => account?.type === 'webauthn')
}

/** Returns whether the user has any account. The adapter must be able to list them. */
export async function hasAccount(id: string, store: Store): Promise<boolean> {
  return (await listAccounts(id, store)).length > 0
}

async function listAccounts(id: string, store: Store): Promise<({ readonly type?: unknown } | null)[]> {
  const accounts: unknown = await store.listAccountsByUserId(id)
  if (!Array.isArray(accounts)) throw new AdapterError("The adapter's listAccountsByUserId returned no list")
  return accounts
}

function listsPasskeys(store: Store, settings: Settings): boolean {
  return hasPasskeys(settings) && store.has('listAuthenticatorsByUserId')
}

/** Without such a provider, the adapter may offer the operation although its tables do not exist. */
export function hasPasskeys({ providers }: Settings): boolean {
  return [...providers.values()].some(({ kind }) => kind === 'webauthn')
}

/** Returns whether the adapter has a table for passwords, which only sites with such a provider need. */
export function hasPasswords({ providers }: Settings): boolean {
  return [...providers.values()].some(({ kind }) => kind === 'password')
}
