import type { MaybePromise } from './maybe-promise.ts'

/** Creates a value on first use and keeps it, so that importing a module has no side effects. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
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
