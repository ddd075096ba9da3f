import type { Awaitable } from '../types/records.ts'

/** A value that is available at once if the runtime allows it, or otherwise a promise. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Applies a function to a value, at once or when it resolves. It is not called `then`, because `import()` would treat a
 * module with this export as a promise, call it and fail.
 */
export function whenReady<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Applies one function to the result of some work, or another to its error. */
export function whenDone<T, R>(
  work: () => MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  fail: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  let answer: MaybePromise<T>
  try {
    answer = work()
  } catch (error) {
    return fail(error)
  }
  return answer instanceof Promise ? answer.then(next, fail) : next(answer)
}

/** Returns the result of some work, or, if it throws or rejects, the result of `fail`. */
export function orElse<T>(
  work: () => MaybePromise<T>,
  fail: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  return whenDone(work, (value) => value, fail)
}

/**
 * Returns a promise for the result of some work. If the result is a promise, returns the same one. An exception becomes
 * a rejection.
 */
export function promised<T>(work: () => MaybePromise<T>): Promise<T> {
  try {
    return Promise.resolve(work())
  } catch (error) {
    return refuse(error)
  }
}

async function refuse(error: unknown): Promise<never> {
  throw error
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
