import type { OAuthSettings } from '../config/settings.ts'
import type { OAuthContext } from './context.ts'

/** Remembers what was fetched, bounded in number and time. A failure is remembered for a few seconds. */
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
  /** How the last attempt failed; what was loaded before is kept. */
  readonly failure?: { readonly promise: Promise<T>; readonly at: number }
}

type Entries<T> = Map<string, Entry<T>>

interface Bounds {
  /** Milliseconds. */
  readonly lifetime: number
  readonly entries: number
}

/**
 * Milliseconds for which a failure is the answer: short, so that a retry by hand works once the provider is back, and long
 * enough that a provider which is down is not asked by every sign-in.
 */
const failureLifetime = 5000

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
    return openCache(held, bounds, platform.now)
  }
}

function openCache<T>(held: Entries<T>, bounds: Bounds, now: () => number): ProviderCache<T> {
  // A clock that was set back must not make an entry live longer.
  const isWithin = (since: number, lifetime: number) => now() - since >= 0 && now() - since < lifetime
  const isFresh = ({ askedAt, loaded, failure }: Entry<T>) =>
    loaded ? isWithin(askedAt, bounds.lifetime) : !failure && isWithin(askedAt, patience)
  const retry = (key: string, entry: Entry<T> | undefined, load: () => Promise<T>) =>
    entry?.failure && isWithin(entry.failure.at, failureLifetime)
      ? entry.failure.promise
      : ask(held, bounds, now, key, load)
  return {
    read(key, load) {
      const entry = held.get(key)
      return entry && isFresh(entry) ? entry.promise : retry(key, entry, load)
    },
    renew(key, seen, load) {
      const entry = held.get(key)
      const isOther = entry && isFresh(entry) && entry.loaded?.value !== seen
      return isOther ? entry.promise : retry(key, entry, load)
    },
  }
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
    // What was held before a renewal that failed is as good as it was.
    () => settle({ ...(before?.loaded ? before : entry), failure: { promise: entry.promise, at: now() } }),
  )
  return entry.promise
}
