/**
 * The first read of a session, for components that suspend. The effects of a provider only run once its components no longer
 * suspend, so it cannot fetch the session for them.
 */
export interface FirstRead<Value> {
  /** Returns the value. Never call it on a server. @throws a promise until it is known, and then the error if reading failed */
  readonly read: () => Value
  /** Drops the value once the provider knows a later one. */
  readonly forget: () => void
}

interface Reading<Value> {
  readonly promise: Promise<void>
  result?: { readonly value: Value } | { readonly error: unknown }
}

/** For a browser only, where all components have the same user. */
export function createFirstRead<Value>(load: () => Promise<Value>): FirstRead<Value> {
  let reading: Reading<Value> | undefined

  function start(): Reading<Value> {
    const begun: Reading<Value> = {
      promise: load().then(
        (value) => void (begun.result = { value }),
        (error: unknown) => void (begun.result = { error }),
      ),
    }
    return begun
  }

  return {
    read() {
      reading ??= start()
      const { promise, result } = reading
      // oxlint-disable-next-line typescript/only-throw-error -- React waits for a promise that a component throws
      if (!result) throw promise
      if ('value' in result) return result.value
      // React renders once more before it shows an error boundary. When the boundary renders again, that is a new attempt.
      setTimeout(() => {
        if (reading?.result === result) reading = undefined
      })
      throw result.error
    },
    forget: () => void (reading = undefined),
  }
}
