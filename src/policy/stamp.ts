import type { Settings, Store } from '../config/settings.ts'
import { encodeBase64url } from '../crypto/bytes.ts'
import { formatUuid, randomBytes } from '../crypto/random.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import { AdapterError } from '../errors/classes.ts'
import { hasPasswords } from '../flows/shared/linking.ts'
import { readEvenly } from '../crypto/read-evenly.ts'
import type { Stamp } from '../session/stamp.ts'
import { isSameId } from '../session/stored.ts'

/** The tools that read and renew stamps. */
export interface StampTools {
  readonly store?: Store
  readonly settings: Settings
}

/** The name of the record. */
const name = 'stamp'

/** Returns whether the site has anything that is bound to a stamp. Other sites make no store call for it. */
export function isStamped({ providers, features, recordsAuthentication, store }: Settings): boolean {
  if (!store) return false
  if (recordsAuthentication || features.some(({ gate }) => gate)) return true
  return [...providers.values()].some(({ kind }) => kind === 'email' || kind === 'password')
}

/**
 * Reads the stamp of a user, before the credential is checked. Sends the same query for an address without a user.
 *
 * @returns undefined if the site needs no stamps
 * @throws AdapterError if the store fails
 */
export async function readStamp(
  user: { readonly id?: string | undefined } | undefined,
  { store, settings }: StampTools,
): Promise<Stamp | undefined> {
  if (!store || !isStamped(settings)) return undefined
  const at = settings.platform.now()
  return { userId: user?.id, value: await readValue(user?.id, store, settings), at }
}

/** Without records, the stamp is the hash of the password, which shows most changes. */
async function readValue(
  userId: string | undefined,
  store: Store,
  settings: Settings,
): Promise<string | null> {
  const user = userId === undefined ? undefined : { id: userId }
  if (hasRecords(store)) {
    const value = requireText(await store.getRecord(userId ?? formatUuid(randomBytes(16)), name))
    return userId === undefined ? null : value
  }
  if (!hasPasswords(settings)) return null
  return stampHash((await readEvenly(user, (id) => store.getPassword(id))) ?? null)
}

function hasRecords(store: Store): boolean {
  return store.has('getRecord') && store.has('setRecord')
}

async function stampHash(hash: string | null): Promise<string | null> {
  return hash === null ? null : sha256Base64url(`stamp ${hash}`)
}

function requireText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  throw new AdapterError("The adapter's getRecord must return text or null")
}

/**
 * Returns whether the account has changed since a stamp was read, so that the sign-in must not open a session.
 *
 * @param stamp undefined if the site needs no stamps
 */
export async function isOutdated(
  stamp: Stamp | undefined,
  userId: string | undefined,
  { store, settings }: StampTools,
): Promise<boolean> {
  if (!store || !stamp) return false
  // This run may have created the user, or found another user than it expected.
  const held = isSameId(stamp.userId, userId) ? stamp.value : null
  return (await readValue(userId, store, settings)) !== held
}

/**
 * Returns whether a link to a new address is still bound to the stamp of its account. A link whose own change renewed
 * the stamp is still bound, because that change may have failed.
 *
 * @param value the stamp that the link contains
 */
export async function isBound(
  linkToken: string,
  value: string | null,
  current: string | null,
): Promise<boolean> {
  return value === current || current?.split('.')[1] === (await sha256Base64url(linkToken))
}

/** Returns the stamp after this run has replaced an outdated hash, which changes nothing for the user. */
export async function keepStamp(
  stamp: Stamp | undefined,
  hash: string,
  { store }: StampTools,
): Promise<Stamp | undefined> {
  return !store || !stamp || hasRecords(store) ? stamp : { ...stamp, value: await stampHash(hash) }
}

/**
 * Ends everything that is bound to the stamp of a user. Call it before its sessions end: a sign-in that read the stamp earlier
 * then notices the change after it has stored its session.
 *
 * @param linkToken a link to a new address that is spared
 * @returns the value that the stamp had before; undefined without records
 * @throws AdapterError if the store fails
 */
export async function renewRecord(
  userId: string,
  { store, settings }: StampTools,
  linkToken?: string,
): Promise<{ readonly before: string | null; readonly after: string | null } | undefined> {
  if (!store || !isStamped(settings) || !hasRecords(store)) return undefined
  const before = requireText(await store.getRecord(userId, name))
  const random = encodeBase64url(settings.platform.randomBytes(16))
  const after = linkToken === undefined ? random : `${random}.${await sha256Base64url(linkToken)}`
  const held = before === null ? undefined : { value: before }
  try {
    // If another request has renewed the stamp since, it has ended the same things.
    await store.setRecord(userId, name, after, held)
  } catch (error) {
    if (store.has('getUser') && !(await store.getUser(userId))) return undefined
    throw error
  }
  return { before, after }
}
