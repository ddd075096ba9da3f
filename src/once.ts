import type { MaybePromise } from './maybe-promise.ts'

/**
 * Creates a value on first use and keeps it, so that importing a module has no side effects. A promise that rejects is
 * not kept, so that the next caller tries again.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    if (made) return made.value
    const value = make()
    made = { value }
    if (value instanceof Promise) value.catch(() => (made = undefined))
    return value
  }
}

/** Loads a module on first use. Once it is loaded, it is available at once. */
export function onceLoaded<T>(load: () => Promise<T>): () => MaybePromise<T> {
  let loaded: { readonly value: T } | undefined
  const start = async () => {
    const value = await load()
    loaded ??= { value }
    return loaded.value
  }
  return () => (loaded ? loaded.value : start())
}
