import type { Awaitable } from './types/records.ts'

/** A value that is available at once where the runtime allows it, and a promise where it does not. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Applies a function to a value, at once or when it resolves. Not called `then`: `import()` would take a module with
 * that export for a promise, call it and fail.
 */
export function whenReady<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Returns the result of some work, or, if it throws or rejects, the result of `fail`. */
export function orElse<T>(
  work: () => MaybePromise<T>,
  fail: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const answer = work()
    return answer instanceof Promise ? answer.catch(fail) : answer
  } catch (error) {
    return fail(error)
  }
}

/** Waits for all values, if any is a promise. */
export function allReady<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  const isReady = (each: MaybePromise<T>): each is T => !(each instanceof Promise)
  return values.every(isReady) ? values : Promise.all(values)
}

/** Turns a thenable from user code into a promise. Some database drivers return thenables. */
export function settle<T>(answer: Awaitable<T>): MaybePromise<T> {
  return isPromiseLike(answer) ? Promise.resolve(answer) : answer
}

function isPromiseLike<T>(answer: Awaitable<T>): answer is PromiseLike<T> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  )
}
