import { apart } from '../copies/copy-handed-out.ts'
import type { OAuthSettings } from '../config/settings.ts'
import type { OAuthContext } from './context.ts'

/** Caches fetched values, limited in number and age. Failures are cached for a few seconds. */
export interface ProviderCache<T> {
  /**
   * Returns the value of a key, and fetches it if it is missing or out of date. Concurrent callers share the request.
   */
  readonly read: (key: string, load: () => Promise<T>) => Promise<T>
  /**
   * Fetches the value again, unless the cached or pending one is not `seen`: then another caller has already done it.
   */
  readonly renew: (key: string, seen: T, load: () => Promise<T>) => Promise<T>
}

interface Entry<T> {
  readonly promise: Promise<T>
  /** Milliseconds since 1970. The start of its age. */
  readonly askedAt: number
  /** Set when the promise is fulfilled. */
  readonly loaded?: { readonly value: T }
  /** The last failure. The value loaded before is kept. */
  readonly failure?: { readonly promise: Promise<T>; readonly at: number }
}

type Entries<T> = Map<string, Entry<T>>

interface Bounds {
  /** Milliseconds. */
  readonly lifetime: number
  readonly entries: number
}

/**
 * Milliseconds for which a failure is cached. Short, so that a manual retry works once the provider is back; long
 * enough that not every sign-in sends a request to a provider that is down.
 */
const failureLifetime = 5000

/**
 * Milliseconds to wait for a pending request of another caller. Some runtimes stop it with the request of that caller.
 */
const patience = 10_000

/**
 * Keeps one cache for each fetch: the user's or the platform's, and the preset's wrapper around it. Responses of one
 * fetch are never used for another (CC-11).
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
    return openCache(held, bounds, platform.now)
  }
}

function openCache<T>(held: Entries<T>, bounds: Bounds, now: () => number): ProviderCache<T> {
  // A clock that was set back must not prolong the life of an entry.
  const isWithin = (since: number, lifetime: number) => now() - since >= 0 && now() - since < lifetime
  const isFresh = ({ askedAt, loaded, failure }: Entry<T>) =>
    loaded ? isWithin(askedAt, bounds.lifetime) : !failure && isWithin(askedAt, patience)
  const retry = (key: string, entry: Entry<T> | undefined, load: () => Promise<T>) =>
    entry?.failure && isWithin(entry.failure.at, failureLifetime)
      ? apart(entry.failure.promise)
      : ask(held, bounds, now, key, load)
  return {
    read(key, load) {
      const entry = held.get(key)
      return entry && isFresh(entry) ? share(entry) : retry(key, entry, load)
    },
    renew(key, seen, load) {
      const entry = held.get(key)
      const isOther = entry && isFresh(entry) && entry.loaded?.value !== seen
      return isOther ? share(entry) : retry(key, entry, load)
    },
  }
}

function share<T>({ loaded, promise }: Entry<T>): Promise<T> {
  return loaded ? promise : apart(promise)
}

function ask<T>(
  held: Entries<T>,
  bounds: Bounds,
  now: () => number,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const before = held.get(key)
  const entry: Entry<T> = { promise: load(), askedAt: now() }
  held.delete(key)
  held.set(key, entry)
  for (const oldest of held.keys()) {
    if (held.size <= bounds.entries) break
    held.delete(oldest)
  }
  const settle = (next: Entry<T>) => {
    if (held.get(key) === entry) held.set(key, next)
  }
  entry.promise.then(
    (value) => settle({ ...entry, loaded: { value } }),
    // If a renewal fails, the previous value stays valid.
    () => settle({ ...(before?.loaded ? before : entry), failure: { promise: entry.promise, at: now() } }),
  )
  return apart(entry.promise)
}
