import type { OAuthSettings } from '../config/settings.ts'
import type { OAuthContext } from './context.ts'

/** Remembers what was fetched, bounded in number and time; a failure is not remembered. */
export interface ProviderCache<T> {
  /** The value under a key, fetched when none is held or it is out of date. Who asks meanwhile shares the request. */
  readonly read: (key: string, load: () => Promise<T>) => Promise<T>
  /** The value fetched anew, unless the one that is held, or on its way, isn't `seen`: then somebody else has done it. */
  readonly renew: (key: string, seen: T, load: () => Promise<T>) => Promise<T>
}

interface Entry<T> {
  readonly promise: Promise<T>
  /** Milliseconds since 1970; the age counts from there. */
  readonly askedAt: number
  /** There once the promise is fulfilled. */
  readonly loaded?: { readonly value: T }
}

type Entries<T> = Map<string, Entry<T>>

interface Bounds {
  /** Milliseconds. */
  readonly lifetime: number
  readonly entries: number
}

/** Milliseconds others wait for a request under way: some runtimes stop it together with the request that asked. */
const patience = 10_000

/**
 * One cache for each fetch that providers are reached with: the user's, or the platform's, and what the preset does to
 * it. What came through one fetch is never the answer to another (CC-11).
 */
export function cacheByFetch<T>(
  bounds: Bounds,
): (provider: Pick<OAuthSettings, 'fetch' | 'preset'>, context: OAuthContext) => ProviderCache<T> {
  const shelves = new WeakMap<object, WeakMap<object, Entries<T>>>()
  return ({ fetch, preset }, { platform }) => {
    const send = fetch ?? platform.fetch
    const shelf = shelves.get(send) ?? new WeakMap<object, Entries<T>>()
    shelves.set(send, shelf)
    const hook = preset.fetch ?? send
    const held = shelf.get(hook) ?? new Map<string, Entry<T>>()
    shelf.set(hook, held)
    return openCache(held, bounds, platform.now())
  }
}

/** The cache at a moment. */
function openCache<T>(held: Entries<T>, bounds: Bounds, now: number): ProviderCache<T> {
  const isFresh = ({ askedAt, loaded }: Entry<T>) => {
    const age = now - askedAt
    // A clock that was set back must not make an entry live longer.
    return age >= 0 && age < (loaded ? bounds.lifetime : patience)
  }
  return {
    read(key, load) {
      const entry = held.get(key)
      return entry && isFresh(entry) ? entry.promise : ask(held, bounds, now, key, load)
    },
    renew(key, seen, load) {
      const entry = held.get(key)
      const isOther = entry && isFresh(entry) && entry.loaded?.value !== seen
      return isOther ? entry.promise : ask(held, bounds, now, key, load)
    },
  }
}

function ask<T>(
  held: Entries<T>,
  bounds: Bounds,
  askedAt: number,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const before = held.get(key)
  const entry: Entry<T> = { promise: load(), askedAt }
  held.delete(key)
  held.set(key, entry)
  for (const oldest of held.keys()) {
    if (held.size <= bounds.entries) break
    held.delete(oldest)
  }
  const settle = (next: Entry<T> | undefined) => {
    if (held.get(key) !== entry) return
    if (next) held.set(key, next)
    else held.delete(key)
  }
  entry.promise.then(
    (value) => settle({ ...entry, loaded: { value } }),
    // What was held before a renewal that failed is as good as it was.
    () => settle(before?.loaded && before),
  )
  return entry.promise
}
