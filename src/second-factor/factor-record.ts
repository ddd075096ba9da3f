import type { Settings, Store } from '../config/settings.ts'
import { AdapterError } from '../errors/classes.ts'
import { isSameId } from '../session/stored.ts'
import type { Keyring } from '../token/keyring.ts'

/** The second factor of a user. The adapter stores it sealed, so that a copy of the database contains no secret. */
export interface FactorRecord {
  /** The user, so that nobody can move the record to another one. */
  readonly userId: string
  /** The shared secret in base32 (RFC 4648 6). */
  readonly secret: string
  /** The time step of the last accepted code. That and earlier ones are refused. */
  readonly step: number
  /**
   * When the challenge of the last accepted passkey was created, in milliseconds since 1970. That and earlier ones are
   * refused. Absent until then in records of earlier versions.
   */
  readonly challengedAt?: number
  /** Hashes of the recovery codes that are left. */
  readonly recovery: readonly string[]
  /** A random value that pending sign-ins and remembered devices contain. A new one ends them. */
  readonly binding: string
  /** Sign-ins that waited at this time or before have ended, in milliseconds since 1970. */
  readonly endedAt?: number
  /** Wrong codes and passkeys since the last right one. */
  readonly failures: number
  /** Codes and passkeys are refused before this time, in milliseconds since 1970. */
  readonly blockedUntil: number
}

/** A record, and the text that the adapter stores for it. */
export interface HeldFactor {
  readonly record: FactorRecord
  readonly sealed: string
}

/** What reads and writes records. */
export interface Vault {
  readonly store: Store
  readonly keys: Keyring
  readonly settings: Pick<Settings, 'platform'>
}

/** The purpose of the key. */
const salt = 'authmachine.second-factor'
/** A record does not expire. */
const century = 36_500 * 86_400

/**
 * Reads the second factor of a user.
 * @throws AdapterError if it cannot be opened: a user whose secret was lost must not sign in without it
 */
export async function readFactor(
  userId: string,
  { store, keys, settings }: Vault,
): Promise<HeldFactor | undefined> {
  const sealed = await store.getFactor(userId)
  if (sealed === null || sealed === undefined) return undefined
  const opened = await keys.open(String(sealed), { salt, now: settings.platform.now() })
  const record = 'claims' in opened ? (opened.claims['factor'] as FactorRecord | undefined) : undefined
  if (record && isSameId(record.userId, userId)) return { record, sealed }
  throw new AdapterError(
    'The second factor of a user cannot be opened. Add the secret that sealed it to `secret`, or delete it with `deleteFactor`. Seal imported secrets with `sealTotpSecret`',
  )
}

/** Seals a record as the adapter stores it. */
export async function sealFactor(record: FactorRecord, keys: Keyring, now: number): Promise<string> {
  return keys.seal({ factor: record }, { salt, maxAge: century, now })
}

/**
 * Seals and stores a record, only in place of the given one.
 * @returns it as stored, or undefined if another request has replaced that one
 */
export async function writeFactor(
  record: FactorRecord,
  held: Pick<HeldFactor, 'sealed'> | undefined,
  { store, keys, settings }: Vault,
): Promise<HeldFactor | undefined> {
  const sealed = await sealFactor(record, keys, settings.platform.now())
  const stored = await store.setFactor(record.userId, sealed, held && { factor: held.sealed })
  return demandBoolean(stored, 'setFactor') ? { record, sealed } : undefined
}

/**
 * Removes a record.
 * @returns whether it did: false if another request has replaced it
 */
export async function removeFactor({ record, sealed }: HeldFactor, { store }: Vault): Promise<boolean> {
  return demandBoolean(await store.deleteFactor(record.userId, { factor: sealed }), 'deleteFactor')
}

function demandBoolean(answer: unknown, operation: string): boolean {
  if (typeof answer === 'boolean') return answer
  throw new AdapterError(`The adapter's ${operation} must return true or false`)
}
