import type { RunScript } from './redis-client.ts'
import { decodeRecord, encode, encodeRecord, type Flat } from './redis-rows.ts'
import { areKeys } from './storable-keys.ts'

/** The kinds of rows: the first parts of their keys. */
export type Kind =
  'user' | 'account' | 'session' | 'token' | 'authenticator' | 'password' | 'factor' | 'record' | 'keyed'

/** The texts that identify a row. */
type Key = readonly (string | undefined)[]

/** A member and the value it must have for a row to be changed. */
type Held = Readonly<Record<string, string | number>>

/** The rows of one kind. Each operation is one run of the script. */
export interface Table<Rec> {
  readonly insert: (key: Key, record: object) => Promise<Rec>
  readonly find: (key: Key) => Promise<Rec | null>
  /** Lists the rows of a user. */
  readonly list: (userId: string) => Promise<Rec[]>
  /**
   * Changes the given members, and returns the whole row. Returns null if there is no such row, or the member differs
   * from the expected value.
   */
  readonly change: (key: Key, patch: object, held?: Held) => Promise<Rec | null>
  /**
   * Returns the removed row. Of concurrent calls, only one gets it. Returns null if there is no such row, or the member
   * differs from the expected value.
   */
  readonly remove: (key: Key, held?: Held) => Promise<Rec | null>
}

/**
 * Sends an operation to the script, unless no row can have the key.
 *
 * @returns null if there is no such row, or the result of the script
 * @throws Error with the reason if the script refuses the operation
 */
export type Send = (operation: string, kind: Kind, key: Key, args?: Flat) => Promise<unknown>

/** Opens the operations of the script on all keys that start with `root`. */
export function openStore(run: RunScript, root: string): Send {
  return async (operation, kind, key, args = []) => {
    if (!areKeys(...key)) return null
    const reply = await run(root, [operation, kind, join(key), ...args])
    if (typeof reply === 'string') throw new Error(reply)
    return reply ?? null
  }
}

/** Reads and writes rows of one kind as records. */
export function openTable<Rec>(send: Send, kind: Kind): Table<Rec> {
  return {
    async insert(key, record) {
      const row = encodeRecord(record)
      if (!areKeys(...key)) throw new Error(`The ${kind} has no key`)
      return asRecord(await send('insert', kind, key, row))
    },
    find: async (key) => asRecordOrNull(await send('find', kind, key)),
    list: async (userId) =>
      (((await send('list', kind, [userId])) as readonly Flat[] | null) ?? []).map(asRecord<Rec>),
    change: async (key, patch, held) =>
      asRecordOrNull(await send('change', kind, key, [...encodeHeld(held), ...encodeRecord(patch)])),
    remove: async (key, held) => asRecordOrNull(await send('remove', kind, key, encodeHeld(held))),
  }
}

/** Encodes the expected member for the script, which gets empty texts if there is none. */
function encodeHeld(held: Held = {}): Flat {
  const [name = '', value] = Object.entries(held)[0] ?? []
  return [name, name && encode(value)]
}

/** Decodes a row that the script returned. */
export function asRecord<Rec>(row: unknown): Rec {
  return decodeRecord(row as Flat) as Rec
}

/** Decodes a row that the script returned, if it found one. */
export function asRecordOrNull<Rec>(row: unknown): Rec | null {
  return row === null ? null : asRecord(row)
}

/** Unlike parts joined by a separator, no two pairs have the same text. */
function join(key: Key): string {
  return key.length === 1 ? String(key[0]) : JSON.stringify(key)
}
