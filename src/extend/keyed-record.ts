/** Expiring values that features find by a key, sealed for the name of the record and the key. */
import { hashesOfFeature, newestHash } from '../flows/shared/mailed-proof.ts'
import { siteOf } from '../flows/engine/site-tools.ts'
import { requireStore, type World } from '../flows/engine/world.ts'
import { sealedText } from '../token/sealed.ts'
import type { Json, SiteTools } from '../types/feature.ts'
import { changeStored, type StoredValue } from './sealed.ts'

/** A value that `read` returned, with which `write` replaces exactly this value. */
export interface StoredKeyedValue<Value> extends StoredValue<Value> {
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number
  /** The hash of the key under which it is stored. */
  readonly hash: string
}

/** One sealed value for each key, until it expires. */
export interface KeyedRecord<Value extends Json> {
  /** Returns the value of a key, or undefined if there is none or if it has expired. */
  readonly read: (key: string, tools: SiteTools) => Promise<StoredKeyedValue<Value> | undefined>
  /**
   * Stores a value. A replacement keeps the expiry of the first value.
   *
   * @param stored what `read` has returned. Without it, the value is stored only if there is none
   * @returns false if another request was faster
   */
  readonly write: (
    key: string,
    value: Value,
    stored: StoredKeyedValue<Value> | undefined,
    tools: SiteTools,
  ) => Promise<boolean>
  /**
   * Replaces the value with another one, and retries if another request changed it first.
   *
   * @param next returns the new value for the stored one, or undefined for no value. It may be called several times
   * @returns the new value
   * @throws AdapterError (rejects) after ten attempts
   */
  readonly update: (
    key: string,
    next: (value: Value | undefined) => Value | undefined,
    tools: SiteTools,
  ) => Promise<Value | undefined>
  /** Removes the value that `read` has returned. @returns false if another request was faster */
  readonly remove: (key: string, stored: StoredKeyedValue<Value>, tools: SiteTools) => Promise<boolean>
}

/** The content of the sealed text. */
interface Kept {
  readonly hash: string
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly expires: number
}

/**
 * Declares a value that is found by a key, such as a code that a person types, and that expires (FT-17). The store has only a
 * hash of the key, with the secret. The feature needs `getKeyedRecord`, `setKeyedRecord` and `deleteKeyedRecord` of the
 * adapter.
 *
 * @param name the name of the feature, or a text that begins with it and a hyphen
 * @param options `maxAge` in seconds
 * @returns functions that read, write and remove the value of a key
 * @example const requests = keyedRecord<{ client: string }>('device', { maxAge: 600 })
 */
export function keyedRecord<Value extends Json>(
  name: string,
  options: { readonly maxAge: number },
): KeyedRecord<Value> {
  const text = sealedText<Kept, 'hash'>({
    purpose: `authmachine.keyed-${name}`,
    until: ({ expires }) => expires,
    boundTo: ['hash'],
    read: ({ hash, value, expires }) => ({
      hash: String(hash),
      value: value as Json,
      expires: Number(expires),
    }),
  })
  /** Returns one hash for each secret, the newest first. */
  const listHashes = async (key: string, { settings }: World) => {
    const hashes = await hashesOfFeature(`keyed ${name} ${key}`, settings)
    return hashes.map((hash) => `${name}:${hash}`)
  }
  const record: KeyedRecord<Value> = {
    async read(key, tools) {
      const { world } = siteOf(tools, name)
      for (const hash of await listHashes(key, world)) {
        const sealed = await requireStore(world).getKeyedRecord(hash)
        if (sealed === null) continue
        const { content } = await text.open(sealed, { hash }, world)
        if (content) return { ...content, value: content.value as Value, sealed }
      }
      return undefined
    },
    async write(key, value, stored, tools) {
      const { world } = siteOf(tools, name)
      const store = requireStore(world)
      // A value may be stored under the hash with an older secret.
      if (!stored && (await record.read(key, tools))) return false
      const expires = stored?.expires ?? world.platform.now() + options.maxAge * 1000
      const hash = stored?.hash ?? newestHash(await listHashes(key, world))
      const row = {
        key: hash,
        value: await text.seal({ hash, value, expires }, world),
        expires: new Date(expires),
      }
      if (stored) return store.setKeyedRecord(row, { value: stored.sealed })
      if (await store.setKeyedRecord(row)) return true
      // An expired value may not have been deleted yet.
      const sealed = await store.getKeyedRecord(hash)
      if (sealed === null || (await text.open(sealed, { hash }, world)).content) return false
      return store.setKeyedRecord(row, { value: sealed })
    },
    async remove(_key, { hash, sealed }, tools) {
      return requireStore(siteOf(tools, name).world).deleteKeyedRecord(hash, { value: sealed })
    },
    update: (key, next, tools) =>
      changeStored<Value, StoredKeyedValue<Value>>(
        {
          what: `The keyed record "${name}"`,
          read: () => record.read(key, tools),
          write: (value, stored) => record.write(key, value, stored, tools),
          remove: (stored) => record.remove(key, stored, tools),
        },
        next,
      ),
  }
  return record
}
