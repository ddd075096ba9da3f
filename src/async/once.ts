import { apart } from '../copies/copy-handed-out.ts'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Creates a value on first use and keeps it, so that importing a module has no side effects. A promise that rejects is
 * not kept, so that the next caller tries again. Those who wait for it get separate errors.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly read: () => T } | undefined
  return () => {
    if (made) return made.read()
    const value = make()
    const keep = () => (made = { read: () => value })
    if (value instanceof Promise) {
      made = { read: () => apart(value) as T }
      value.then(keep, () => (made = undefined))
      // The first caller also gets a copy of an error, because it may write to it before the others get theirs.
      return made.read()
    }
    keep()
    return value
  }
}

/** Loads a module on first use. Once it is loaded, it is available at once. */
export function onceLoaded<T>(load: () => Promise<T>): () => MaybePromise<T> {
  let loaded: { readonly value: T } | undefined
  const start = async () => {
    const value = await apart(load())
    loaded ??= { value }
    return loaded.value
  }
  return () => (loaded ? loaded.value : start())
}
